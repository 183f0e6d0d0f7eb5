/**
 * The text of a manifest, piece by piece: a job may have a hundred thousand outputs, so neither their rows nor the text are ever in
 * memory as a whole.
 */
import type { Job } from '../../../../entities/jobs.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import { presentItem } from '../../present-item.ts';
import type { Row } from '../../row.ts';
import type { Queryable } from '../../transaction.ts';

/** The manifest's format; a change of meaning gets a new one. */
const MANIFEST_SCHEMA = 'dockyard.manifest/v1';

/** Entry of an output in a manifest. */
export type ListedOutput = Row<
  Artifact,
  'name' | 'kind' | 'taskKind' | 'taskOrdinal' | 'itemId' | 'mediaType' | 'format' | 'byteSize' | 'sha256'
>;

/** A manifest: its job, its outputs in pages, the files made of all of them, and what the tool says of the steps. */
export interface ManifestContent {
  readonly job: Pick<
    Job,
    'id' | 'jobType' | 'simulator' | 'jobName' | 'unit' | 'taskTotal' | 'effectiveSeed'
  >;
  readonly outputs: AsyncIterable<readonly ListedOutput[]>;
  readonly more: readonly ListedOutput[];
  readonly parts: Readonly<Record<string, unknown>>;
}

const PAGE = 1_000;

/** The text as \`JSON.stringify\` makes it of the whole manifest. */
export async function* manifestText({ job, outputs, more, parts }: ManifestContent): AsyncGenerator<string> {
  const head = JSON.stringify({
    schema: MANIFEST_SCHEMA,
    jobId: job.id,
    jobType: job.jobType,
    simulator: job.simulator,
    jobName: job.jobName,
    taskCount: job.taskTotal,
    effectiveSeed: job.effectiveSeed,
    outputs: [],
  });
  const tail = JSON.stringify(parts);
  yield head.slice(0, -']}'.length);
  let comma = '';
  const listed = (row: ListedOutput): string => {
    const text = comma + JSON.stringify(listedOutput(job.unit, row));
    comma = ',';
    return text;
  };
  for await (const page of outputs) yield page.map(listed).join('');
  yield more.map(listed).join('');
  yield tail === '{}' ? ']}' : `],${tail.slice(1)}`;
}

type OutputRow = ListedOutput & Pick<Artifact, 'id'>;

/** All verified outputs of a job, steps and tasks, by task and name. */
export async function* outputPages(db: Queryable, jobId: string): AsyncGenerator<readonly ListedOutput[]> {
  const kinds = await db.query<Row<Artifact, 'taskKind'>[]>(
    `select distinct task_kind from artifacts where job_id = $1 and task_kind <> 'finish' order by task_kind`,
    [jobId],
  );
  for (const { task_kind: kind } of kinds) {
    let after: readonly unknown[] = [-1, '', null];
    for (;;) {
      const page = await outputsAfter(db, jobId, kind, after);
      const last = page.at(-1);
      if (last !== undefined) yield page;
      if (last === undefined || page.length < PAGE) break;
      after = [last.task_ordinal, last.name, last.id];
    }
  }
}

/** The next page of the outputs of one kind; the index of artifacts has them in this order. */
function outputsAfter(
  db: Queryable,
  jobId: string,
  kind: Artifact['taskKind'],
  after: readonly unknown[],
): Promise<OutputRow[]> {
  return db.query(
    `select id, name, kind, task_kind, task_ordinal, item_id, media_type, format, byte_size, sha256 from artifacts
     where job_id = $1 and task_kind = $2 and task_ordinal >= $3
       and ($5::uuid is null or (task_ordinal, name, id) > ($3::int, $4::text, $5::uuid))
     order by task_ordinal, name, id limit $6`,
    [jobId, kind, ...after, PAGE],
  );
}

function listedOutput(unit: Job['unit'], row: ListedOutput): Record<string, unknown> {
  const item = presentItem(unit, { kind: row.task_kind, ordinal: row.task_ordinal, itemId: row.item_id });
  return {
    name: row.name,
    kind: row.kind,
    taskIndex: item.index,
    frame: item.frame,
    ligandId: item.ligandId,
    mediaType: row.media_type,
    format: row.format,
    byteSize: row.byte_size,
    sha256: row.sha256,
  };
}

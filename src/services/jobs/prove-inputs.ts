/**
 * Proof that a job which is to go on can read its inputs: each is in the store with the size and the digest that the job has pinned.
 * The ETag that was recorded with the digest proves the bytes, or the digest that the store computed; else the input is read.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { PinnedInput } from '../../contracts/job.ts';
import { AppError } from '../../domain/errors.ts';
import { isUnchanged } from '../stored-objects/stored-digests.ts';
import type { DigestReader } from '../stored-objects/stored-digests.ts';
import type { LoadedJob } from '../job-records/request.ts';

/** The database, the store with the inputs, and what reads them. */
export interface InputProofDependencies {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'head'>;
  /** Reads an input; with null no input is read, and one of the right size counts as there. */
  readonly digests: DigestReader | null;
}

const HEADS_AT_ONCE = 16;
/** More names than this are counted. */
const NAMED_INPUTS = 10;

/** An ETag counts only where it was recorded for the digest that the job has pinned. */
const PINS = `
  select i.storage_key as "storageKey", i.byte_size as "byteSize", i.sha256,
    case when o.sha256 = i.sha256 then o.etag end as etag
  from job_inputs i left join stored_objects o on o.storage_key = i.storage_key where i.job_id = $1 order by 1`;

interface ProvenPin extends PinnedInput {
  readonly etag: string | null;
}

/**
 * Looks at every input of the job, so that nothing is held for a job that could not run; answers the inputs by their keys.
 * @throws JOB_NOT_RESUMABLE.
 */
export async function proveInputs(
  { db, store, digests }: InputProofDependencies,
  job: LoadedJob,
): Promise<ReadonlyMap<string, PinnedInput>> {
  const stored = (job.storedInputs ?? []).map((pin): ProvenPin => ({ ...pin, etag: null }));
  const rows = await db.query<ProvenPin[]>(PINS, [job.jobId]);
  const pins = new Map([...stored, ...rows].map((pin) => [pin.storageKey, pin]));
  const limit = pLimit(HEADS_AT_ONCE);
  const gone: string[] = [];
  const isThere = async ({ storageKey, byteSize, sha256, etag }: ProvenPin): Promise<boolean> => {
    const head = await store.head(storageKey);
    if (head?.byteSize !== byteSize) return false;
    return sha256 === null || digests === null || isUnchanged(digests, { sha256, etag }, head);
  };
  await Promise.all(
    [...pins.values()].map((pin) =>
      limit(async () => {
        if (!(await isThere(pin))) gone.push(pin.storageKey);
      }),
    ),
  );
  if (gone.length === 0) return pins;
  const more = gone.length > NAMED_INPUTS ? ` and ${String(gone.length - NAMED_INPUTS)} more` : '';
  throw new AppError(
    'JOB_NOT_RESUMABLE',
    `Inputs of the job are gone or have changed: ${gone.sort().slice(0, NAMED_INPUTS).join(', ')}${more}. Upload them and submit a new job.`,
  );
}

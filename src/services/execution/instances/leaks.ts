/**
 * Leaks: instances that a provider lists and that are nobody's. No row has their token, their row is fenced or ended, their job
 * rests, they were to be taken away minutes ago, or no workflow works on their job. A provider lists what carries the tag of this
 * deployment and nothing else, so an instance of others is never seen here. A launch under way is younger than two minutes, and
 * no such instance is a leak.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceDescription, InstanceProvider } from '../../../adapters/instances/instances.ts';
import type { WorkflowEnd } from '../../../adapters/temporal/client.ts';
import type { Row } from '../../row.ts';

/**
 * Why an instance is nobody's. `UNKNOWN`: no row has its token; `ENDED`: its row says that it has ended; `FENCED`: nothing that
 * it reports counts any more; `JOB_RESTS`: its job has ended or is paused; `DRAINED`: it was told that it is taken away, its successor
 * works, and it is still there; `WORKFLOW_GONE`: its job is open, and no workflow runs.
 */
export type LeakCause = 'UNKNOWN' | 'ENDED' | 'FENCED' | 'JOB_RESTS' | 'DRAINED' | 'WORKFLOW_GONE';

/** An instance that is nobody's. */
export interface Leak {
  readonly provider: string;
  readonly providerId: string;
  readonly token: string;
  readonly launchedAt: string;
  readonly cause: LeakCause;
  /** Null where no row has the token of the instance. */
  readonly row: LeakedRow | null;
}

/** The row of an instance that is nobody's. */
export interface LeakedRow {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  /** The job's execution now. */
  readonly execution: number;
}

export interface LeakOptions {
  /** The age below which an instance is left alone; two minutes when it is not given. */
  readonly minAgeSeconds?: number;
  /** Finds the end of a job's workflow, null while it runs; absent: Temporal is not asked, and open jobs keep their instances. */
  readonly endOf?: (jobId: string) => Promise<WorkflowEnd | null>;
}

/** The job `j` has no instances: it is paused or has ended. */
export const RESTS = `(j.finished_at is not null or j.status = 'PAUSED')`;
/** A launch under way is younger than this. */
export const MIN_AGE_SECONDS = 120;
/** An instance that was told of its end may still commit what it runs; a cloud gives two minutes, and commits take longer. */
const DRAIN_SECONDS = 300;

const PAGE = 1_000;
const ASKED_AT_ONCE = 16;

const ROWS = `
  select i.launch_token, i.job_id, i.slot, i.generation, j.execution, i.state = 'TERMINATED' as ended,
    i.fenced_at is not null as fenced, ${RESTS} as rests,
    coalesce(i.drained_at <= now() - make_interval(secs => ${DRAIN_SECONDS}), false) as drained, extract(epoch from now() - i.launched_at)::float8 as age
  from instances i join jobs j on j.id = i.job_id where i.launch_token = any($1)`;

interface KnownInstance extends Row<Instance, 'launchToken' | 'jobId' | 'slot' | 'generation'> {
  readonly execution: number;
  readonly ended: boolean;
  readonly fenced: boolean;
  readonly rests: boolean;
  readonly drained: boolean;
  /** Seconds since the launch by the clock of the database; the clock of a provider decides nothing where there is a row. */
  readonly age: number;
}

/** The instances of a provider that are nobody's, page by page. Throws when PostgreSQL, the provider or Temporal do not answer. */
export async function* findLeaks(
  db: DataSource,
  provider: InstanceProvider,
  running: readonly InstanceDescription[],
  { minAgeSeconds = MIN_AGE_SECONDS, endOf }: LeakOptions,
): AsyncGenerator<readonly Leak[]> {
  for (let from = 0; from < running.length; from += PAGE) {
    const page = running.slice(from, from + PAGE);
    const rows = await db.query<KnownInstance[]>(ROWS, [page.map(({ token }) => token)]);
    const known = new Map(rows.map((row) => [row.launch_token, row]));
    const old = page.filter((one) => ageOf(one, known.get(one.token)) >= minAgeSeconds);
    const current = old.flatMap(({ token }) => {
      const row = known.get(token);
      return row !== undefined && causeOf(row) === null ? [row.job_id] : [];
    });
    const lost =
      endOf === undefined ? new Set<string>() : await withoutWorkflow([...new Set(current)], endOf);
    const leaks = old.flatMap((one): readonly Leak[] => {
      const row = known.get(one.token);
      const cause =
        row === undefined ? 'UNKNOWN' : (causeOf(row) ?? (lost.has(row.job_id) ? 'WORKFLOW_GONE' : null));
      return cause === null ? [] : [leakOf(provider.name, one, cause, row)];
    });
    if (leaks.length > 0) yield leaks;
  }
}

/** Why the row alone says that the instance is nobody's; null for the current instance of an open job. */
function causeOf({ ended, fenced, rests, drained }: KnownInstance): LeakCause | null {
  if (ended) return 'ENDED';
  if (rests) return 'JOB_RESTS';
  if (fenced) return 'FENCED';
  return drained ? 'DRAINED' : null;
}

function ageOf({ launchedAt }: InstanceDescription, row: KnownInstance | undefined): number {
  return row?.age ?? (Date.now() - Date.parse(launchedAt)) / 1000;
}

/** The jobs that no workflow works on. Each is asked for by its id, because what Temporal finds by a search may lag behind. */
async function withoutWorkflow(
  jobIds: readonly string[],
  endOf: NonNullable<LeakOptions['endOf']>,
): Promise<ReadonlySet<string>> {
  const limit = pLimit(ASKED_AT_ONCE);
  const ends = await Promise.all(jobIds.map((jobId) => limit(() => endOf(jobId))));
  return new Set(jobIds.filter((_jobId, index) => ends[index] !== null));
}

function leakOf(
  provider: string,
  { providerId, token, launchedAt }: InstanceDescription,
  cause: LeakCause,
  row: KnownInstance | undefined,
): Leak {
  const { job_id: jobId, slot, generation, execution } = row ?? {};
  const known =
    jobId === undefined || slot === undefined || generation === undefined || execution === undefined
      ? null
      : { jobId, slot, generation, execution };
  return { provider, providerId, token, launchedAt, cause, row: known };
}

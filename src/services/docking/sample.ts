/**
 * The reproducibility sample of a batch: one ligand in a hundred, and at least five, is docked twice more once the batch is done,
 * with the seed of the batch and with another one, each time by a job on an instance of its own. The jobs are the service's, so
 * they hold nothing, cost nothing and are in no list. Their admissions are composed with that of the batch, and its workflow
 * starts them. The seed decides which ligands are taken.
 */
import { v5 as uuidv5 } from 'uuid';

import type { NewBatch } from '../../contracts/docking-records.ts';
import type { DockingAdmission } from '../../contracts/docking-records.ts';
import type { Actor } from '../../domain/access.ts';
import type { TaskPricing } from '../../domain/pricing.ts';
import type { SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';
import { sha256 } from '../../tools/canonical.ts';
import { composeJob } from '../jobs/compose.ts';
import type { ComposeDependencies, JobDraft } from '../jobs/compose.ts';
import type { Queryable } from '../transaction.ts';

const SHARE = 100;
const LEAST = 5;
const LARGEST_SEED = 2_147_483_647;
const DEFAULT_SEED = 1;

const RECORDS = `select ordinal, ligand_id from ligand_library_records
  where library_id = $1 and same_as is null and fault is null order by ordinal`;

interface RecordRow {
  readonly ordinal: number;
  readonly ligand_id: string;
}

/** The batch whose sample is composed, with the request of its job. */
export interface SampledBatch {
  readonly batch: NewBatch;
  readonly request: SubmitJobRequest;
  readonly facts: JobDraft['facts'];
}

/** Composes the jobs of the sample; none for a batch that asks for no sample. @throws what composing a job throws. */
export async function composeSamples(
  deps: ComposeDependencies,
  actor: Actor,
  { batch, request, facts }: SampledBatch,
): Promise<readonly DockingAdmission[]> {
  const { libraryUse, seed, dockingValidation: _control, ...params } = request.simulationParams ?? {};
  if (batch.sample !== true || libraryUse === undefined) return [];
  const ordinals = await sampledOrdinals(deps.db, batch, libraryUse.shuffledBy, seed ?? DEFAULT_SEED);
  if (ordinals.length === 0) return [];
  const { shuffledBy: _order, ...library } = libraryUse;
  const sampled = { ...params, libraryUse: { ...library, only: ordinals } };
  const other = ((seed ?? DEFAULT_SEED) % LARGEST_SEED) + 1;
  const ofSeed = (kind: 'same' | 'other', given: number | null): Promise<DockingAdmission> =>
    composeFree(deps, actor, {
      batchId: batch.id,
      kind,
      seed: given,
      facts,
      request: { ...request, simulationParams: withSeed(sampled, given) },
    });
  return [await ofSeed('same', seed ?? null), await ofSeed('other', other)];
}

function withSeed(params: SimulationParams, seed: number | null): SimulationParams {
  return seed === null ? params : { ...params, seed };
}

/** Of a batch that may stop early only ligands are taken that come before every place at which the batch can stop. */
async function sampledOrdinals(
  db: Queryable,
  { libraryId, stopWhen }: NewBatch,
  shuffledBy: number | undefined,
  seed: number,
): Promise<readonly number[]> {
  const records = await db.query<RecordRow[]>(RECORDS, [libraryId]);
  const pool =
    stopWhen === undefined || shuffledBy === undefined
      ? records
      : ordered(records, String(shuffledBy)).slice(0, stopWhen.topN + stopWhen.unchangedFor);
  const count = Math.max(LEAST, Math.ceil(records.length / SHARE));
  return ordered(pool, `sample/${String(seed)}`)
    .slice(0, count)
    .map(({ ordinal }) => ordinal)
    .sort((one, other) => one - other);
}

function ordered(records: readonly RecordRow[], by: string): readonly RecordRow[] {
  const keyed = records.map((record) => ({ record, key: sha256(`${by}/${record.ligand_id}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ record }) => record);
}

interface SampleJob {
  readonly batchId: string;
  readonly kind: 'same' | 'other';
  readonly seed: number | null;
  readonly facts: JobDraft['facts'];
  readonly request: SubmitJobRequest;
}

/** Composes a job as a customer's would be, and then takes its price away. */
async function composeFree(
  deps: ComposeDependencies,
  actor: Actor,
  { batchId, kind, seed, facts, request }: SampleJob,
): Promise<DockingAdmission> {
  const jobId = uuidv5(`sample/${kind}`, batchId);
  const composed = await composeJob(deps, actor, {
    jobId,
    body: request,
    fingerprint: jobId,
    idempotencyKey: null,
    quoted: null,
    // Nothing is held, so the credits of the account do not matter.
    facts: { ...facts, availablePence: Number.MAX_SAFE_INTEGER, owedPence: 0 },
  });
  const pricing = freeOf(composed.quote.pricing);
  const quote = await deps.quotes.offer(() => pricing, composed.plan.taskCount);
  const { coversDispatch: _covered, ...admission } = composed;
  return { ...admission, quote, internal: true, sample: { batchId, kind, seed } };
}

function freeOf(pricing: TaskPricing): TaskPricing {
  const fees = { startFeeMicro: 0, softwareMicro: 0, storageMicro: 0, egressMicro: 0 };
  return pricing.model === 'measured'
    ? { ...pricing, ...fees, microPerHour: 0, softwareMicroPerHour: 0 }
    : {
        ...pricing,
        ...fees,
        classes: pricing.classes.map(({ less: _, ...one }) => ({ ...one, perTaskMicro: 0 })),
      };
}

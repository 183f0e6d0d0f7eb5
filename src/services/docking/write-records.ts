/**
 * Writes the records of a run in the transaction that admits its job, so that there is no run without a job and no job of a run
 * without its run. A refused admission writes nothing. The runs of an experiment are numbered under the lock of the experiment.
 */
import type {
  DockingAdmission,
  DockingRecords,
  NewBatch,
  SampleOf,
} from '../../contracts/docking-records.ts';
import type { AdmissionRecords } from '../jobs/admission.ts';
import type { Queryable, Tx } from '../transaction.ts';

const LOCK_EXPERIMENT =
  'select 1 from docking_experiments where id = $1 and account_id = $2 for no key update';

const INSERT_BATCH = `
  insert into docking_batches (id, account_id, user_id, name, engine, receptor_artifact_id, receptor_identity, parameters, library_id,
    library_sha256, ligand_count, shard_size, reuse, dry_run, stop_when, sample, ligand_preparation, sample_admissions)
  values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11, $12, $13, $14, $15::jsonb, $16, $17::jsonb, $18::jsonb)`;

const INSERT_RUN = `
  insert into docking_runs (id, account_id, user_id, experiment_id, batch_id, number, job_id, request_id, seed_requested, ligands,
    retried_codes, reuse)
  select $1, $2, $3, $4::uuid, $5::uuid,
    coalesce($6::int, (select coalesce(max(number), 0) + 1 from docking_runs where experiment_id = $4::uuid)),
    $7, $8, $9, $10::int[], $11::text[], $12`;

/** Why a sample whose time has passed is not docked again. */
const SAMPLE_TOO_LATE = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'Docking the sample again could not be begun in time.',
} as const;

/** The records of docking: the run of an admitted job with its batch where the batch is new, and what became of a sample. */
export const DOCKING_ADMISSION: AdmissionRecords = {
  async admitted(tx, admission: DockingAdmission) {
    const { jobId, docking, sample } = admission;
    if (docking !== undefined) await writeDockingRecords(tx, admission, docking);
    if (sample !== undefined) await writeSample(tx, jobId, sample);
  },
  async notAdmitted(db, { sample }: DockingAdmission, decision) {
    if (sample === undefined) return;
    await writeRefusedSample(db, sample, decision.kind === 'refused' ? decision : SAMPLE_TOO_LATE);
  },
};

async function writeDockingRecords(
  tx: Tx,
  admission: DockingAdmission,
  records: DockingRecords,
): Promise<void> {
  const { of } = records;
  if (of.kind === 'newBatch') await tx.query(INSERT_BATCH, batchRow(admission, of.batch));
  if (of.kind === 'experiment') await tx.query(LOCK_EXPERIMENT, [of.experimentId, admission.accountId]);
  await tx.query(INSERT_RUN, [
    records.runId,
    admission.accountId,
    admission.userId,
    of.kind === 'experiment' ? of.experimentId : null,
    of.kind === 'newBatch' ? of.batch.id : of.kind === 'retry' ? of.batchId : null,
    of.kind === 'experiment' ? null : of.kind === 'retry' ? of.number : 1,
    admission.jobId,
    records.requestId,
    records.seedRequested,
    of.kind === 'retry' ? of.ligands : null,
    of.kind === 'retry' ? of.codes : null,
    of.kind === 'experiment' ? (of.reuse ?? 'verified') : null,
  ]);
}

const INSERT_SAMPLE = `
  insert into docking_samples (batch_id, kind, job_id, seed) values ($1, $2, $3, $4)
  on conflict (batch_id, kind) do update set job_id = excluded.job_id, failure_code = null, failure_message = null`;

const INSERT_REFUSED_SAMPLE = `
  insert into docking_samples (batch_id, kind, seed, failure_code, failure_message) values ($1, $2, $3, $4, $5)
  on conflict (batch_id, kind) do nothing`;

async function writeSample(tx: Tx, jobId: string, { batchId, kind, seed }: SampleOf): Promise<void> {
  await tx.query(INSERT_SAMPLE, [batchId, kind, jobId, seed]);
}

/** Nobody waits for the admission of a sample, so the batch is where its refusal is told. */
async function writeRefusedSample(
  db: Pick<Queryable, 'query'>,
  { batchId, kind, seed }: SampleOf,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  await db.query(INSERT_REFUSED_SAMPLE, [batchId, kind, seed, code, message]);
}

function batchRow(admission: DockingAdmission, batch: NewBatch): unknown[] {
  return [
    batch.id,
    admission.accountId,
    admission.userId,
    batch.name,
    batch.engine,
    batch.receptorArtifactId,
    batch.receptorIdentity === null ? null : JSON.stringify(batch.receptorIdentity),
    JSON.stringify(batch.parameters),
    batch.libraryId,
    batch.librarySha256,
    batch.ligandCount,
    batch.shardSize,
    batch.reuse,
    batch.dryRun,
    batch.stopWhen === undefined ? null : JSON.stringify(batch.stopWhen),
    batch.sample === true,
    batch.ligandPreparation === undefined ? null : JSON.stringify(batch.ligandPreparation),
    admission.samples === undefined ? null : JSON.stringify(admission.samples),
  ];
}

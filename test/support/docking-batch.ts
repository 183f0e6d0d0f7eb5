/** Docked batches in the database, written as commits and requests write them, for tests of what is read from them. */
import { createHash } from 'node:crypto';

import { v7 as uuidv7 } from 'uuid';

import type { Database } from '../../src/adapters/database.ts';
import { jobPrefix } from '../../src/contracts/names.ts';
import type { PoseInteraction } from '../../src/domain/docking-interactions.ts';
import type { DockedPose, DockingRecord } from '../../src/domain/docking-results.ts';
import { recordResults } from '../../src/services/docking/records/results.ts';
import { supersedeOlder } from '../../src/services/docking/records/supersede.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { artifact, docking, ligand, LIMITS, without } from '../tools/autodock-vina/requests.ts';
import type { Owner } from './admissions.ts';

import { runningJob } from './running-job.ts';
import type { JobHome, RunningJob } from './running-job.ts';
import { TEST_TOOLS } from './test-tools.ts';

/** A batch with its first run. */
export interface DockedBatch extends RunningJob {
  readonly batchId: string;
  readonly runId: string;
  readonly libraryId: string;
  readonly userId: string;
}

const vina = createToolRegistry({ testTools: TEST_TOOLS }).find('autodock-vina');

const PARAMETERS = { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: { seed: 42 } };

/** A hydrogen bond to a glutamine, or a contact with a leucine. */
export function bondTo(residue: number, more: Partial<PoseInteraction> = {}): PoseInteraction {
  return {
    ...{ type: 'hydrogen_bond', ligandRole: 'acceptor', ligandAtoms: [3], distanceAngstrom: 2.9 },
    angleDegrees: 160.5,
    receptor: { chain: 'A', residue, insertionCode: '', residueName: 'GLN', atom: 'NE2' },
    ...more,
  };
}

/** A record with one pose for each affinity; `touches` are the residues that each pose binds to. */
export function dockedRecord(
  affinities: readonly number[],
  touches: readonly (readonly number[])[] = [],
  more: Partial<DockingRecord> = {},
): DockingRecord {
  return {
    ...{ kind: 'docking', resultSha256: 'a'.repeat(64), bestAffinityKcalMol: affinities[0] ?? 0 },
    ...{ ligandEfficiency: 0.25, sizeIndependentEfficiency: 2.5, poseCount: affinities.length },
    ...{ bestPoseFailedChecks: 0, plausiblePoseCount: affinities.length, heavyAtoms: 9, formalCharge: 0 },
    ...{ smilesInput: 'C', smilesDocked: 'C', warnings: [], toolchainSha256: null, cpuClass: null },
    ...{
      engineVersion: null,
      descriptors: null,
      secondAffinityKcalMol: null,
      secondRank: null,
      states: null,
    },
    poses: affinities.map((affinityKcalMol, index): DockedPose => ({
      ...{ mode: index + 1, affinityKcalMol, rmsdLowerAngstrom: 0, rmsdUpperAngstrom: 0, failedChecks: 0 },
      secondAffinityKcalMol: null,
      interactions: (touches[index] ?? []).map((residue) => bondTo(residue)),
    })),
    ...more,
  };
}

/** Records ligands `l{ordinal}` of a job as docked, as the commit does. */
export async function dock(
  db: Database,
  jobId: string,
  records: Readonly<Record<number, DockingRecord>>,
): Promise<void> {
  const list = Object.entries(records).map(([ordinal, record]) => ({
    ...{ ordinal: Number(ordinal), ligandId: `l${ordinal}`, record },
  }));
  await inTransaction(db, async (tx) => {
    await tx.query(
      `update tasks set state = 'SUCCEEDED', finished_at = now() where job_id = $1 and kind = 'task' and ordinal = any($2)`,
      [jobId, list.map(({ ordinal }) => ordinal)],
    );
    await recordResults(tx, { jobId, execution: 1 }, list);
  });
}

/**
 * A batch of ligands `l0` and on, of which none is docked; `same` are further records that equal earlier ones, by their place. The batch
 * is that of a new account where no owner is named.
 */
export async function dockedBatch(
  home: JobHome,
  count: number,
  same: readonly number[] = [],
  owner: Partial<Owner> = {},
): Promise<DockedBatch> {
  const ligandLibrary = Array.from({ length: count }, (_, n) => ligand(`l${n}`));
  const request = without(
    docking({ receptorArtifact: artifact('pdb'), ligandLibrary }),
    'receptorPdbId',
    'ligandIdentity',
  );
  const plan = vina.planning.plan(request, LIMITS);
  const job = await runningJob(home, ['prepare', 'control'], {
    ...{ simulator: 'autodock-vina', request, plan },
    ...owner,
  });
  const [row] = await home.db.query<{ user_id: string }[]>('select user_id from jobs where id = $1', [
    job.jobId,
  ]);
  const userId = row?.user_id ?? '';
  const [batchId, runId, libraryId] = [uuidv7(), uuidv7(), uuidv7()];
  await home.db.query(
    `insert into ligand_libraries (id, account_id, format, sha256, reader, record_count, task_count, unreadable_count)
     values ($1::uuid, $2, 'list', $1::uuid::text, 1, $3, $4, 0)`,
    [libraryId, job.accountId, count + same.length, count],
  );
  await home.db.query(
    `insert into ligand_library_records (library_id, ordinal, ligand_id, label, line, structure_sha256, same_as, properties)
     select $1::uuid, n, 'l' || n, 'Label ' || n, n + 1, 'x', null, jsonb_build_object('vendor', 'v' || n) from generate_series(0, $2::int - 1) n
     union all select $1::uuid, $2::int + i - 1, 'l' || s || '-again', 'Again ' || s, $2::int + i, 'x', s, '{}'
     from unnest($3::int[]) with ordinality as same (s, i)`,
    [libraryId, count, same],
  );
  await home.db.query(
    `insert into docking_batches (id, account_id, user_id, name, engine, receptor_identity, parameters, library_id, library_sha256, ligand_count, shard_size)
     values ($1, $2, $3, 'a batch', 'autodock-vina', '{}', $6::jsonb, $4, repeat('c', 64), $5, 1)`,
    [batchId, job.accountId, userId, libraryId, count + same.length, JSON.stringify(PARAMETERS)],
  );
  await addRun(home, { ...job, userId, batchId }, runId, 1);
  return { ...job, userId, batchId, runId, libraryId };
}

/** Makes a job a run of a batch, as its planning does. */
export async function addRun(
  { db }: JobHome,
  of: RunningJob & { readonly userId: string; readonly batchId: string },
  runId: string,
  number: number,
): Promise<void> {
  await db.query(
    `insert into docking_runs (id, account_id, user_id, batch_id, number, job_id, request_id) values ($1, $2, $3, $4, $5, $6, 'r')`,
    [runId, of.accountId, of.userId, of.batchId, number, of.jobId],
  );
  const tasks = await db.query<{ item_id: string }[]>(
    `select item_id from tasks where job_id = $1 and kind = 'task'`,
    [of.jobId],
  );
  const ids = tasks.map(({ item_id: id }) => id);
  await inTransaction(db, (tx) => supersedeOlder(tx, of.jobId, ids));
}

/** Stores the poses of a ligand as its commit does. @returns the key of the file. */
export async function storePosesOf(
  { db, store }: Pick<JobHome, 'db' | 'store'>,
  of: RunningJob,
  ordinal: number,
  bytes: Buffer,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `${jobPrefix(of.accountId, of.jobId)}${ordinal}/${sha256}-poses.sdf`;
  await store.put(key, bytes, 'chemical/x-mdl-sdfile');
  await db.query(
    `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
     values ($1, $2, $3, 'task', $4, $5, $6, 'poses', 'chemical/x-mdl-sdfile', 'sdf', $7, $8)`,
    [
      ...[uuidv7(), of.accountId, of.jobId, ordinal, key, `ligands/l${ordinal}/poses.sdf`],
      ...[bytes.byteLength, sha256],
    ],
  );
  return key;
}

/**
 * The records of docking: of each verified ligand its result with poses and contacts, or in a dry run its preparation. They are written
 * in the transactions of execution, which knows no ligand.
 */
import type { DockingRecord, PreparationRecord } from '../../../domain/docking-results.ts';
import { endingOf } from '../../../domain/state-prices.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import type { Tool, ToolRecord } from '../../../tools/tool.ts';
import { NO_RECORDS } from '../../execution/recorder.ts';
import type { CommittedTask, RecordedExecution, Recorder, Recorders } from '../../execution/recorder.ts';
import { countChanges } from '../rank-counts-sql.ts';
import type { Queryable, Tx } from '../../transaction.ts';
import { recordAdopted } from './adopted.ts';
import { finishedDocking } from './finished.ts';
import { recordPreparations } from './preparations.ts';
import { recordResults } from './results.ts';
import { stopByRule } from './stop-batch.ts';
import { supersedeOlder } from './supersede.ts';

/** The recorders of all tools: the one of docking for tools that serve runs and batches. */
export function dockingRecorders(tools: ToolRegistry): Recorders {
  return (toolId) => {
    const tool = tools.find(toolId);
    return tool.screening === undefined ? NO_RECORDS : dockingRecorder(tool);
  };
}

function dockingRecorder(tool: Tool): Recorder {
  return {
    planned: supersedeOlder,
    isDryRun: (db, jobId) => isSome(db, IS_DRY_RUN, jobId),
    classEnding: (record) => (isDocked(record) ? endingOf(record.states?.each.length ?? null) : null),
    committed: (tx, of, tasks) => recordCommitted(tx, of, tasks, tool.work.toolchainSha256()),
    takesReused: (db, jobId) => isSome(db, TAKES_REUSED, jobId),
    adopted: recordAdopted,
    decided: stopByRule,
    lost: forget,
    finished: finishedDocking,
  };
}

const IS_DRY_RUN = `
  select 1 from docking_runs r join docking_batches b on b.id = r.batch_id where r.job_id = $1 and b.dry_run`;

/** Runs and batches reuse results unless they say otherwise; the price of any other job is for docking all of its ligands. */
const TAKES_REUSED = `
  select 1 from docking_runs r left join docking_batches b on b.id = r.batch_id
  where r.job_id = $1 and coalesce(b.reuse, r.reuse, 'verified') = 'verified'`;

async function isSome(db: Queryable, sql: string, jobId: string): Promise<boolean> {
  return (await db.query<unknown[]>(sql, [jobId])).length > 0;
}

/** A result that tells other code or another class of processors than the key of its task has stands for no later task. */
const NO_SOURCE = `
  update tasks t set reuse_key = null from docking_results r
  where t.job_id = $1 and t.kind = 'task' and t.ordinal = any($2::int[]) and t.reuse_key is not null
    and r.job_id = t.job_id and r.ordinal = t.ordinal and (r.toolchain_sha256 is distinct from $3 or r.cpu_class is distinct from (
      select p.summary ->> 'cpuClass' from tasks p where p.job_id = t.job_id and p.kind = 'prepare'))`;

async function recordCommitted(
  tx: Tx,
  of: RecordedExecution,
  tasks: readonly CommittedTask[],
  toolchainSha256: string,
): Promise<void> {
  const docked = tasks.flatMap(({ ordinal, itemId, record }) =>
    isDocked(record) ? [{ ordinal, ligandId: itemId, record }] : [],
  );
  const prepared = tasks.flatMap(({ ordinal, record }) => (isPrepared(record) ? [{ ordinal, record }] : []));
  await recordResults(tx, of, docked);
  await recordPreparations(tx, of.jobId, prepared);
  if (docked.length > 0)
    await tx.query(NO_SOURCE, [of.jobId, docked.map(({ ordinal }) => ordinal), toolchainSha256]);
}

const FORGET = `
  with unrecorded as (delete from docking_results where job_id = $1 and ordinal = any($2::int[])
         returning best_affinity_kcal_mol as score),
       ${countChanges('select score, -1 from unrecorded')}
  select 1 where false`;

async function forget(tx: Tx, jobId: string, ordinals: readonly number[]): Promise<void> {
  await tx.query(FORGET, [jobId, ordinals]);
}

function isDocked(record: ToolRecord): record is DockingRecord {
  return record.kind === 'docking';
}

function isPrepared(record: ToolRecord): record is PreparationRecord {
  return record.kind === 'preparation';
}

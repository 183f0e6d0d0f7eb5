/**
 * A tool that throws when the gateway asks it is a fault of the service. A repetition would throw again, so the tasks that
 * the tool was asked about fail with a code. An error of the database or the store is no tool fault, and the instance repeats
 * its call. The two kinds are told apart by wrapping every call of the tool.
 */
import type { DataSource } from 'typeorm';

import type { Task } from '../../../../entities/tasks.ts';
import type { InstanceClaims } from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import type { ToolAbout, ToolInputs, ToolRequest, ToolWork } from '../../../tools/tool.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import { cancelBehindStop } from '../stop.ts';
import { fenced, fenceOf, UNFENCED } from '../fence.ts';

/** Part of a tool by which its tasks are handed out. */
export interface ComputeTool {
  readonly about: Pick<ToolAbout, 'id'>;
  readonly request: Pick<ToolRequest, 'variant'>;
  readonly inputs: Omit<ToolInputs, 'structures' | 'preparedAs'>;
  readonly work: Pick<ToolWork, 'limits' | 'sessionSpec' | 'taskSpec' | 'checkpoint'>;
}

/** Error that a tool threw when the gateway asked it. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** Report about a tool that threw. `given`: the tasks that failed by it, steps not counted. */
export interface ToolFaultReport {
  readonly jobId: string;
  readonly toolId: string;
  readonly error: unknown;
  readonly given: number;
}

/** The tasks that fail by a tool's fault: those of a claim, or null for all of the job that are undecided. */
export type FaultScope = { readonly kind: WorkKind; readonly ordinals: readonly number[] } | null;

const MESSAGE = 'The service could not work out what this task needs; it was not charged.';

/** The tool, with all that it throws told as a ToolFault. */
export function guarded({ about, request, inputs, work }: ComputeTool): ComputeTool {
  const ask = <T>(question: string, answer: () => T): T => {
    try {
      return answer();
    } catch (error) {
      throw new ToolFault(`${about.id} threw in ${question}`, { cause: error });
    }
  };
  return {
    about,
    request,
    inputs: {
      stored: (...asked) => ask('stored', () => inputs.stored(...asked)),
      taskInputs: (...asked) => ask('taskInputs', () => inputs.taskInputs(...asked)),
      preparation: (...asked) => ask('preparation', () => inputs.preparation(...asked)),
      cachedOutputs: (...asked) => ask('cachedOutputs', () => inputs.cachedOutputs(...asked)),
    },
    work: {
      checkpoint: work.checkpoint,
      limits: (...asked) => ask('limits', () => work.limits(...asked)),
      sessionSpec: (...asked) => ask('sessionSpec', () => work.sessionSpec(...asked)),
      taskSpec: (...asked) => ask('taskSpec', () => work.taskSpec(...asked)),
    },
  };
}

/**
 * Fails tasks that a tool threw on, for good. A task that is decided already stays as it is, so a repeat changes nothing.
 * @returns how many tasks failed by it, steps not counted. @throws AppError FENCED.
 */
export async function failByToolFault(
  db: DataSource,
  claims: InstanceClaims,
  scope: FaultScope,
): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    // The job's row is locked first, as in commits and in the settlement: in another order they would deadlock.
    await tx.query('select 1 from jobs where id = $1 for no key update', [claims.jobId]);
    const current = await tx.query<unknown[]>(`select 1 ${UNFENCED} for share of i`, [...fenceOf(claims)]);
    if (current.length === 0) throw fenced();
    const failed = await tx.query<Row<Task, 'kind'>[]>(
      `with failed as (update tasks set state = 'FAILED', failure_code = 'INTERNAL_ERROR', failure_message = $6,
           finished_at = now()
         where job_id = $1 and ($4::text is null and state in ('PENDING', 'RUNNING')
           or kind = $4 and ordinal = any($5::int[]) and state = 'RUNNING' and slot = $2 and generation = $3)
         returning kind)
       select kind from failed`,
      [...fenceOf(claims), scope?.kind ?? null, scope?.ordinals ?? [], MESSAGE],
    );
    const tasks = failed.filter(({ kind }) => kind === 'task').length;
    await tx.query(
      'update jobs set tasks_failed = tasks_failed + $2, version = version + 1, updated_at = now() where id = $1',
      [claims.jobId, tasks],
    );
    await cancelBehindStop(tx, claims.jobId);
    return tasks;
  });
  void announceJob(db, claims.jobId);
  return count;
}

/**
 * Presigned GETs of the inputs that a claim had no room for, to the instance on which the task runs. Nothing is signed that
 * the tool did not name for this very task.
 */
import type { Job } from '../../../../entities/jobs.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { InputUrlsRequest, InputUrlsResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Row } from '../../row.ts';
import { rowsOf } from '../../transaction.ts';
import { fenced, fenceOf } from '../fence.ts';
import type { ClaimDependencies } from './claim.ts';
import type { JobFacts } from './job-facts.ts';
import { failByToolFault, ToolFault } from './tool-fault.ts';
import { RUNNING_HERE } from './upload-urls.ts';

interface RunningRow extends Row<Job, 'execution' | 'toolId'> {
  readonly ordinals: readonly Task['ordinal'][];
}

/**
 * Signs a GET for each name, in the order of the request. A task on whose inputs the tool throws fails for good.
 * @throws AppError FENCED; NOT_FOUND when the task does not run under this generation, or has no such input.
 */
export async function signInputs(
  deps: ClaimDependencies,
  claims: InstanceClaims,
  request: InputUrlsRequest,
): Promise<InputUrlsResponse> {
  const { kind, ordinal } = request;
  const [row] = await rowsOf<RunningRow>(deps.db, RUNNING_HERE, [...fenceOf(claims), kind, [ordinal]]);
  if (row === undefined) throw fenced();
  if (row.ordinals.length === 0)
    throw new AppError('NOT_FOUND', `No ${kind} ${ordinal} runs on this instance.`);
  try {
    return { inputs: await inputsOf(await deps.factsOf(claims.jobId, row.execution), request) };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    // A repetition would find the same, and the instance repeats every call that is not refused.
    const given = await failByToolFault(deps.db, claims, { kind, ordinals: [ordinal] });
    deps.onToolFault?.({ jobId: claims.jobId, toolId: row.tool_id, error, given });
    throw new AppError('NOT_FOUND', `The inputs of ${kind} ${ordinal} cannot be worked out.`);
  }
}

async function inputsOf(
  facts: JobFacts,
  { kind, ordinal, names }: InputUrlsRequest,
): Promise<InputUrlsResponse['inputs']> {
  const inputs = await facts.taskInputs(kind, ordinal, await facts.context(kind));
  const known = new Set(inputs.map(({ from }) => from));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new AppError('NOT_FOUND', `The ${kind} ${ordinal} has no input ${unknown}.`);
  return facts.inputs(kind, names);
}

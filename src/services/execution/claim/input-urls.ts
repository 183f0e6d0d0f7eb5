/**
 * Presigned GETs of the inputs that a claim had no room for, to the instance on which the task runs. Nothing is signed that
 * the tool did not name for this very task.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { InputUrlsRequest, InputUrlsResponse, InstanceClaims } from '../../../contracts/instance.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Row } from '../../row.ts';
import { fenced, fenceOf, rowsOf } from '../fence.ts';
import type { FactsOf } from './job-facts.ts';
import { RUNNING_HERE } from './upload-urls.ts';

/**
 * Signs a GET for each name, in the order of the request.
 * @throws AppError FENCED; NOT_FOUND when the task does not run under this generation, or has no such input.
 */
export async function signInputs(
  { database, factsOf }: { readonly database: DataSource; readonly factsOf: FactsOf },
  claims: InstanceClaims,
  { kind, ordinal, names }: InputUrlsRequest,
): Promise<InputUrlsResponse> {
  const [row] = await rowsOf<Row<Job, 'execution'> & { readonly ordinals: readonly Task['ordinal'][] }>(
    database,
    RUNNING_HERE,
    [...fenceOf(claims), kind, [ordinal]],
  );
  if (row === undefined) throw fenced();
  if (row.ordinals.length === 0)
    throw new AppError('NOT_FOUND', `No ${kind} ${ordinal} runs on this instance.`);
  const facts = await factsOf(claims.jobId, row.execution);
  const inputs = await facts.taskInputs(kind, ordinal, await facts.context(kind));
  const known = new Set(inputs.map(({ from }) => from));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new AppError('NOT_FOUND', `The ${kind} ${ordinal} has no input ${unknown}.`);
  return { inputs: await facts.inputs(kind, names) };
}

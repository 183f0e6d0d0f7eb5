/** A request in a file or on standard input. The command checks that the request is JSON; the service judges the rest. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { EstimateJobRequest, SubmitJobRequest } from '../../client/types.ts';
import { isRecord } from '../../domain/is-record.ts';
import { repeatedMemberOf } from '../../domain/json-bounds.ts';
import type { CommandContext } from '../command.ts';
import { CommandProblem, EXIT, messageOf } from '../problems.ts';
import { requestFields } from './openapi.ts';

/** Reads a job to submit. @throws CommandProblem when it is no JSON object. */
export async function readSubmitRequest(context: CommandContext, file: string): Promise<SubmitJobRequest> {
  const request = await readObject(context, file);
  if (isSubmitRequest(request)) return request;
  throw refused(`${nameOf(file)} is no job: its jobType is no text.`);
}

/** The part of a job that an estimate takes: no names and no inputs, whose size `metadata.totalSizeGB` may tell. */
export function estimateRequestOf(job: SubmitJobRequest): EstimateJobRequest {
  const known = requestFields('EstimateJobRequest');
  const metadata = requestFields('EstimateJobRequest', 'metadata');
  const { jobType, ...rest } = job;
  if (jobType === 'pipeline') throw refused('A job of type pipeline has no price.');
  const fields = Object.entries(rest)
    .filter(([name]) => known.has(name))
    .map(([name, value]) => [name, name === 'metadata' ? only(value, metadata) : value] as const);
  return { ...(jobType === undefined ? {} : { jobType }), ...Object.fromEntries(fields) };
}

function only(value: unknown, known: ReadonlySet<string>): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
}

/** Reads a JSON object from a file, or from standard input. @throws CommandProblem when it is none. */
export async function readObject(
  { folder, terminal }: CommandContext,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await (file === '-' ? terminal.readInput() : readFile(resolve(folder, file), 'utf8')).catch(
    (error: unknown) => {
      throw refused(`${file} cannot be read (${messageOf(error)}).`, error);
    },
  );
  let value: unknown;
  try {
    value = JSON.parse(text, finite);
  } catch (error) {
    throw refused(`${nameOf(file)} is not JSON: ${messageOf(error)}`, error);
  }
  // A parser keeps the last of two members, and the service would never know of the other.
  const repeated = repeatedMemberOf(new TextEncoder().encode(text));
  if (repeated !== null)
    throw refused(`${nameOf(file)} has ${repeated} twice; name each member of an object once.`);
  if (isRecord(value)) return value;
  throw refused(`${nameOf(file)} holds no JSON object.`);
}

/** Refuses a number that would be sent as null. */
function finite(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new RangeError(`${name} is beyond the range of numbers`);
}

/** The service checks the rest, and names every failing path. */
function isSubmitRequest(value: object): value is SubmitJobRequest {
  return !('jobType' in value) || typeof value.jobType === 'string';
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file;
}

function refused(message: string, cause?: unknown): CommandProblem {
  return new CommandProblem(EXIT.refused, 'USAGE_REQUEST', message, cause);
}

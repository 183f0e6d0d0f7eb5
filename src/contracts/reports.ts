/**
 * The rules of a task's report. The worker checks a report before it is sent, so that a tool which breaks a rule fails
 * with a code; the control side checks every report again before a commit, because the control side believes no worker.
 */
import { isOutputName } from './instance.ts';
import type { TaskReport } from './instance.ts';
import { isRecord } from '../domain/is-record.ts';
import { isWithinDepth } from '../domain/json-bounds.ts';

/** The most outputs that one task may have. */
export const TASK_OUTPUTS = 200;

/** The most files that one checkpoint may have: what a task may put out, and what its tool needs besides to go on. */
export const CHECKPOINT_FILES = TASK_OUTPUTS + 16;

/** The largest summary of a task, as JSON. */
export const SUMMARY_BYTES = 8 * 1024;

/** The most levels of a summary: fewer than any reader of JSON accepts, also that of a customer. */
export const SUMMARY_DEPTH = 64;

/** The longest message of a failed task, in UTF-16 units. */
export const FAILURE_MESSAGE_CHARACTERS = 1000;

/** The form of a code with which a task fails. */
export const FAILURE_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

const GREATEST_ORDINAL = 2_147_483_647;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,127}\/[a-z0-9.+-]{1,127}$/i;
const KIND = /^[a-z_]{1,32}$/;
const FORMAT = /^[a-z0-9]{1,16}$/;
const SHA256 = /^[0-9a-f]{64}$/;

type Fields = Readonly<Record<string, unknown>>;

/** Finds the fault of a report, as a sentence; null for none. The types of its fields are checked as well. */
export function reportFault(report: TaskReport): string | null {
  const fields: unknown = report;
  if (!isRecord(fields)) return 'The report is no object.';
  if (!isOrdinal(fields['ordinal'])) return 'The ordinal is no whole number.';
  switch (fields['end']) {
    case 'stopped':
    case 'interrupted':
      return null;
    case 'failed':
      return secondsFault(fields) ?? failureFault(fields);
    case 'done':
      return secondsFault(fields) ?? outputsFault(fields['outputs']) ?? summaryFault(fields['summary']);
    default:
      return 'The end is none of done, failed, stopped and interrupted.';
  }
}

/** Whether a value may be the ordinal of a task. */
export function isOrdinal(value: unknown): value is number {
  return isWholeNumber(value, GREATEST_ORDINAL);
}

/** Whether PostgreSQL can store a text, which may hold no NUL and no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function secondsFault({ seconds }: Fields): string | null {
  const isDuration = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0;
  return isDuration ? null : 'The seconds are no duration.';
}

function failureFault({ code, message, lost }: Fields): string | null {
  if (lost !== undefined && lost !== true) return 'Whether it was lost is not said as it must be.';
  if (typeof code !== 'string' || !FAILURE_CODE.test(code)) return 'The code is not of the form of a code.';
  if (typeof message !== 'string' || !isStorableText(message)) return 'The message is no text.';
  return message.length <= FAILURE_MESSAGE_CHARACTERS
    ? null
    : `The message is longer than ${FAILURE_MESSAGE_CHARACTERS} characters.`;
}

function outputsFault(outputs: unknown): string | null {
  if (!Array.isArray(outputs)) return 'The outputs are no list.';
  if (outputs.length > TASK_OUTPUTS) return `There are more than ${TASK_OUTPUTS} outputs.`;
  const names = new Set<unknown>();
  for (const output of outputs) {
    const fault = outputFault(output);
    if (fault !== null) return fault;
    names.add(Reflect.get(output, 'name'));
  }
  return names.size === outputs.length ? null : 'Two outputs have one name.';
}

function outputFault(output: unknown): string | null {
  if (!isRecord(output)) return 'An output is no object.';
  const { name, kind, mediaType, format, byteSize, sha256 } = output;
  if (typeof name !== 'string' || !isOutputName(name))
    return 'An output has a name that no output may have, or one that is too long.';
  if (!matches(kind, KIND)) return `The kind of the output ${name} is not of the form of a kind.`;
  if (!matches(mediaType, MEDIA_TYPE)) return `The media type of the output ${name} is no media type.`;
  if (format !== null && !matches(format, FORMAT))
    return `The format of the output ${name} is not of the form of a format.`;
  if (!isWholeNumber(byteSize, Number.MAX_SAFE_INTEGER)) return `The size of the output ${name} is no size.`;
  return matches(sha256, SHA256) ? null : `The digest of the output ${name} is no SHA-256.`;
}

function summaryFault(summary: unknown): string | null {
  if (summary === null) return null;
  if (!isRecord(summary)) return 'The summary is no object.';
  // The depth is checked first, because the checks below recurse into the summary.
  if (!isWithinDepth(summary, SUMMARY_DEPTH))
    return `The summary is nested deeper than ${SUMMARY_DEPTH} levels.`;
  const json = jsonOf(summary);
  if (json === null) return 'The summary is no JSON.';
  if (new TextEncoder().encode(json).byteLength > SUMMARY_BYTES)
    return `The summary is larger than ${SUMMARY_BYTES} bytes.`;
  return isStorable(summary) ? null : 'The summary has a character that cannot be stored.';
}

function jsonOf(value: Fields): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    // A value that cannot be written as JSON is no data.
    return null;
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (!isRecord(value)) return true;
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorable(inner));
}

function isWholeNumber(value: unknown, greatest: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= greatest;
}

function matches(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

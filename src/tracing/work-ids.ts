/** Ids and numbers of the work that a message is about, named alike in log lines wherever work is handed over. */
import { WORK_KINDS } from '../contracts/job.ts';
import { isRecord } from '../domain/is-record.ts';
import type { LogFields } from './log-context.ts';

const NUMBERS = ['execution', 'slot', 'generation', 'ordinal'] as const;
const IDS = ['jobId', 'accountId', 'uploadId', 'exportId', 'topupId', 'batchId', 'runId'] as const;
/** The lists whose items are tasks, or name tasks. */
const LISTS = ['ordinals', 'reports', 'files', 'running'] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A line names so many tasks; the count says how many there are. */
const MOST_NAMED = 10;

/** The ids in a message that another process has sent; what does not have the form of an id is left out. */
export function workIdsOf(message: unknown): LogFields {
  if (!isRecord(message)) return {};
  const kind = WORK_KINDS.find((known) => known === message['kind']);
  return {
    ...picked(message, IDS, (value) => typeof value === 'string' && UUID.test(value)),
    ...picked(message, NUMBERS, Number.isSafeInteger),
    ...(kind === undefined ? {} : { kind }),
    ...tasksOf(message),
  };
}

function picked(
  message: Readonly<Record<string, unknown>>,
  names: readonly string[],
  isGood: (value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  const good = names.filter((name) => isGood(message[name]));
  return Object.fromEntries(good.map((name) => [name, message[name]]));
}

/** One task is named by its ordinal, several by the first ordinals and their count. */
function tasksOf(message: Readonly<Record<string, unknown>>): LogFields {
  const list = LISTS.map((name) => message[name]).find((value): value is unknown[] => Array.isArray(value));
  if (list === undefined) return {};
  const ordinals = new Set(list.map((item) => (isRecord(item) ? item['ordinal'] : item)).filter(isOrdinal));
  const [first] = ordinals;
  if (first === undefined) return {};
  if (ordinals.size === 1) return { ordinal: first };
  return { ordinals: [...ordinals].slice(0, MOST_NAMED), taskCount: ordinals.size };
}

function isOrdinal(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

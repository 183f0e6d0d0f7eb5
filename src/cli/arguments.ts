/** Readers of arguments and options; a reader refuses a wrong value with a usage error that says what would be right. */
import { InvalidArgumentError } from 'commander';
import { validate as isUuid } from 'uuid';

import { JOB_STATES } from '../domain/job-state.ts';
import type { JobState } from '../domain/job-state.ts';
import { OptionRefusal } from '../tools/command.ts';

/** The largest amount of one command, a million pounds: a larger one is a typing error. */
const MOST_PENCE = 100_000_000;

/** A reader of whole numbers in a range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** A reader of amounts of pence. */
export function pence(least: number): (text: string) => number {
  return wholeNumber(least, MOST_PENCE);
}

/** Reads an id. */
export function id(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is an id such as 01890a5d-ac96-774b-bcce-b302099a8057.');
}

/** Reads a month. */
export function month(text: string): string {
  if (/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It is a month such as 2026-11.');
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A reader of spans such as 90s, 30m, 2h or 7d, in seconds. */
export function span(mostDays: number): (text: string) => number {
  return (text) => {
    const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
    const seconds = Number(count) * (SECONDS[unit] ?? 0);
    if (seconds > 0 && seconds <= mostDays * 86_400) return seconds;
    throw new InvalidArgumentError(`It is a span such as 30m, 2h or 7d, of ${mostDays} days at most.`);
  };
}

/** Reads a time, such as 2026-11-22T09:00:00Z. */
export function pointInTime(text: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It is a time such as 2026-11-22T09:00:00Z.');
}

/** Reads a state of jobs. */
export function jobState(text: string): JobState {
  const wanted = text.toUpperCase().replaceAll('-', '_');
  const state = JOB_STATES.find((known) => known === wanted);
  if (state !== undefined) return state;
  throw new InvalidArgumentError(`It is one of ${JOB_STATES.join(', ')}.`);
}

/** An amount of pence, or `none`, which stays a word because commander takes null for an empty text. */
export type PenceOrNone = number | 'none';

/** Reads an amount of pence, or none for no limit. */
export function penceOrNone(text: string): PenceOrNone {
  return text === 'none' ? text : pence(0)(text);
}

/** A limit in pence, as it is set; null for none. */
export function limitOf(wanted: PenceOrNone): number | null {
  return wanted === 'none' ? null : wanted;
}

/** Reads a text that is not empty. */
export function someText(most: number): (text: string) => string {
  return (text) => {
    const value = text.trim();
    if (value !== '' && value.length <= most && !/\p{Cc}/u.test(value)) return value;
    throw new InvalidArgumentError(`It is a text of 1 to ${most} characters.`);
  };
}

/** A reader of a tool's option as a reader of the command line. */
export function reading<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof OptionRefusal ? new InvalidArgumentError(error.message) : error;
    }
  };
}

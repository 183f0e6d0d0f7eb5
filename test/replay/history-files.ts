/**
 * Committed histories in the form that the worker takes. The files are in Temporal's own JSON. The SDK's reader of that
 * JSON fails when two versions of protobufjs are installed, so times and durations are converted here and everything
 * else by the message types.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import proto from '@temporalio/proto';

const HISTORIES = join(import.meta.dirname, 'histories');
const { History } = proto.temporal.api.history.v1;

/** A history in the form that the worker takes. */
export type LoadedHistory = ReturnType<typeof History.fromObject>;

/** A committed history. */
export interface HistoryFile {
  readonly name: string;
  readonly text: string;
  // The tests look into events of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly events: readonly any[];
}

/** All committed histories. */
export function historyFiles(): HistoryFile[] {
  return globSync('*.json', { cwd: HISTORIES })
    .sort()
    .map((file) => {
      const text = readFileSync(join(HISTORIES, file), 'utf8');
      return { name: basename(file, '.json'), text, events: JSON.parse(text).events };
    });
}

/** Reads events in Temporal's JSON. */
export function loadHistory(events: readonly unknown[]): LoadedHistory {
  return History.fromObject(readable({ events }, '') as Record<string, unknown>);
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DURATION = /^(\d+)(?:\.(\d+))?s$/;

function readable(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => readable(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(inner, name)]));
  }
  if (typeof value !== 'string' || !/(time|timeout|interval|backoff|delay|retention)$/i.test(key))
    return value;
  if (TIME.test(value))
    return parts(String(Math.floor(Date.parse(value) / 1000)), /\.(\d+)Z$/.exec(value)?.[1]);
  const duration = DURATION.exec(value);
  return duration === null ? value : parts(duration[1] ?? '0', duration[2]);
}

function parts(seconds: string, fraction = ''): { seconds: string; nanos: number } {
  return { seconds, nanos: Number(fraction.padEnd(9, '0').slice(0, 9)) };
}

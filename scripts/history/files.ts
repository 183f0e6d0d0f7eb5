/** Recorded histories as files: what replay needs, without what belongs to the machine that recorded them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { repositoryRoot } from '../test-plan.ts';

/** Folder of the histories. */
export const HISTORY_FOLDER = join(repositoryRoot, 'test', 'replay', 'histories');

/** One run of one workflow; the history as Temporal's own tools write it. */
export interface RecordedHistory {
  readonly workflow: string;
  readonly history: unknown;
}

/** Cases whose parts take a path of their own; of every other case the parts show nothing new. */
const WITH_PARTS: ReadonlySet<string> = new Set([
  'success',
  'partial',
  'failure',
  'cancel-running',
  'pause-then-cancel',
  'recovery',
  'timeout-adoption',
  'redo-unverified',
  'preempted',
  'limit',
]);

/** The histories of a case that show something, one of each path; the others are left out. */
export function shownOf(name: string, histories: readonly RecordedHistory[]): readonly RecordedHistory[] {
  const paths = new Map<string, RecordedHistory>();
  for (const one of histories)
    if (one.workflow !== 'jobPart' || WITH_PARTS.has(name)) {
      const path = `${one.workflow} ${[...new Set(stepsIn(one.history))].sort().join()}`;
      if (!paths.has(path)) paths.set(path, one);
    }
  return [...paths.values()];
}

/** The kinds of events of a history, with the names of activities and signals. */
function stepsIn(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => stepsIn(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      stepsIn(inner, key === 'activityType' ? key : name),
    );
  return ['eventType', 'activityType', 'signalName'].includes(key) ? [String(value)] : [];
}

/** Writes the histories of a case, one file a run; answers their size together. */
export function writeHistories(name: string, histories: readonly RecordedHistory[]): number {
  const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const serials = new Map<string, number>();
  let sizeBytes = 0;
  for (const { workflow, history } of histories) {
    const serial = (serials.get(workflow) ?? 0) + 1;
    serials.set(workflow, serial);
    const file = `${workflow}-${name}-${serial}-${date}-${sdkVersion()}.json`;
    const text = `${JSON.stringify(impersonal(history))}\n`;
    writeFileSync(join(HISTORY_FOLDER, file), text);
    sizeBytes += text.length;
  }
  return sizeBytes;
}

function sdkVersion(): string {
  const file = join(repositoryRoot, 'node_modules', '@temporalio', 'worker', 'package.json');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const version =
    typeof content === 'object' && content !== null && 'version' in content ? content.version : '';
  return String(version);
}

/** Replay reads neither who polled nor where in a file something failed. */
function impersonal(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => impersonal(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, impersonal(inner, name)]));
  }
  if (typeof value !== 'string') return value;
  if (key === 'stackTrace') return '';
  if (key === 'identity') return 'recorded';
  return value.replaceAll(hostname(), 'recorded').replaceAll(repositoryRoot, '.');
}

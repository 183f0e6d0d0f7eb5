/** Recorded histories as files: what replay needs, without what belongs to the machine that recorded them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { repositoryRoot } from '../test-plan.ts';

/** Where the histories are. */
export const HISTORY_FOLDER = join(repositoryRoot, 'test', 'replay', 'histories');

/** One run of one workflow; the history as Temporal's own tools write it. */
export interface RecordedHistory {
  readonly workflow: string;
  readonly history: unknown;
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

/**
 * The rules of v1: what a customer has built on the document of the last release goes on working. oasdiff compares two
 * documents; `levels.txt` says which changes the contract forbids and which it allows, where oasdiff judges otherwise.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { findTool } from '../../src/stack/tools.ts';

/** Findings of the comparison of two documents. */
export interface Comparison {
  readonly isCompatible: boolean;
  /** The forbidden changes, for people; empty where there are none. */
  readonly report: string;
}

/** Exit codes of oasdiff when the documents could be compared: nothing is forbidden, or something is. */
const [NOTHING, FORBIDDEN] = [0, 1];

/** Compares a document with that of the last release, both as paths. @throws Error when they cannot be compared. */
export function compareWithRelease(released: string, present: string): Comparison {
  const options = [
    '--fail-on',
    'ERR',
    '--color',
    'never',
    '--severity-levels',
    join(import.meta.dirname, 'levels.txt'),
    '--err-ignore',
    join(import.meta.dirname, 'accepted.txt'),
  ];
  const ended = spawnSync(findTool('oasdiff', process.env), ['breaking', ...options, released, present], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (ended.status !== NOTHING && ended.status !== FORBIDDEN)
    throw new Error(`oasdiff cannot compare the documents: ${ended.error?.message ?? ended.stderr}`);
  return { isCompatible: ended.status === NOTHING, report: ended.stdout.trim() };
}

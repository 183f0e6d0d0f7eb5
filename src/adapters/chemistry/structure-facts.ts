/**
 * Facts of structure files, asked of Mol*'s parser in a process of its own: the parser takes 120 MB as soon as it is loaded, and a file
 * that it chokes on ends a process that has nothing else to do.
 */
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { isRecord } from '../../domain/is-record.ts';
import type { FactsFormat, StructureFacts } from '../../domain/structure-facts.ts';
import { createLineProcess } from './line-process.ts';

/** Facts, or the reason why the file has none. */
export type FactsAnswer =
  | { readonly ok: true; readonly facts: StructureFacts }
  | { readonly ok: false; readonly message: string };

/** The reader of facts. */
export interface FactsReader {
  /** Reads a file of this machine; null where no answer comes in time. */
  read(path: string, format: FactsFormat): Promise<FactsAnswer | null>;
  close(): Promise<void>;
}

/** Most of what one file takes; a process that needs more is ended by its own Node. */
const HEAP_MEBIBYTES = 1024;
const LIMIT_MS = 60_000;

/** Makes the reader; its process starts with the first file. */
export function createFactsReader(log: Pick<Logger, 'warn'>): FactsReader {
  const program = fileURLToPath(new URL('facts-process.ts', import.meta.url));
  const lines = createLineProcess({
    command: {
      file: process.execPath,
      args: [`--max-old-space-size=${HEAP_MEBIBYTES}`, program],
      env: {},
    },
    log,
    failure: 'facts of a structure were not read',
  });
  return {
    read: (path, format) => lines.ask({ path, format }, LIMIT_MS, readFacts),
    close: () => lines.close(),
  };
}

/** Reads an answer. @throws Error when the line is none. */
function readFacts(line: string): FactsAnswer {
  const answer: unknown = JSON.parse(line);
  if (isRecord(answer) && isFacts(answer['facts'])) return { ok: true, facts: answer['facts'] };
  if (isRecord(answer) && typeof answer['message'] === 'string')
    return { ok: false, message: answer['message'] };
  throw new Error('no facts in the answer');
}

/** The process is ours; a line that was cut is found. */
function isFacts(told: unknown): told is StructureFacts {
  return (
    isRecord(told) &&
    Array.isArray(told['chains']) &&
    Array.isArray(told['ligands']) &&
    typeof told['models'] === 'number'
  );
}

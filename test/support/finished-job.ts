/** The end of a job, as a tool that makes the files of the end is told it. */
import { text } from 'node:stream/consumers';

import type { DockedLigand } from '../../src/domain/docking-results.ts';
import type { FinishedJob, FinishedTask, FinishFile } from '../../src/tools/finished.ts';

/** A job with these tasks and steps; `docked` are the recorded ligands, the best first. */
export function endOf(ended: readonly FinishedTask[], docked: readonly DockedLigand[] = []): FinishedJob {
  return {
    steps: ended.filter(({ kind }) => kind !== 'task'),
    propertyNames: [],
    tasks: () => inTurn(ended.filter(({ kind }) => kind === 'task')),
    docked: () => inTurn(docked),
  };
}

/** The whole text of a file that was made. */
export async function textOf(file: FinishFile | undefined): Promise<string> {
  if (file === undefined) throw new Error('the file was not made');
  return typeof file.body === 'function' ? text(file.body()) : Buffer.from(file.body).toString();
}

async function* inTurn<T>(list: readonly T[]): AsyncGenerator<T> {
  for (const one of list) yield await Promise.resolve(one);
}

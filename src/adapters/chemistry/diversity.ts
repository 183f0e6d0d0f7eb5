/** Groups of like molecules of a ranking, and those that differ most, asked of RDKit in Python. */
import type { Diversity } from './chemistry.ts';
import { createLineProcess } from './line-process.ts';
import type { LineProcessOptions } from './line-process.ts';
import { valueAt } from './value-at.ts';

/** Ten thousand molecules take half a minute of a busy processor. */
const LIMIT_MS = 180_000;

/** Makes the access to one process. */
export function createDiversity(options: Pick<LineProcessOptions, 'command' | 'log'>): Diversity {
  const process = createLineProcess({ ...options, failure: 'molecules were not compared' });
  return {
    clusters: (smiles) => process.ask({ smiles }, LIMIT_MS, (line) => places(line, 'clusters')),
    picks: (smiles, count) => process.ask({ smiles, pick: count }, LIMIT_MS, picksIn),
    close: () => process.close(),
  };
}

function picksIn(line: string): number[] {
  return places(line, 'picks').filter((place) => place !== null);
}

/** @throws Error when the line is no such answer. */
function places(line: string, name: string): (number | null)[] {
  const answer: unknown = valueAt(JSON.parse(line), name);
  if (!Array.isArray(answer)) throw new Error(`no ${name} in the answer`);
  return answer.map((one: unknown) => (typeof one === 'number' ? one : null));
}

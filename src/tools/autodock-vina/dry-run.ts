/**
 * `preparation.json` of a dry run: as what a ligand would be docked. The file is judged by ligand-preparation.schema.json and
 * compared with the digest that it contains.
 */
import type { PreparationRecord } from '../../domain/docking-results.ts';
import { canonicalSha256InTurns } from '../canonical.ts';
import { asReport } from '../json-report.ts';
import SCHEMA from './ligand-preparation.schema.json' with { type: 'json' };
import { factsOf, MOST_RESULT_VALUES, recordedWarnings } from './result.ts';
import type { LigandFacts } from './result.ts';
import RESULT_SCHEMA from './result.schema.json' with { type: 'json' };
import type { ToldStates } from './states.ts';

/** `preparation.json` as its schema has it, as far as it is recorded. */
export interface CheckFile {
  readonly sha256: string;
  readonly preparation: {
    readonly ligandId: string;
    readonly ligand: LigandFacts;
    readonly states?: ToldStates;
    readonly warnings: readonly unknown[];
  };
}

/** Reads what a dry run has found of a ligand. */
export const CHECK = asReport<CheckFile>({
  schema: SCHEMA,
  refers: [RESULT_SCHEMA],
  values: MOST_RESULT_VALUES,
});

/** The record of a prepared ligand; the text of what is wrong where the file has another digest than it says. */
export async function checkedRecord({ sha256, preparation }: CheckFile): Promise<string | PreparationRecord> {
  if ((await canonicalSha256InTurns(preparation)) !== sha256) return 'has another digest than its content';
  const { ligand, states, warnings } = preparation;
  return {
    kind: 'preparation',
    ...factsOf(ligand),
    states: states?.each.length ?? null,
    warnings: recordedWarnings(warnings),
  };
}

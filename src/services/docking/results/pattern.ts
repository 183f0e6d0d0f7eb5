/**
 * Docked ligands by a pattern of their molecules (SMARTS). PostgreSQL knows no molecules, so the SMILES of a list are looked
 * through once by RDKit, some hundred at a time, and what was found is remembered: the pages that follow, and those of results
 * that arrive later, only look at molecules that are new.
 */
import type { Molecules } from '../../../adapters/chemistry/chemistry.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Queryable } from '../../transaction.ts';

/** Finds the molecules that have a pattern. */
export interface Patterns {
  /** @throws VALIDATION_ERROR for a pattern that cannot be read or that every molecule has, SERVICE_UNAVAILABLE. */
  matching(smarts: string, smiles: ReadonlySet<string>): Promise<ReadonlyMap<string, boolean>>;
}

/** Molecules of a task, which take well below the time that the task may take. */
const CHUNK = 250;
/** A list has ten thousand molecules; the patterns of some lists are remembered. */
const [MOST_PATTERNS, MOST_MOLECULES] = [8, 20_000];

/** Looks for patterns by these molecules. */
export function createPatterns(molecules: Pick<Molecules, 'match'>): Patterns {
  const known = new Map<string, Map<string, boolean>>();
  return {
    async matching(smarts, smiles) {
      const found = known.get(smarts) ?? new Map<string, boolean>();
      if (found.size > MOST_MOLECULES) found.clear();
      const fresh = [...smiles].filter((one) => !found.has(one));
      // Without molecules the pattern is looked at all the same.
      for (let begin = 0; begin === 0 || begin < fresh.length; begin += CHUNK) {
        const chunk = fresh.slice(begin, begin + CHUNK);
        const answer = await molecules.match(smarts, chunk);
        if (!answer.ok)
          throw new AppError('VALIDATION_ERROR', `smarts: the pattern cannot be used: ${answer.reason}.`);
        for (const [index, one] of chunk.entries()) found.set(one, answer.matched[index] === true);
      }
      // The pattern that was asked for last is forgotten last.
      known.delete(smarts);
      known.set(smarts, found);
      const [oldest] = known.keys();
      if (known.size > MOST_PATTERNS && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
}

/** The molecules of docked ligands, by results. */
const MOLECULES = `
  select id, job_id, ordinal, smiles_docked from docking_results where job_id = any($1::uuid[]) and smiles_docked is not null`;

/** A docked ligand whose molecule has the pattern. */
export interface MatchedLigand {
  readonly id: string;
  readonly job_id: string;
  readonly ordinal: number;
}

/** The docked ligands of these jobs whose molecules, as they were docked, have a pattern. @throws VALIDATION_ERROR. */
export async function matchedLigands(
  db: Pick<Queryable, 'query'>,
  patterns: Patterns,
  jobs: readonly string[],
  smarts: string,
): Promise<readonly MatchedLigand[]> {
  const rows = await db.query<(MatchedLigand & { smiles_docked: string })[]>(MOLECULES, [jobs]);
  const found = await patterns.matching(smarts, new Set(rows.map((row) => row.smiles_docked)));
  return rows.filter((row) => found.get(row.smiles_docked) === true);
}

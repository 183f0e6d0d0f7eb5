/**
 * Losses of a library: its names, further columns or tags that do not stay with its ligands. The start of a batch tells them, so
 * that nobody looks for a ligand or a value in results and exports in vain.
 */
import { LONGEST_PROPERTY, MOST_PROPERTIES } from './record.ts';
import type { Dropped } from './record.ts';
import type { JobWarning } from '../../domain/warnings.ts';

/** Losses of a library, each in the order of the file. */
export interface LibraryLosses {
  /** The ids of records whose name an earlier record has; absent where each name comes once. */
  readonly renamed?: readonly string[];
  /** Ligands have no value of these where so many others stood before. */
  readonly leftOut: readonly string[];
  /** Values of these were cut. */
  readonly cut: readonly string[];
  /** Ligands have these, and tables have no column for them. */
  readonly withoutColumn: readonly string[];
}

/** The most columns that a table gets from a library; each record has at most 32 properties, and records may have different ones. */
export const MOST_COLUMNS = 256;

/** The names that are kept of what was lost. A table has at most 1,024 columns, an SD file any number of tags. */
const MOST_NAMES = 100;
const MOST_TOLD = 5;
/** A name is shown as far as it tells one column from another. */
const LONGEST_TOLD = 40;

/** Facts of a record from which losses are noted. */
interface NotedRecord {
  readonly ligandId: string;
  readonly isRepeated: boolean;
  readonly properties: ReadonlyMap<string, string>;
  readonly dropped: Dropped;
}

/** Collects the names of columns and the losses, record by record. */
export class LibraryColumns {
  readonly #names = new Set<string>();
  readonly #renamed = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #withoutColumn = new Set<string>();

  /** Adds the names and the losses of a record. */
  add({ ligandId, isRepeated, properties, dropped: { leftOut, cut } }: NotedRecord): void {
    if (isRepeated) keep(this.#renamed, ligandId);
    for (const name of properties.keys())
      if (this.#names.size < MOST_COLUMNS || this.#names.has(name)) this.#names.add(name);
      else keep(this.#withoutColumn, name);
    for (const name of leftOut) keep(this.#leftOut, name);
    for (const name of cut) keep(this.#cut, name);
  }

  /** The columns of a table, in the order in which the file has them first. */
  get names(): string[] {
    return [...this.#names];
  }

  /** Losses so far; null where there are none. */
  get losses(): LibraryLosses | null {
    const [leftOut, cut, withoutColumn] = [[...this.#leftOut], [...this.#cut], [...this.#withoutColumn]];
    const renamed = [...this.#renamed];
    if (renamed.length + leftOut.length + cut.length + withoutColumn.length === 0) return null;
    return { ...(renamed.length === 0 ? {} : { renamed }), leftOut, cut, withoutColumn };
  }
}

/** Makes the warnings about losses. */
export function lossWarnings(losses: LibraryLosses): readonly JobWarning[] {
  const { renamed = [] } = losses;
  const columns = columnsText(losses);
  return [
    ...(renamed.length === 0
      ? []
      : [
          {
            code: 'LIBRARY_NAME_REPEATED',
            message: `Records whose name or number an earlier record has are told apart by a number behind it: ${namesText(renamed)}.`,
          },
        ]),
    ...(columns === '' ? [] : [{ code: 'LIBRARY_PROPERTIES_LEFT_OUT', message: columns }]),
  ];
}

function columnsText({ leftOut, cut, withoutColumn }: LibraryLosses): string {
  const sentences = [
    ...(leftOut.length === 0
      ? []
      : [
          `A ligand keeps the first ${MOST_PROPERTIES} further columns or tags that have a value; left out: ${namesText(leftOut)}.`,
        ]),
    ...(cut.length === 0
      ? []
      : [`Values were cut after ${LONGEST_PROPERTY} characters in: ${namesText(cut)}.`]),
    ...(withoutColumn.length === 0
      ? []
      : [
          `Tables have ${MOST_COLUMNS} columns of the library, results have the others, too: ${namesText(withoutColumn)}.`,
        ]),
  ];
  return sentences.join(' ');
}

function keep(names: Set<string>, name: string): void {
  if (names.size < MOST_NAMES) names.add(name);
}

function namesText(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_TOLD)
    .map((name) => (name.length > LONGEST_TOLD ? `${name.slice(0, LONGEST_TOLD).toWellFormed()}…` : name));
  const more = names.length - shown.length;
  if (more === 0) return shown.join(', ');
  return `${shown.join(', ')} and ${names.length === MOST_NAMES ? `at least ${more}` : more} more`;
}

/**
 * What of a library's further columns or tags does not stay with its ligands, so that nobody looks for a value in results and
 * exports in vain: whoever starts a batch is told the names.
 */
import { LONGEST_PROPERTY, MOST_PROPERTIES } from './record.ts';
import type { Dropped } from './record.ts';

/** Names of columns or tags of a library by what became of them, each in the order of the file. */
export interface LibraryLosses {
  /** Ligands have no value of these where so many others stood before. */
  readonly leftOut: readonly string[];
  /** Values of these were cut. */
  readonly cut: readonly string[];
  /** Ligands have these, and tables have no column for them. */
  readonly withoutColumn: readonly string[];
}

/** The code of the warning. */
export const PROPERTIES_LEFT_OUT = 'LIBRARY_PROPERTIES_LEFT_OUT';
/** The most columns that a table gets from a library; each record has at most 32 properties, and records may have different ones. */
export const MOST_COLUMNS = 256;

/** The names that are kept of what was lost. A table has at most 1,024 columns, an SD file any number of tags. */
const MOST_NAMES = 100;
const MOST_TOLD = 5;
/** A name is shown as far as it tells one column from another. */
const LONGEST_TOLD = 40;

/** Collects the names of columns and what is lost, record by record. */
export class LibraryColumns {
  readonly #names = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #withoutColumn = new Set<string>();

  /** Takes what a record has and what was dropped of it. */
  add(properties: ReadonlyMap<string, string>, { leftOut, cut }: Dropped): void {
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

  /** What is lost; null where nothing is. */
  get losses(): LibraryLosses | null {
    const [leftOut, cut, withoutColumn] = [[...this.#leftOut], [...this.#cut], [...this.#withoutColumn]];
    return leftOut.length + cut.length + withoutColumn.length === 0 ? null : { leftOut, cut, withoutColumn };
  }
}

/** What was lost in words. */
export function lossesText({ leftOut, cut, withoutColumn }: LibraryLosses): string {
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

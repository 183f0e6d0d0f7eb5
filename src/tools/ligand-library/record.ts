/** The records of a library as the readers of the formats tell them. */

/** A record with its place in the unpacked file. */
export interface RawRecord {
  /** The line on which the record begins, counted from 1. */
  readonly line: number;
  /** The name in the file; empty when the file gives none. */
  readonly name: string;
  /** The bytes of the structure alone, the end not included: a SMILES, or a record of an SD file without its end mark. */
  readonly start: number;
  readonly end: number;
  /** The digest of the structure without its name, by which equal records are found; null where the bytes are the structure. */
  readonly structureSha256: string | null;
  /** Further columns or tags of the record, in the order of the file. */
  readonly properties: ReadonlyMap<string, string>;
  /** Columns or tags of these that do not stay with the record. */
  readonly dropped: Dropped;
  /** Why no ligand can be read from the record; null when one may. */
  readonly fault: string | null;
}

/** Names of columns or tags of a record whose values do not stay, or not as a whole. */
export interface Dropped {
  /** Names beyond the most that stay with a record. */
  readonly leftOut: readonly string[];
  /** The values of these were cut. */
  readonly cut: readonly string[];
}

/** Nothing is dropped of a record. */
export const NOTHING_DROPPED: Dropped = { leftOut: [], cut: [] };
/** The most further columns or tags that stay with a record. */
export const MOST_PROPERTIES = 32;
/** The most characters of the value of one. */
export const LONGEST_PROPERTY = 256;
/** The property that keeps the extension of ChemAxon behind a SMILES. */
export const EXTENSION_NAME = 'cxsmiles';
/** The most bytes of one record. */
export const MOST_RECORD_BYTES = 4 * 1024 * 1024;
/** The most characters of a SMILES. */
export const LONGEST_SMILES = 4096;

/** The names that one record tells of what it loses; an SD file may have any number of tags. */
const MOST_LOST_NAMES = 1024;

/** Collects properties up to their bounds: further ones are left out, long ones are cut, the first of a name counts. */
export class Properties {
  readonly found = new Map<string, string>();
  readonly #leftOut = new Set<string>();
  readonly #cut: string[] = [];

  add(name: string, value: string): void {
    const [{ text: key }, { text, isCut }] = [readable(name), readable(value)];
    if (key === '' || text === '' || this.found.has(key)) return;
    if (this.found.size >= MOST_PROPERTIES) {
      if (this.#leftOut.size < MOST_LOST_NAMES) this.#leftOut.add(key);
      return;
    }
    this.found.set(key, text);
    if (isCut) this.#cut.push(key);
  }

  /** Columns or tags that were left out or cut. */
  get dropped(): Dropped {
    const isWhole = this.#leftOut.size === 0 && this.#cut.length === 0;
    return isWhole ? NOTHING_DROPPED : { leftOut: [...this.#leftOut], cut: this.#cut };
  }
}

/** Texts as nearly all are, in which nothing is to be replaced or cut. */
const PLAIN = /^[\x20-\x7e]*$/;

function readable(value: string): { readonly text: string; readonly isCut: boolean } {
  if (value.length <= LONGEST_PROPERTY && PLAIN.test(value)) return { text: value.trim(), isCut: false };
  // The text is cut first, because a record of some MiB may be one value.
  const beginning = value.slice(0, 4 * LONGEST_PROPERTY);
  const clean = beginning.replaceAll(/\p{Cc}+/gu, ' ').trim();
  const text = clean.slice(0, LONGEST_PROPERTY).toWellFormed();
  return { text, isCut: clean.length > LONGEST_PROPERTY };
}

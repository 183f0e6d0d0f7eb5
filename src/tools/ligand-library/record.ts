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
  /** The digest of the structure without its name, by which equal records are found. */
  readonly structureSha256: string;
  /** Further columns or tags of the record, in the order of the file. */
  readonly properties: ReadonlyMap<string, string>;
  /** Why no ligand can be read from the record; null when one may. */
  readonly fault: string | null;
}

/** The property that keeps the extension of ChemAxon behind a SMILES. */
export const EXTENSION_NAME = 'cxsmiles';
/** The most bytes of one record. */
export const MOST_RECORD_BYTES = 4 * 1024 * 1024;
/** The most characters of a SMILES. */
export const LONGEST_SMILES = 4096;

const MOST_PROPERTIES = 32;
const LONGEST_PROPERTY = 256;

/** Collects properties up to their bounds: further ones are left out, long ones are cut, the first of a name counts. */
export class Properties {
  readonly found = new Map<string, string>();

  add(name: string, value: string): void {
    const [key, text] = [readable(name), readable(value)];
    if (key === '' || text === '' || this.found.has(key) || this.found.size >= MOST_PROPERTIES) return;
    this.found.set(key, text);
  }
}

function readable(text: string): string {
  // The text is cut first, because a record of some MiB may be one value.
  const beginning = text.slice(0, 4 * LONGEST_PROPERTY);
  return beginning
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_PROPERTY)
    .toWellFormed();
}

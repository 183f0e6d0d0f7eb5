/** A strict reader of SD files (V2000 and V3000), as far as the control side must understand such files. */
import { isNumber, readLines } from '../lines.ts';
import type { Pieces } from '../pieces.ts';

/** One record of an SD file. */
export interface SdfRecord {
  readonly atomCount: number;
  /** The properties of `KEPT_PROPERTIES` that the record has. */
  readonly properties: ReadonlyMap<string, string>;
}

const RECORD_END = '$$$$';
const MOLECULE_END = 'M  END';
const V30_COUNTS = /^M {2}V30 COUNTS (\d{1,9})/;
/** The session writes one record for each mode of a search. */
export const MOST_POSES = 1000;
/** Each record of a pose has eight properties. */
const MOST_PROPERTIES = 100;
/** The properties that are compared. Others are read and not kept, so that a record takes little memory. */
const KEPT_PROPERTIES: ReadonlySet<string> = new Set(['ligandId', 'mode', 'affinity_kcal_mol']);
/** The longest value that is compared; ids and numbers are far shorter. */
const VALUE_CHARACTERS = 1024;
const NAME_CHARACTERS = 256;
const COUNTS_LINE = 3;
const FIRST_ATOM_LINE = 4;
const COORDINATES = [0, 10, 20];
const COORDINATE_CHARACTERS = 10;

/** Gives each record of an SD file to `take`; answers how many there are, or null when the file is not well-formed. */
export async function readSdf(pieces: Pieces, take: (record: SdfRecord) => void): Promise<number | null> {
  let [records, reader] = [0, new RecordReader()];
  const isSound = await readLines(pieces, (line) => {
    if (line !== RECORD_END) {
      reader.take(line);
      return true;
    }
    const record = reader.finish();
    if (record === null || records === MOST_POSES) return false;
    records += 1;
    take(record);
    reader = new RecordReader();
    return true;
  });
  return isSound && reader.isBlank ? records : null;
}

/** Reads one record, line by line, and keeps only the facts that its fields name. */
class RecordReader {
  /** Whether every line so far was blank. */
  isBlank = true;
  #lines = 0;
  #isMolecule = true;
  #format: 'V2000' | 'V3000' | null = null;
  #announced: number | null = null;
  #found = 0;
  #isSound = true;
  /** Where the reader is relative to the list of atoms of a V3000 molecule. */
  #list: 'before' | 'inside' | 'behind' = 'before';
  readonly #properties = new Map<string, string>();
  readonly #names = new Set<string>();
  #property: string | null = null;

  take(line: string): void {
    if (line.trim() !== '') this.isBlank = false;
    if (!this.#isMolecule) this.#takeProperty(line);
    else if (line === MOLECULE_END) this.#isMolecule = false;
    else this.#takeMolecule(line);
    this.#lines += 1;
  }

  finish(): SdfRecord | null {
    if (this.#property !== null) this.#keep(this.#property, '');
    const hasList = this.#format !== 'V3000' || this.#list === 'behind';
    const isWhole = !this.#isMolecule && this.#isSound && hasList;
    if (!isWhole || this.#announced === null || this.#found !== this.#announced) return null;
    return { atomCount: this.#announced, properties: this.#properties };
  }

  #takeMolecule(line: string): void {
    if (this.#lines === COUNTS_LINE) this.#takeCounts(line.trimEnd());
    else if (this.#lines < FIRST_ATOM_LINE) return;
    else if (this.#format === 'V3000') this.#takeV30(line);
    else if (this.#announced !== null && this.#found < this.#announced) {
      this.#isSound &&= COORDINATES.every((at) => isNumber(line.slice(at, at + COORDINATE_CHARACTERS)));
      this.#found += 1;
    }
  }

  #takeCounts(counts: string): void {
    if (counts.endsWith('V3000')) this.#format = 'V3000';
    if (!counts.endsWith('V2000')) return;
    this.#format = 'V2000';
    const announced = Number(counts.slice(0, 3));
    if (Number.isSafeInteger(announced) && announced >= 1) this.#announced = announced;
  }

  #takeV30(line: string): void {
    if (line === 'M  V30 BEGIN ATOM' && this.#list === 'before') this.#list = 'inside';
    else if (line === 'M  V30 END ATOM' && this.#list === 'inside') this.#list = 'behind';
    else if (this.#list === 'inside') this.#found += 1;
    else if (this.#announced === null) {
      const announced = V30_COUNTS.exec(line)?.[1];
      if (announced !== undefined) this.#announced = Number(announced);
    }
  }

  #takeProperty(line: string): void {
    if (this.#property !== null) this.#keep(this.#property, line.trim());
    this.#property = propertyName(line);
  }

  #keep(name: string, value: string): void {
    if (!this.#names.has(name)) {
      this.#isSound &&= name.length <= NAME_CHARACTERS && this.#names.size < MOST_PROPERTIES;
      // A copy, because a name that was cut from a line keeps the whole line in memory.
      if (this.#isSound) this.#names.add(Buffer.from(name, 'utf16le').toString('utf16le'));
    }
    if (!KEPT_PROPERTIES.has(name)) return;
    this.#isSound &&= value.length <= VALUE_CHARACTERS;
    if (this.#isSound) this.#properties.set(name, value);
  }
}

/**
 * The name in `>  <name>`. The name is found without a regular expression, which a long line of brackets could keep
 * busy for hours.
 */
function propertyName(line: string): string | null {
  if (!line.startsWith('>')) return null;
  const from = line.lastIndexOf('<') + 1;
  const to = line.indexOf('>', from);
  return from > 0 && to > from ? line.slice(from, to) : null;
}

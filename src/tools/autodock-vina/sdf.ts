/**
 * The records of an SD file of poses, as far as they are compared with the result: which ligand, which mode, which energy.
 * The molecules themselves are not taken apart, because nothing here is computed from them: the result names the digest of
 * the file.
 */
import { readLines } from '../lines.ts';
import type { Pieces } from '../pieces.ts';

/** The properties that are compared. Others are not kept, so that a record takes little memory. */
const COMPARED: ReadonlySet<string> = new Set(['ligandId', 'mode', 'affinity_kcal_mol']);
const RECORD_END = '$$$$';
const MOLECULE_END = 'M  END';
/** The session writes one record for each mode of a search. */
const MOST_RECORDS = 100;

/** Values of one record, by the name of the property. */
export type SdfRecord = ReadonlyMap<string, string>;

/** Gives each record of an SD file to `take`; answers how many there are, or null when the file ends within a record. */
export async function readSdf(pieces: Pieces, take: (record: SdfRecord) => void): Promise<number | null> {
  let [records, isMolecule, isBlank] = [0, true, true];
  let [properties, property] = [new Map<string, string>(), ''];
  const isSound = await readLines(pieces, (line) => {
    if (line === RECORD_END) {
      if (isMolecule || records === MOST_RECORDS) return false;
      records += 1;
      take(properties);
      [properties, isMolecule, isBlank] = [new Map<string, string>(), true, true];
      return true;
    }
    isBlank &&= line.trim() === '';
    if (isMolecule) isMolecule = line !== MOLECULE_END;
    else if (COMPARED.has(property)) properties.set(property, line.trim());
    property = propertyName(line);
    return true;
  });
  return isSound && isBlank ? records : null;
}

/**
 * The name in `>  <name>`; empty for another line. The name is found without a regular expression, which a long line of
 * brackets could keep busy for hours.
 */
function propertyName(line: string): string {
  if (!line.startsWith('>')) return '';
  const from = line.lastIndexOf('<') + 1;
  const to = line.indexOf('>', from);
  return from > 0 && to > from ? line.slice(from, to) : '';
}

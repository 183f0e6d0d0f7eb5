/**
 * Readers of what the session writes, as far as the control side must understand it: SD files, PDB and PDBQT, the box.
 * They are strict, because what they read came from an instance.
 */
import Joi from 'joi';

/** The effective box; lengths in Å. */
export interface Box {
  readonly centerAngstrom: readonly number[];
  readonly sizeAngstrom: readonly number[];
}

/** One record of an SD file. */
export interface SdfRecord {
  readonly atomCount: number;
  readonly properties: ReadonlyMap<string, string>;
}

const RECORD_END = '$$$$';
const vector = (each: Joi.NumberSchema): Joi.ArraySchema =>
  Joi.array().items(each.required()).length(3).required();
const BOX = Joi.object<Box>({
  centerAngstrom: vector(Joi.number().min(-1e6).max(1e6)),
  sizeAngstrom: vector(Joi.number().greater(0).max(1000)),
})
  .unknown()
  .required();

/** The box of a parsed box.json or summary; null when it is none. */
export function parseBox(value: unknown): Box | null {
  const result = BOX.validate(value, { convert: false });
  return result.error === undefined ? result.value : null;
}

/** The records of an SD file (V2000 or V3000), or null when it is not well-formed. */
export function parseSdf(content: string): readonly SdfRecord[] | null {
  const lines = content.split(/\r?\n/);
  const records: SdfRecord[] = [];
  let from = 0;
  for (const [index, line] of lines.entries()) {
    if (line !== RECORD_END) continue;
    const record = parseRecord(lines.slice(from, index));
    if (record === null) return null;
    records.push(record);
    from = index + 1;
  }
  const hasRest = lines.slice(from).some((line) => line.trim() !== '');
  return hasRest ? null : records;
}

function parseRecord(lines: readonly string[]): SdfRecord | null {
  const end = lines.indexOf('M  END');
  const atomCount = countAtoms(lines.slice(0, end));
  if (end < 0 || atomCount === null) return null;
  const properties = new Map<string, string>();
  for (let index = end + 1; index < lines.length; index += 1) {
    const name = /^>.*<([^>]+)>/.exec(lines[index] ?? '')?.[1];
    if (name !== undefined) properties.set(name, (lines[index + 1] ?? '').trim());
  }
  return { atomCount, properties };
}

/** The number of atoms, when as many are there as are announced. */
function countAtoms(molecule: readonly string[]): number | null {
  const counts = molecule[3] ?? '';
  if (counts.trimEnd().endsWith('V3000')) {
    const announced = Number(/^M {2}V30 COUNTS (\d+)/m.exec(molecule.join('\n'))?.[1] ?? Number.NaN);
    const begin = molecule.indexOf('M  V30 BEGIN ATOM');
    const found = molecule.indexOf('M  V30 END ATOM') - begin - 1;
    return begin > 0 && found === announced ? announced : null;
  }
  const announced = Number(counts.slice(0, 3));
  if (!counts.trimEnd().endsWith('V2000') || !Number.isSafeInteger(announced) || announced < 1) return null;
  const atoms = molecule.slice(4, 4 + announced);
  const isGood = (line: string): boolean => [0, 10, 20].every((at) => isNumber(line.slice(at, at + 10)));
  return atoms.length === announced && atoms.every(isGood) ? announced : null;
}

/** The number of atoms of a PDB or PDBQT file; null when one has no place. */
export function countPdbAtoms(content: string): number | null {
  const atoms = content.split(/\r?\n/).filter((line) => /^(ATOM {2}|HETATM)/.test(line));
  const isGood = (line: string): boolean => [30, 38, 46].every((at) => isNumber(line.slice(at, at + 8)));
  return atoms.every(isGood) ? atoms.length : null;
}

/** The number of models of a PDBQT file of poses. */
export function countModels(content: string): number {
  return content.match(/^MODEL\b/gm)?.length ?? 0;
}

/** JSON, or undefined when it is none. */
export function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isNumber(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text);
}

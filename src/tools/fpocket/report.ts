/**
 * `pockets.json`: judged by pockets.schema.json. Facts that the schema cannot check are compared here, because customers dock
 * into the boxes of a report: ranks and numbers are counted, and centre and box of each pocket are computed anew from its
 * spheres.
 */
import { asReport } from '../json-report.ts';
import { pocketFiles } from './names.ts';
import POCKETS_SCHEMA from './pockets.schema.json' with { type: 'json' };

type Vector = readonly [number, number, number];

/** One pocket as its schema has it, as far as it is compared. */
interface Pocket {
  readonly rank: number;
  readonly score: number;
  readonly druggabilityScore: number | null;
  readonly volumeAngstrom3: number;
  readonly alphaSphereCount: number;
  readonly centerAngstrom: Vector;
  readonly box: { readonly centerAngstrom: Vector; readonly sizeAngstrom: Vector };
  readonly residues: readonly unknown[];
  readonly alphaSpheres: readonly {
    readonly centerAngstrom: Vector;
    readonly radiusAngstrom: number;
    readonly apolar: boolean;
  }[];
  readonly files: { readonly atoms: string; readonly alphaSpheres: string };
}

/** `pockets.json` as its schema has it, as far as it is compared. */
export interface PocketsFile {
  readonly selected: { readonly atoms: number };
  readonly maxPockets: number;
  readonly pocketsFound: number;
  readonly pockets: readonly Pocket[];
  /** The SHA-256 of every other output, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** One pocket without its lists, which take much memory. */
export interface PocketRecord extends Omit<Pocket, 'residues' | 'alphaSpheres'> {
  readonly residueCount: number;
  /** Of each sphere its centre, its radius, and 1 when it is apolar, else 0: `SPHERE_NUMBERS` numbers. */
  readonly spheres: Float64Array;
}

/** Part of a report with which the files beside it are compared; it takes little memory, because it is kept while they are read. */
export interface PocketsReport extends Pick<PocketsFile, 'selected' | 'files'> {
  readonly pockets: readonly PocketRecord[];
}

/** How many numbers stand for one sphere. */
export const SPHERE_NUMBERS = 5;
/** The values of a report of 99,999 atoms: seven for each of some 32,000 spheres, and five for each residue that they touch. */
const MOST_VALUES = 400_000;
/** Means and middles are rounded to three decimals. */
const TOLERANCE_ANGSTROM = 0.002;
/** The margin of a box around the centres of the spheres, and the edges of a box as docking takes them. */
const MARGIN_ANGSTROM = 8;
const SMALLEST_EDGE_ANGSTROM = 18;
const LARGEST_EDGE_ANGSTROM = 40;

/** Reads a report. */
export const POCKETS = asReport<PocketsFile>({ schema: POCKETS_SCHEMA, values: MOST_VALUES });

/** A report whose own numbers agree with each other; the text of what is wrong where they do not. */
export function comparedReport(file: PocketsFile): string | PocketsReport {
  const { selected, files, pockets, pocketsFound, maxPockets } = file;
  if (pockets.some(({ rank }, index) => rank !== index + 1)) return 'has ranks that are not counted from 1';
  if (pockets.length !== Math.min(pocketsFound, maxPockets))
    return `has ${pockets.length} of ${pocketsFound} pockets, and ${maxPockets} were asked for`;
  const records = pockets.map(recordOf);
  for (const record of records) {
    const fault = pocketFault(record);
    if (fault !== null) return fault;
  }
  return { selected, files, pockets: records };
}

function recordOf({ residues, alphaSpheres, ...pocket }: Pocket): PocketRecord {
  const spheres = new Float64Array(alphaSpheres.length * SPHERE_NUMBERS);
  for (const [index, { centerAngstrom, radiusAngstrom, apolar }] of alphaSpheres.entries())
    spheres.set([...centerAngstrom, radiusAngstrom, apolar ? 1 : 0], index * SPHERE_NUMBERS);
  return { ...pocket, residueCount: residues.length, spheres };
}

function pocketFault(pocket: PocketRecord): string | null {
  const { rank, alphaSphereCount, centerAngstrom, box, files } = pocket;
  const count = pocket.spheres.length / SPHERE_NUMBERS;
  if (count !== alphaSphereCount) return `has another number of alpha spheres in pocket ${rank}`;
  const [atoms, spheres] = pocketFiles(rank);
  if (files.atoms !== atoms || files.alphaSpheres !== spheres) return `names other files for pocket ${rank}`;
  for (const axis of [0, 1, 2] as const) {
    const { low, high, mean } = extentOf(pocket.spheres, axis);
    const edge = Math.min(
      LARGEST_EDGE_ANGSTROM,
      Math.max(SMALLEST_EDGE_ANGSTROM, high - low + MARGIN_ANGSTROM),
    );
    if (isOff(centerAngstrom[axis], mean)) return `has another centre of pocket ${rank} than its spheres`;
    const isOther = isOff(box.centerAngstrom[axis], (low + high) / 2) || isOff(box.sizeAngstrom[axis], edge);
    if (isOther) return `has another box of pocket ${rank} than its spheres`;
  }
  return null;
}

function extentOf(spheres: Float64Array, axis: number): { low: number; high: number; mean: number } {
  let [low, high, sum] = [Infinity, -Infinity, 0];
  for (let at = axis; at < spheres.length; at += SPHERE_NUMBERS) {
    const place = spheres[at] ?? Number.NaN;
    low = Math.min(low, place);
    high = Math.max(high, place);
    sum += place;
  }
  return { low, high, mean: sum / (spheres.length / SPHERE_NUMBERS) };
}

function isOff(told: number, wanted: number): boolean {
  return !(Math.abs(told - wanted) <= TOLERANCE_ANGSTROM);
}

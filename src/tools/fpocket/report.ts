/**
 * `pockets.json` as far as the control side relies on it, which is nearly all of it: customers dock into its boxes. The
 * whole shape is docs/schemas/pockets-result.schema.json.
 */
import Joi from 'joi';

import { isRecord } from '../../domain/is-record.ts';
import { ANYTHING, countOf, keptOf, listOf, matching, objectOf, shapeFault } from '../json-shape.ts';
import type { JsonShape } from '../json-shape.ts';
import type { Pieces } from '../pieces.ts';
import { pocketFiles } from './names.ts';
import { MOST_POCKETS } from './parameters.ts';

/** The format of a report; a report with another meaning gets another name. */
export const POCKETS_SCHEMA = 'dockyard.pockets.result/v1';

type Vector = readonly [number, number, number];

/** One pocket, as far as the files beside the report are compared with it. */
export interface PocketRecord extends PocketNumbers {
  readonly residueCount: number;
  /** Of each sphere its centre, its radius, and 1 when it is apolar, else 0: `SPHERE_NUMBERS` numbers. */
  readonly spheres: Float64Array;
}

/** A pocket without its lists. */
interface PocketNumbers {
  readonly rank: number;
  readonly score: number;
  readonly druggabilityScore: number | null;
  readonly volumeAngstrom3: number;
  readonly alphaSphereCount: number;
  readonly centerAngstrom: Vector;
  readonly box: { readonly centerAngstrom: Vector; readonly sizeAngstrom: Vector };
  readonly files: { readonly atoms: string; readonly alphaSpheres: string };
  /** Further numbers are for people. */
  readonly [name: string]: unknown;
}

/** A report without its lists and without what the program read. */
interface ReportFrame {
  readonly maxPockets: number;
  readonly pocketsFound: number;
  readonly files: Readonly<Record<string, string>>;
  /** Further fields are for people. */
  readonly [name: string]: unknown;
}

/** A report, as far as the files beside it are compared with it. */
export interface PocketsReport {
  readonly selected: { readonly atoms: number };
  readonly pockets: readonly PocketRecord[];
  /** The SHA-256 of every other output, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** How many numbers stand for one sphere. */
export const SPHERE_NUMBERS = 5;

/** A parsed report, or why the file is none. */
export type ParsedReport =
  | { readonly ok: true; readonly report: PocketsReport }
  | { readonly ok: false; readonly fault: string };

/** The most atoms of a PDB file, and the most alpha spheres that these may have. */
const MOST_ATOMS = 99_999;
/** The values of a report of so many atoms: seven for each of some 32,000 spheres, five for each residue. */
const MOST_VALUES = 600_000;
/** The most values of a part of the report that is compared as a whole; the longest is a digest for each output. */
const PART_VALUES = 1000;
/** The values of a residue or a sphere, counted as the bounds of JSON count them. */
const ITEM_VALUES = 10;
/** The edges of a box as docking takes them. */
const LARGEST_EDGE_ANGSTROM = 40;
const SMALLEST_EDGE_ANGSTROM = 18;
/** Means and middles are rounded to three decimals. */
const TOLERANCE_ANGSTROM = 0.002;
/** The margin of a box around the centres of the spheres. */
const MARGIN_ANGSTROM = 8;

const SHA256 = /^[0-9a-f]{64}$/;

const coordinate = Joi.number().min(-10_000).max(10_000).required();
const vector = (each: Joi.NumberSchema): Joi.ArraySchema =>
  Joi.array().length(3).items(each.required()).required();
const number = Joi.number().required();
const numberOrNone = Joi.number().allow(null).required();
const count = (most: number): Joi.NumberSchema => Joi.number().integer().min(0).max(most).required();
const digest = Joi.string().pattern(SHA256).required();
const text = (most: number): Joi.StringSchema => Joi.string().max(most).required();
const POCKET_PARTS = {
  rank: count(MOST_POCKETS),
  score: number,
  druggabilityScore: numberOrNone,
  volumeAngstrom3: Joi.number().min(0).required(),
  alphaSphereCount: count(MOST_ATOMS).min(1),
  polarityScore: Joi.number().integer().required(),
  chargeScore: Joi.number().integer().required(),
  totalSasaAngstrom2: numberOrNone,
  polarSasaAngstrom2: numberOrNone,
  apolarSasaAngstrom2: numberOrNone,
  meanLocalHydrophobicDensity: numberOrNone,
  meanAlphaSphereRadiusAngstrom: numberOrNone,
  meanAlphaSphereSolventAccess: numberOrNone,
  apolarAlphaSphereProportion: numberOrNone,
  hydrophobicityScore: numberOrNone,
  volumeScore: numberOrNone,
  polarAtomPercent: numberOrNone,
  alphaSphereDensity: numberOrNone,
  alphaSphereMaxDistanceAngstrom: numberOrNone,
  flexibility: numberOrNone,
  centerAngstrom: vector(coordinate),
  box: Joi.object({
    centerAngstrom: vector(coordinate),
    sizeAngstrom: vector(Joi.number().min(SMALLEST_EDGE_ANGSTROM).max(LARGEST_EDGE_ANGSTROM)),
  }).required(),
  files: Joi.object({ atoms: text(64), alphaSpheres: text(64) }).required(),
};
const POCKET = Joi.object<PocketNumbers>(POCKET_PARTS);
const REPORT_PARTS = {
  schema: Joi.string().valid(POCKETS_SCHEMA).required(),
  maxPockets: count(MOST_POCKETS).min(1),
  pocketsFound: count(MOST_ATOMS),
  clock: Joi.object({ seed: Joi.number().integer().required(), fixed: Joi.boolean().required() }).required(),
  files: Joi.object().pattern(Joi.string(), digest).required(),
  provenance: Joi.object({
    program: Joi.object({
      name: text(64),
      version: text(64),
      packSha256: text(128),
      packSource: text(32),
    }).required(),
    toolchain: Joi.object({ sha256: digest }).unknown().required(),
    cpuClass: text(32),
  }).required(),
};
const REPORT = Joi.object<ReportFrame>(REPORT_PARTS);

/**
 * Reads a report; its own numbers must agree with each other. Residues and spheres are checked one by one as they come: a
 * large structure has tens of thousands. What is answered takes little memory, because it is kept while the other outputs
 * are read.
 */
export async function readReport(pieces: Pieces): Promise<ParsedReport> {
  const draft = new ReportDraft();
  const unfit = await shapeFault(pieces, draft.shape, MOST_VALUES);
  if (unfit !== null) return { ok: false, fault: draft.fault ?? `is no report: ${unfit}` };
  const checked = REPORT.validate(draft.frame, { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no report: ${checked.error.message}` };
  const { files, pocketsFound, maxPockets } = checked.value;
  const { atoms, pockets } = draft;
  if (pockets.length === Math.min(pocketsFound, maxPockets))
    return { ok: true, report: { selected: { atoms }, pockets, files } };
  const fault = `has ${pockets.length} of ${pocketsFound} pockets, and ${maxPockets} were asked for`;
  return { ok: false, fault };
}

/** A report as far as it was read. */
class ReportDraft {
  readonly frame: Record<string, unknown> = {};
  readonly pockets: PocketRecord[] = [];
  readonly shape: JsonShape;
  atoms = 0;
  fault: string | null = null;
  #pocket: Record<string, unknown> = {};
  #residues = 0;
  #spheres: number[] = [];

  constructor() {
    const pocket = objectOf(
      {
        residues: listOf(
          keptOf(ITEM_VALUES, (value) => this.#takeResidue(value)),
          { least: 1 },
        ),
        alphaSpheres: listOf(keptOf(ITEM_VALUES, (value) => this.#takeSphere(value))),
      },
      {
        optional: partsOf(POCKET_PARTS, (name, value) => (this.#pocket[name] = value)),
        isClosed: true,
        takes: () => this.#endPocket(),
      },
    );
    this.shape = objectOf(
      {
        receptor: objectOf({ sha256: matching(SHA256), format: matching(/^(pdb|mmcif)$/) }),
        selected: objectOf({
          atoms: countOf((atoms) => (this.atoms = atoms), MOST_ATOMS),
          atomRecords: countOf(undefined, MOST_ATOMS),
        }),
        pockets: listOf(pocket),
        warnings: listOf(ANYTHING),
      },
      { optional: partsOf(REPORT_PARTS, (name, value) => (this.frame[name] = value)), isClosed: true },
    );
  }

  #takeResidue(value: unknown): boolean {
    this.#residues += 1;
    return isResidue(value) || this.#refuse((rank) => `has a residue that is none in pocket ${rank}`);
  }

  #takeSphere(value: unknown): boolean {
    if (!isSphere(value))
      return this.#refuse((rank) => `has an alpha sphere without place or radius in pocket ${rank}`);
    this.#spheres.push(...value.centerAngstrom, value.radiusAngstrom, value.apolar ? 1 : 0);
    return this.#spheres.length <= MOST_ATOMS * SPHERE_NUMBERS;
  }

  #endPocket(): boolean {
    const checked = POCKET.validate(this.#pocket, { convert: false });
    if (checked.error !== undefined) {
      const { message } = checked.error;
      return this.#refuse(() => `is no report: ${message}`);
    }
    const spheres = Float64Array.from(this.#spheres);
    const record = { ...checked.value, residueCount: this.#residues, spheres };
    if (record.rank !== this.pockets.length + 1)
      return this.#refuse(() => 'has ranks that are not counted from 1');
    const fault = pocketFault(record);
    if (fault !== null) return this.#refuse(() => fault);
    this.pockets.push(record);
    this.#pocket = {};
    this.#residues = 0;
    this.#spheres = [];
    return this.pockets.length <= MOST_POCKETS;
  }

  #refuse(faultOf: (rank: number) => string): false {
    this.fault ??= faultOf(this.pockets.length + 1);
    return false;
  }
}

/** A shape for each part; the parts are given away and compared with their schema in the end. */
function partsOf(
  parts: Readonly<Record<string, Joi.Schema>>,
  take: (name: string, value: unknown) => void,
): Record<string, JsonShape> {
  const keep = (name: string): JsonShape =>
    keptOf(PART_VALUES, (value) => {
      take(name, value);
      return true;
    });
  return Object.fromEntries(Object.keys(parts).map((name) => [name, keep(name)]));
}

/** The centre and the box are computed anew, because customers dock into them. */
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

function isResidue(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 4) return false;
  const { chain, residue, insertionCode, residueName } = value;
  return (
    isText(chain, 1, 32) &&
    Number.isInteger(residue) &&
    isWithin(residue, -999, 9999) &&
    isText(insertionCode, 0, 4) &&
    isText(residueName, 1, 16)
  );
}

function isText(value: unknown, least: number, most: number): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

interface SphereEntry {
  readonly centerAngstrom: readonly number[];
  readonly radiusAngstrom: number;
  readonly apolar: boolean;
}

function isSphere(sphere: unknown): sphere is SphereEntry {
  if (!isRecord(sphere) || Object.keys(sphere).length !== 3) return false;
  const { centerAngstrom, radiusAngstrom, apolar } = sphere;
  return (
    Array.isArray(centerAngstrom) &&
    centerAngstrom.length === 3 &&
    centerAngstrom.every((place) => isWithin(place, -10_000, 10_000)) &&
    isWithin(radiusAngstrom, 0, 100) &&
    typeof apolar === 'boolean'
  );
}

function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
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

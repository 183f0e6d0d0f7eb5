/**
 * `pockets.json` as far as the control side relies on it, which is nearly all of it: customers dock into its boxes. The
 * whole shape is docs/schemas/pockets-result.schema.json.
 */
import Joi from 'joi';

import { isRecord } from '../../domain/is-record.ts';
import { parseJson } from '../parse-json.ts';
import { pocketFiles } from './names.ts';
import { MOST_POCKETS } from './parameters.ts';

/** The format of a report; a report with another meaning gets another name. */
export const POCKETS_SCHEMA = 'dockyard.pockets.result/v1';

type Vector = readonly [number, number, number];

/** One alpha sphere. */
export interface AlphaSphere {
  readonly centerAngstrom: Vector;
  readonly radiusAngstrom: number;
  readonly apolar: boolean;
}

/** One pocket, as far as the control side reads it. */
export interface PocketRecord {
  readonly rank: number;
  readonly score: number;
  readonly druggabilityScore: number | null;
  readonly volumeAngstrom3: number;
  readonly alphaSphereCount: number;
  readonly centerAngstrom: Vector;
  readonly box: { readonly centerAngstrom: Vector; readonly sizeAngstrom: Vector };
  readonly residues: readonly { readonly chain: string }[];
  readonly alphaSpheres: readonly AlphaSphere[];
  readonly files: { readonly atoms: string; readonly alphaSpheres: string };
}

/** A parsed report. */
export interface PocketsReport {
  readonly selected: { readonly atoms: number };
  readonly maxPockets: number;
  readonly pocketsFound: number;
  readonly pockets: readonly PocketRecord[];
  /** The SHA-256 of every other output, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Further fields are for people. */
  readonly [name: string]: unknown;
}

/** A parsed report, or why the file is none. */
export type ParsedReport =
  { readonly ok: true; readonly report: PocketsReport } | { readonly ok: false; readonly fault: string };

/** The most atoms of a PDB file, and the most alpha spheres that these may have. */
const MOST_ATOMS = 99_999;
/** The values of a report of so many atoms: seven for each of some 32,000 spheres, five for each residue. */
const MOST_VALUES = 600_000;
/** The edges of a box as docking takes them. */
const LARGEST_EDGE_ANGSTROM = 40;
const SMALLEST_EDGE_ANGSTROM = 18;
/** Means and middles are rounded to three decimals. */
const TOLERANCE_ANGSTROM = 0.002;
/** The margin of a box around the centres of the spheres. */
const MARGIN_ANGSTROM = 8;

const coordinate = Joi.number().min(-10_000).max(10_000).required();
const vector = (each: Joi.NumberSchema): Joi.ArraySchema =>
  Joi.array().items(each.required()).length(3).required();
const number = Joi.number().required();
const numberOrNone = Joi.number().allow(null).required();
const count = (most: number): Joi.NumberSchema => Joi.number().integer().min(0).max(most).required();
const digest = Joi.string()
  .pattern(/^[0-9a-f]{64}$/)
  .required();
const text = (most: number): Joi.StringSchema => Joi.string().max(most).required();
const residue = Joi.object({
  chain: text(32),
  residue: Joi.number().integer().min(-999).max(9999).required(),
  insertionCode: Joi.string().max(4).allow('').required(),
  residueName: text(16),
});
const pocket = Joi.object({
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
  residues: Joi.array().items(residue).min(1).required(),
  // The spheres are checked by hand: a large structure has tens of thousands, each with five numbers.
  alphaSpheres: Joi.array().required(),
  files: Joi.object({ atoms: text(64), alphaSpheres: text(64) }).required(),
});
const REPORT = Joi.object<PocketsReport>({
  schema: Joi.string().valid(POCKETS_SCHEMA).required(),
  receptor: Joi.object({ sha256: digest, format: Joi.string().valid('pdb', 'mmcif').required() })
    .unknown()
    .required(),
  selected: Joi.object({ atoms: count(MOST_ATOMS), atomRecords: count(MOST_ATOMS) })
    .unknown()
    .required(),
  maxPockets: count(MOST_POCKETS).min(1),
  pocketsFound: count(MOST_ATOMS),
  clock: Joi.object({ seed: Joi.number().integer().required(), fixed: Joi.boolean().required() }).required(),
  pockets: Joi.array().items(pocket).max(MOST_POCKETS).required(),
  files: Joi.object().pattern(Joi.string(), digest).required(),
  warnings: Joi.array().required(),
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
}).required();

/** Reads a report; its own numbers must agree with each other. */
export function parseReport(content: Uint8Array): ParsedReport {
  const checked = REPORT.validate(parseJson(content, MOST_VALUES), { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no report: ${checked.error.message}` };
  const report = checked.value;
  const fault = countsFault(report) ?? report.pockets.map(pocketFault).find((each) => each !== null) ?? null;
  return fault === null ? { ok: true, report } : { ok: false, fault };
}

function countsFault({ pockets, pocketsFound, maxPockets }: PocketsReport): string | null {
  if (pockets.length !== Math.min(pocketsFound, maxPockets)) {
    return `has ${pockets.length} of ${pocketsFound} pockets, and ${maxPockets} were asked for`;
  }
  return pockets.every(({ rank }, index) => rank === index + 1)
    ? null
    : 'has ranks that are not counted from 1';
}

/** The centre and the box are computed anew, because customers dock into them. */
function pocketFault({
  rank,
  alphaSphereCount,
  alphaSpheres,
  centerAngstrom,
  box,
  files,
}: PocketRecord): string | null {
  if (alphaSpheres.length !== alphaSphereCount)
    return `has another number of alpha spheres in pocket ${rank}`;
  const [atoms, spheres] = pocketFiles(rank);
  if (files.atoms !== atoms || files.alphaSpheres !== spheres) return `names other files for pocket ${rank}`;
  if (!alphaSpheres.every(isSphere)) return `has an alpha sphere without place or radius in pocket ${rank}`;
  for (const axis of [0, 1, 2] as const) {
    const places = alphaSpheres.map((sphere) => sphere.centerAngstrom[axis]);
    const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
    const [low, high] = extentOf(places);
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

/** Whether a parsed value is a sphere; its type says more than was checked before. */
function isSphere(sphere: unknown): boolean {
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

function extentOf(places: readonly number[]): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const place of places) {
    low = Math.min(low, place);
    high = Math.max(high, place);
  }
  return [low, high];
}

function isOff(told: number, wanted: number): boolean {
  return !(Math.abs(told - wanted) <= TOLERANCE_ANGSTROM);
}

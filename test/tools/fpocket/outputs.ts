// Small outputs as a good session writes them: a structure of eight atoms with two pockets.
import { createHash } from 'node:crypto';

import type { StagedOutput } from '../../../src/contracts/instance.ts';
import { ALWAYS, factsOfPockets, pocketFiles, WHOLE_FACTS } from '../../../src/tools/fpocket/names.ts';
import type { OutputFacts } from '../../../src/tools/expected-outputs.ts';

/** The texts of files by name. */
export type Texts = Readonly<Record<string, string>>;

/** A sphere: its centre and its radius in Å, and whether it is apolar. */
export type Sphere = readonly [x: number, y: number, z: number, radius: number, apolar: boolean];

const ATOM = 'ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00  0.00           C  \n';
const SPHERES: readonly (readonly Sphere[])[] = [
  [
    [1, 2, 3, 3.5, true],
    [4, 2, 3.5, 4.05, false],
    [31, 2, 3, 3.9, true],
  ],
  [[-7.125, 0, 12.5, 3.41, true]],
];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const column = (value: number): string => value.toFixed(3).padStart(8);

/** A file of spheres as the program writes it. */
export function pqr(spheres: readonly Sphere[]): string {
  const lines = spheres.map(
    ([x, y, z, radius, apolar], index) =>
      `ATOM  ${String(index + 1).padStart(5)}    ${apolar ? 'C' : 'O'} STP     1    ${column(x)}${column(y)}${column(z)}    0.00   ${radius.toFixed(2).padStart(6)}\n`,
  );
  return `HEADER\n${lines.join('')}TER\nEND\n`;
}

/** A pocket of the report, its centre and its box computed by hand in the test's own way. */
export function pocketOf(rank: number, spheres: readonly Sphere[]): Record<string, unknown> {
  const axes = ([0, 1, 2] as const).map((axis) => spheres.map((sphere) => sphere[axis]));
  const [atoms, alphaSpheres] = pocketFiles(rank);
  return {
    ...{ rank, score: 0.5 / rank, druggabilityScore: rank === 1 ? 0.25 : null, volumeAngstrom3: 120.5 },
    ...{ alphaSphereCount: spheres.length, polarityScore: 3, chargeScore: -1, flexibility: null },
    ...{ totalSasaAngstrom2: 9.5, polarSasaAngstrom2: 1.5, apolarSasaAngstrom2: 8 },
    ...{ meanLocalHydrophobicDensity: 3.25, meanAlphaSphereRadiusAngstrom: 3.8 },
    ...{ meanAlphaSphereSolventAccess: 0.5, apolarAlphaSphereProportion: 0.6, hydrophobicityScore: 40 },
    ...{ volumeScore: 4.1, polarAtomPercent: 25, alphaSphereDensity: 5, alphaSphereMaxDistanceAngstrom: 11 },
    centerAngstrom: axes.map((places) => places.reduce((sum, place) => sum + place, 0) / places.length),
    box: {
      centerAngstrom: axes.map((places) => (Math.min(...places) + Math.max(...places)) / 2),
      sizeAngstrom: axes.map((places) =>
        Math.min(40, Math.max(18, Math.max(...places) - Math.min(...places) + 8)),
      ),
    },
    residues: [{ chain: 'A', residue: rank, insertionCode: '', residueName: 'ALA' }],
    alphaSpheres: spheres.map(([x, y, z, radiusAngstrom, apolar]) => ({
      ...{ centerAngstrom: [x, y, z], radiusAngstrom, apolar },
    })),
    files: { atoms, alphaSpheres },
  };
}

/** The table of a report's pockets. */
export function tableOf(pockets: readonly Record<string, unknown>[]): string {
  const head =
    'rank,score,druggability_score,volume_angstrom3,alpha_spheres,center_x,center_y,center_z,box_center_x,box_center_y,box_center_z,box_size_x,box_size_y,box_size_z,residue_count,residues';
  const rows = pockets.map((pocket) => {
    const box = pocket['box'] as { centerAngstrom: number[]; sizeAngstrom: number[] };
    return [
      ...[pocket['rank'], pocket['score'], pocket['druggabilityScore'] ?? '', pocket['volumeAngstrom3']],
      ...[pocket['alphaSphereCount'], ...(pocket['centerAngstrom'] as number[])],
      ...[...box.centerAngstrom, ...box.sizeAngstrom, 1, `A:ALA${String(pocket['rank'])}`],
    ].join(',');
  });
  return [head, ...rows].map((row) => `${row}\r\n`).join('');
}

/** What is told of the structure as the program read it. */
export const SELECTED = {
  ...{ atoms: 8, atomRecords: 8, hydrogensRemoved: 0, alternativeLocations: 0 },
  ...{ renamedChains: [], renamedComponents: [], componentsRead: [] },
};

/** What may be told otherwise than it is. */
export interface Odd {
  readonly texts?: Texts;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly pocket?: Readonly<Record<string, unknown>>;
  /** Whether the report has the digests of the odd texts. */
  readonly agrees?: boolean;
}

/** The files of a search that found so many pockets; `odd` changes what a liar would change. */
export function written(count: number, odd: Odd = {}): Texts {
  const spheres = SPHERES.slice(0, count);
  const honest = spheres.map((each, index) => pocketOf(index + 1, each));
  const pockets = honest.map((pocket, index) => (index === 0 ? { ...pocket, ...odd.pocket } : pocket));
  const texts = {
    'selected.pdb': `${ATOM.repeat(8)}END\n`,
    'fpocket_out.pdb': ATOM.repeat(8),
    'fpocket.log': '***** POCKET HUNTING BEGINS *****\n',
    'pockets.csv': tableOf(honest),
    ...Object.fromEntries(
      spheres.flatMap((each, index) => {
        const [atoms, alphaSpheres] = pocketFiles(index + 1);
        return [
          [atoms, `HEADER\n${ATOM.repeat(4)}TER\nEND\n`],
          [alphaSpheres, pqr(each)],
        ];
      }),
    ),
  };
  const told = { ...texts, ...(odd.agrees === false ? {} : odd.texts) };
  const report = {
    schema: 'dockyard.pockets.result/v1',
    receptor: {
      ...{ source: {}, sha256: 'a'.repeat(64), format: 'pdb', assembly: { id: '1' }, model: 1 },
      ...{ chains: ['A'], remarks: [] },
    },
    selected: SELECTED,
    ...{ maxPockets: 10, pocketsFound: count, clock: { seed: 1, fixed: true }, pockets, warnings: [] },
    files: Object.fromEntries(Object.entries(told).map(([name, text]) => [name, sha256(text)])),
    provenance: {
      program: { name: 'fpocket', version: '4.2.2', packSha256: 'b'.repeat(64), packSource: 'cache' },
      toolchain: { sha256: 'c'.repeat(64), versions: {} },
      cpuClass: 'x86-64-v3',
    },
    ...odd.report,
  };
  return { 'pockets.json': JSON.stringify(report), ...texts, ...odd.texts };
}

/** The outputs as an instance reports them. */
export function reported(texts: Texts): StagedOutput[] {
  const facts: Readonly<Record<string, OutputFacts>> = {
    ...ALWAYS,
    'fpocket_out.pdb': WHOLE_FACTS,
    ...factsOfPockets(20),
  };
  return Object.entries(texts).map(([name, text]) => {
    const [kind, mediaType, format] = facts[name] ?? ['log', 'text/plain', 'log'];
    return {
      ...{ name, kind, mediaType, format, sha256: sha256(text), byteSize: Buffer.byteLength(text) },
    };
  });
}

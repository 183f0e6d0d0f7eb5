/**
 * Docking jobs for tests: 1A28 with its steroid, ligands that are small and so quick, and ligands that fail in every
 * way.
 */
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { sha256 } from './api.ts';
import type { TestApi } from './api.ts';

/** A request or a part of one. */
export type Json = Record<string, unknown>;

/** A packed library of less than a megabyte that unpacks to 400. */
export function packedBomb(): Uint8Array<ArrayBuffer> {
  const member = gzipSync(Buffer.from(`# ${'x'.repeat(1_000_000)}\n`));
  return Buffer.concat(Array.from({ length: 400 }, () => member));
}

/** A bad ligand with the code that it must fail with. */
export interface BadLigand {
  readonly ligand: Json;
  readonly code: string;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  sdf: 'chemical/x-mdl-sdfile',
  mol2: 'chemical/x-mol2',
  pdbqt: 'chemical/x-pdbqt',
  pdb: 'chemical/x-pdb',
};

const ATOMS = [
  ['C', -1.25, 0, 0],
  ['C', 0, 0.75, 0],
  ['O', 1.25, 0, 0],
] as const;

/** Ethanol as an SD file without hydrogens. */
export const ETHANOL_SDF = [
  'ethanol',
  '  test',
  '',
  '  3  2  0  0  0  0  0  0  0  0999 V2000',
  ...ATOMS.map(
    ([symbol, x, y, z]) =>
      `${[x, y, z].map((value) => value.toFixed(4).padStart(10)).join('')} ${symbol.padEnd(3)} 0  0  0  0  0  0  0  0  0  0  0  0`,
  ),
  '  1  2  1  0',
  '  2  3  1  0',
  'M  END',
  '$$$$',
  '',
].join('\n');

/** A ligand from SMILES. */
export function smilesLigand(ligandId: string, smiles: string): Json {
  return { ligandId, label: ligandId, source: { kind: 'smiles', smiles } };
}

/** Uploads a text and registers it as an artifact; answers the reference. */
export async function storeArtifact(
  api: TestApi,
  key: string,
  content: string,
  format: string,
): Promise<Json> {
  const announced = await api.call(key, 'POST', 'jobs/upload-url', {
    filename: `input.${format}`,
    contentType: MEDIA_TYPES[format] ?? 'application/octet-stream',
    size: Buffer.byteLength(content),
    sha256: sha256(content),
  });
  expect(announced.status, JSON.stringify(announced.body)).to.equal(200);
  const { uploadUrl, headers, s3Key: storageKey } = announced.body;
  expect((await fetch(uploadUrl, { method: 'PUT', body: content, headers })).status).to.equal(200);
  const registered = await api.call(key, 'POST', 'molecular/docking/artifacts', { storageKey, format });
  expect(registered.status, JSON.stringify(registered.body)).to.be.oneOf([200, 201]);
  return registered.body.artifact;
}

/** Five ligands that dock in about a second each, one or more from each kind of source. */
export async function goodLigands(api: TestApi, key: string): Promise<Json[]> {
  const ethanol = await storeArtifact(api, key, ETHANOL_SDF, 'sdf');
  return [
    smilesLigand('phenol', 'Oc1ccccc1'),
    smilesLigand('aniline:2', 'Nc1ccccc1'),
    { ligandId: 'benzamidine', label: 'BEN of the dictionary', source: { kind: 'ccd', componentId: 'BEN' } },
    { ligandId: 'ethanol', label: '=ethanol, from a file', source: { kind: 'artifact', artifact: ethanol } },
    smilesLigand('acetate.Na', 'CC(=O)[O-].[Na+]'),
  ];
}

/** Ligands that must fail, each by itself and with its code. */
export async function badLigands(api: TestApi, key: string): Promise<BadLigand[]> {
  const texts: readonly (readonly [id: string, smiles: string, code: string])[] = [
    ['open-ring', 'C1CCC', 'LIGAND_PARSE_FAILED'],
    ['not-aromatic', 'c1cccc1', 'LIGAND_PARSE_FAILED'],
    ['five-bonds', 'CC(C)(C)(C)C', 'LIGAND_PARSE_FAILED'],
    ['two-words', 'CCO ethanol', 'LIGAND_PARSE_FAILED'],
    ['reaction', 'CCO>>CC=O', 'LIGAND_PARSE_FAILED'],
    ['mixture', 'CCOCC.c1ccncc1', 'LIGAND_MULTI_FRAGMENT'],
    ['arsenic', 'C[As](C)C', 'LIGAND_UNSUPPORTED_ATOM'],
    ['radical', 'C[CH]C', 'LIGAND_UNSUPPORTED_ATOM'],
    ['r-group', '*c1ccccc1', 'LIGAND_UNSUPPORTED_ATOM'],
    ['too-heavy', 'C'.repeat(101), 'LIGAND_TOO_LARGE'],
    ['too-flexible', 'C'.repeat(60), 'LIGAND_TOO_LARGE'],
  ];
  const files: readonly (readonly [id: string, content: string, format: string, code: string])[] = [
    ['two-records', ETHANOL_SDF + ETHANOL_SDF, 'sdf', 'LIGAND_MULTI_RECORD'],
    ['cut-off', ETHANOL_SDF.slice(0, 150), 'sdf', 'LIGAND_PARSE_FAILED'],
    ['blank-file', '\n', 'sdf', 'LIGAND_ARTIFACT_UNREADABLE'],
    ['zeros', '\0\0\0\0', 'sdf', 'LIGAND_ARTIFACT_UNREADABLE'],
    ['no-molecule', 'nothing\n', 'mol2', 'LIGAND_PARSE_FAILED'],
    [
      'no-bonds',
      'ATOM      1  C   LIG A   1       0.000   0.000   0.000  0.00  0.00     0.000 C\n',
      'pdbqt',
      'LIGAND_FORMAT_UNSUPPORTED',
    ],
    ['a-protein', 'HEADER\n', 'pdb', 'LIGAND_FORMAT_UNSUPPORTED'],
    ['a-report', '{}\n', 'json', 'LIGAND_FORMAT_UNSUPPORTED'],
  ];
  const stored: BadLigand[] = [];
  for (const [ligandId, content, format, code] of files) {
    const artifact = await storeArtifact(api, key, content, format);
    stored.push({ ligand: { ligandId, label: ligandId, source: { kind: 'artifact', artifact } }, code });
  }
  return [
    ...texts.map(([id, smiles, code]) => ({ ligand: smilesLigand(id, smiles), code })),
    {
      ligand: { ligandId: 'no-such-id', label: 'x', source: { kind: 'ccd', componentId: 'ZZZZZ' } },
      code: 'LIGAND_NOT_FOUND',
    },
    ...stored,
  ];
}

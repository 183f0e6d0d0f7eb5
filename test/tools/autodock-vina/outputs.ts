// Small outputs as a good session writes them: a file of two modes, its result, a prepared receptor.
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import type { StagedOutput } from '../../../src/contracts/instance.ts';

/** The contents of files by name, with what is reported of each file. */
export interface Written {
  readonly [name: string]: { text: string; kind: string; mediaType: string; format: string };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An SD file of one atom per pose. */
export function sdf(ligandId: string, energies: readonly number[]): string {
  return energies
    .map((energy, index) =>
      [
        ligandId,
        '     RDKit          3D',
        '',
        '  1  0  0  0  0  0  0  0  0  0999 V2000',
        '    1.0000   -2.5000    3.0000 O   0  0  0  0  0  0  0  0  0  0  0  0',
        'M  END',
        '>  <ligandId>  (1) ',
        ligandId,
        '',
        '>  <mode>  (1) ',
        String(index + 1),
        '',
        '>  <affinity_kcal_mol>  (1) ',
        energy.toFixed(3),
        '',
        '$$$$',
        '',
      ].join('\n'),
    )
    .join('');
}

/** The text of the poses as Vina writes them. */
export function pdbqt(count: number): string {
  return Array.from({ length: count }, (_, index) => `MODEL ${index + 1}\nENDMDL\n`).join('');
}

/** A result with the digest of its hashed part and of the poses' files. */
export function result(ligandId: string, energies: readonly number[], files: OddPoses = {}): string {
  const hashed = {
    ligandId,
    poses: energies.map((affinityKcalMol, index) => ({
      mode: index + 1,
      affinityKcalMol,
      ...(files.checks === undefined ? {} : { checks: files.checks }),
      interactions: 'interactions' in files ? files.interactions : [],
    })),
    provenance: { seed: 42 },
    ...files.told,
    files: {
      'poses.sdf': sha256(files.sdf ?? sdf(ligandId, energies)),
      'poses.pdbqt': sha256(files.pdbqt ?? pdbqt(energies.length)),
      ...(files.flexible === undefined ? {} : { 'flexible.pdb': sha256(files.flexible) }),
    },
  };
  return JSON.stringify({
    schema: files.schema ?? 'dockyard.docking.result/v2',
    sha256: sha256(canonicalize(hashed) ?? ''),
    result: hashed,
    run: { seconds: 1.5 },
  });
}

/** How the files of a docked ligand differ from what its result says. */
export interface OddPoses {
  readonly sdf?: string;
  readonly pdbqt?: string;
  /** The residues whose side chains turned. */
  readonly flexible?: string;
  /** What each pose carries of its checks. */
  readonly checks?: unknown;
  /** The interactions of each pose; none where they are left out. */
  readonly interactions?: unknown;
  /** The format that the result names, where it is not the one that its poses have. */
  readonly schema?: string;
  /** Further fields of the result. */
  readonly told?: Readonly<Record<string, unknown>>;
}

/**
 * The outputs of a docked ligand, or of the control; the result has the digests of the files, also of files that
 * differ.
 */
export function poses(
  folder: string,
  ligandId: string,
  energies: readonly number[] = [-7.25, -6.5],
  odd: OddPoses = {},
): Written {
  const isControl = folder === 'control';
  const file = (name: string, text: string, [kind, mediaType, format]: readonly string[]): Written => ({
    [`${folder}/${name}`]: {
      text,
      kind: isControl ? 'control' : (kind ?? ''),
      mediaType: mediaType ?? '',
      format: format ?? '',
    },
  });
  return {
    ...file('poses.sdf', odd.sdf ?? sdf(ligandId, energies), ['poses', 'chemical/x-mdl-sdfile', 'sdf']),
    ...file('poses.pdbqt', odd.pdbqt ?? pdbqt(energies.length), ['poses_pdbqt', 'chemical/x-pdbqt', 'pdbqt']),
    ...(odd.flexible === undefined
      ? {}
      : file('flexible.pdb', odd.flexible, ['side_chains', 'chemical/x-pdb', 'pdb'])),
    ...file('result.json', result(ligandId, energies, odd), ['result', 'application/json', 'json']),
    ...file('dock.log', '', ['log', 'text/plain', 'log']),
  };
}

const ATOM = 'ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N  \n';

/** The outputs of a preparation. */
export function preparation(): Written {
  const digest = sha256('x');
  return {
    'receptor/prepared.pdb': {
      text: ATOM,
      kind: 'prepared_receptor',
      mediaType: 'chemical/x-pdb',
      format: 'pdb',
    },
    'receptor/prepared.pdbqt': {
      text: ATOM,
      kind: 'prepared_receptor',
      mediaType: 'chemical/x-pdbqt',
      format: 'pdbqt',
    },
    'receptor/preparation.json': {
      text: JSON.stringify({
        preparedReceptor: {
          cacheKey: digest,
          receptorIdentitySha256: digest,
          preparationSha256: digest,
          toolchainSha256: digest,
          workerImageDigest: `sha256:${digest}`,
        },
      }),
      kind: 'preparation_report',
      mediaType: 'application/json',
      format: 'json',
    },
    'box.json': {
      text: JSON.stringify({
        centerAngstrom: [1, -2, 3.5],
        sizeAngstrom: [20, 22, 24],
        derivation: { kind: 'explicit' },
      }),
      kind: 'box',
      mediaType: 'application/json',
      format: 'json',
    },
  };
}

/** The report of an instance about the files. */
export function reported(written: Written): StagedOutput[] {
  return Object.entries(written).map(([name, { text, kind, mediaType, format }]) => ({
    name,
    kind,
    mediaType,
    format,
    byteSize: Buffer.byteLength(text),
    sha256: sha256(text),
  }));
}

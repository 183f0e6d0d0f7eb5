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

/** Some digest. */
export const HASH = sha256('x');

/** What is told of a prepared ligand. */
export const LIGAND = {
  protonationPh: 7.4,
  smilesInput: 'CC(=O)O',
  smilesDocked: 'CC(=O)[O-]',
  formula: 'C2H3O2-',
  heavyAtoms: 27,
  formalCharge: -1,
  protonation: 'model',
  protonationSites: [],
  activeTorsions: 1,
  descriptors: {
    ...{ molecularWeight: 60.052, logP: 0.091, tpsa: 37.3, donors: 1, acceptors: 1, rotatableBonds: 0 },
    ...{ qed: 0.43, alerts: ['BRENK: x'], scaffold: '' },
  },
  removedFragments: [],
  openStereo: { centres: 0, doubleBonds: 0 },
  forceField: 'MMFF94',
  rigidMacrocycles: [],
  pdbqt: 'ROOT\n',
};
const PARAMETERS = {
  ...{ scoringFunction: 'vina', exhaustiveness: 8, numModes: 9, energyRangeKcalMol: 3 },
  ...{ minRmsdAngstrom: 1, gridSpacingAngstrom: 0.375, cpu: 1 },
};
const PROVENANCE = {
  seed: 42,
  tools: { vina: '1.2.7', rdkit: '2026.9.1' },
  toolchainSha256: HASH,
  cpuClass: 'x86-64-v3',
  parameters: PARAMETERS,
  box: { centerAngstrom: [1, -2, 3.5], sizeAngstrom: [20, 22, 24] },
  receptor: { identitySha256: HASH, preparationSha256: HASH, preparedPdbqtSha256: HASH },
  ligandPdbqtSha256: HASH,
};

/** The figures of a best score of a ligand of so many heavy atoms, with three decimals. */
function efficiencies(best: number, heavyAtoms: number): Readonly<Record<string, number>> {
  const rounded = (value: number): number => Number(value.toFixed(3));
  return {
    bestAffinityKcalMol: best,
    ligandEfficiency: rounded(-best / heavyAtoms),
    sizeIndependentEfficiency: rounded(-best / heavyAtoms ** 0.3),
  };
}

/** A result with the digest of its hashed part and of the poses' files; as its schema has it, but for what is odd. */
export function result(ligandId: string, energies: readonly number[], files: OddPoses = {}): string {
  const { ligand, provenance, ...told } = files.told ?? {};
  const hashed = {
    ligandId,
    kind: 'ligand',
    label: null,
    source: { kind: 'smiles', smiles: 'CC(=O)O' },
    ligand: { ...LIGAND, ...ligand },
    ...efficiencies(energies[0] ?? 0, LIGAND.heavyAtoms),
    poses: energies.map((affinityKcalMol, index) => ({
      mode: index + 1,
      affinityKcalMol,
      ...{ rmsdLowerAngstrom: index * 1.5, rmsdUpperAngstrom: index * 2 },
      ...{ intermolecularKcalMol: -8, intramolecularKcalMol: -1, torsionalKcalMol: 0.5 },
      checks: files.checks ?? { passed: true, failed: [], notChecked: [] },
      interactions: 'interactions' in files ? files.interactions : [],
    })),
    warnings: [],
    provenance: { ...PROVENANCE, ...provenance },
    ...told,
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
    run: { startedAt: '2026-11-28T12:00:00.000+00:00', seconds: 1.5, host: 'h' },
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
  /** Other members of the result; of the ligand and the provenance those that are other ones. */
  readonly told?: Readonly<Record<string, unknown>> & {
    readonly ligand?: Readonly<Record<string, unknown>>;
    readonly provenance?: Readonly<Record<string, unknown>>;
  };
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

const ROWS = [
  ...['altlocs', 'renames', 'gaps', 'atomsBuilt', 'atomsDropped', 'repairs', 'residuesFlipped'],
  ...['residuesMoved', 'disulfides', 'pka', 'protonationStates', 'metalSites', 'histidines'],
  ...['hydrogensSetByTemplate', 'remarks', 'warnings', 'files'],
];
const PREPARATION = {
  schema: 'dockyard.docking.preparation/v1',
  receptor: { sha256: HASH, format: 'pdb', model: 1, assembly: '1', chains: ['A'] },
  ...{ preparation: {}, components: {}, versions: {} },
  ...{ hydrogensRemoved: 0, heavyAtoms: 1, hydrogens: 0 },
  ...Object.fromEntries(ROWS.map((name) => [name, []])),
  preparedReceptor: {
    ...{ cacheKey: HASH, receptorIdentitySha256: HASH, preparationSha256: HASH, toolchainSha256: HASH },
    workerImageDigest: `sha256:${HASH}`,
  },
};

/** The outputs of a preparation. */
export function preparation(): Written {
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
      text: JSON.stringify(PREPARATION),
      kind: 'preparation_report',
      mediaType: 'application/json',
      format: 'json',
    },
    'box.json': {
      text: JSON.stringify({
        schema: 'dockyard.docking.box/v1',
        centerAngstrom: [1, -2, 3.5],
        sizeAngstrom: [20, 22, 24],
        derivation: { kind: 'explicit' },
        ...{ volumeAngstrom3: 10_560, receptorHeavyAtoms: 283, removedNearby: [] },
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

/** The bounds of the fields of a simulation, as the contract gives them. */
import { HEX64, artifact, library, ligand, list, residueAt, text } from './samples.ts';
import type { Row } from './submit-rows.ts';

const native = (patch: object): object => ({
  nativeReference: { componentId: 'XK2', ...residueAt, ...patch },
});

export const SIMULATION_ROWS: readonly Row[] = [
  ['receptorPdbId', ['1hvr', '9ABC'], ['ahvr', '1hv', '1hvrr', '1hv-', 1]],
  ['receptorArtifact', [artifact], [{ ...artifact, more: 1 }, {}, 'x']],
  ['receptorAssemblyId', ['1', text(32)], ['', text(33)]],
  ['receptorModel', [1, 9999], [0, 10_000, 1.5, '1']],
  ['receptorChains', [['A'], list(128, 'A'), [text(16)]], [[], list(129, 'A'), [''], [text(17)], 'A']],
  [
    'ligandIdentity',
    [ligand],
    [
      { ...ligand, ligandId: undefined },
      { ...ligand, label: undefined },
      { ...ligand, source: undefined },
    ],
  ],
  ['ligandLibrary', [[ligand], library(10_000)], [[], library(10_001), [ligand, ligand], ligand]],
  [
    'receptorPreparation',
    [{}, { protonationPh: 0 }, { protonationPh: 14 }],
    [{ protonationPh: -0.1 }, { protonationPh: 14.1 }, { more: 1 }],
  ],
  [
    'dockingValidation',
    [{}, native({})],
    [{ more: 1 }, { nativeReference: {} }, { requiredRmsdAngstrom: 0 }],
  ],
  [
    'dockingExecution',
    [{}, { shardSize: 1 }, { shardSize: 10 }],
    [{ shardSize: 0 }, { shardSize: 11 }, { shardSize: 1.5 }],
  ],
  ['pocketLigand', ['X', text(8)], ['', text(9)]],
  ['pocketLigandChain', ['A', text(16)], ['', text(17)]],
  ['pocketLigandResidue', [-9999, 99_999], [-10_000, 100_000, 1.5]],
  ['pocketLigandInsertionCode', ['', text(4)], [text(5), 1]],
  [
    'pocketResidues',
    [
      [residueAt],
      list(256, residueAt),
      [{ ...residueAt, insertionCode: 'ABCD' }],
      [{ residueName: 'HIS' }, { residueName: text(8), chain: 'A' }, { ...residueAt, residueName: 'HIS' }],
    ],
    [
      [],
      list(257, residueAt),
      ...[
        { chain: 'A' },
        { residue: 1 },
        { residueName: text(9) },
        { residueName: 'HIS', insertionCode: 'A' },
      ].map((one) => [one]),
    ],
  ],
  ['boxCenterAngstrom', [[0, -1.5, 1e6]], [[1, 2], [1, 2, 3, 4], ['1', 2, 3], 1]],
  [
    'boxSizeAngstrom',
    [1, 100, [1, 50.5, 100]],
    [0.9, 100.1, [1, 2], [1, 2, 3, 4], [0, 1, 1], [1, 1, 101], '20'],
  ],
  ['exhaustiveness', [1, 128], [0, 129, 1.5]],
  ['numModes', [1, 100], [0, 101, 1.5]],
  ['energyRangeKcalMol', [0.1, 100], [0.09, 100.1]],
  ['scoringFunction', ['vina', 'vinardo'], ['Vina', 'ad4', '', null]],
  ['seed', [-2_147_483_648, 0, 2_147_483_647], [-2_147_483_649, 2_147_483_648, 0.5]],
  ['cpuThreads', [1, 256], [0, 257, 1.5]],
  ['estimatedRuntimeSeconds', [0.001, 2_592_000], [0, 2_592_000.1, -1]],
  ['foldModel', ['esmfold', 'alphafold'], ['ESMFold', 'alphafold2']],
  ['blastDatabasePath', ['x', text(1024)], ['', text(1025)]],
  ['blastDatabaseName', ['a', `A${text(127)}`, 'nr.00_+-'], ['', '.a', text(129), 'a/b']],
  ['blastDatabaseVersion', ['5', `A${text(127)}`], ['', '-5', text(129)]],
  [
    'blastDatabaseDate',
    ['2024-02-29', '2000-02-29', '2023-12-31'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-04-31', '2024-1-1', '20240101', '2024-01-01T00:00:00Z'],
  ],
  ['blastDatabaseType', ['prot', 'nucl'], ['dna']],
  ['blastDatabaseChecksum', [HEX64, 'A'.repeat(64)], [text(64), 'a'.repeat(63), 'a'.repeat(65)]],
  ['blastEvalue', [1e-300, 1000], [1e-301, 0, 1000.1]],
  ['blastMaxHits', [1, 1000], [0, 1001, 1.5]],
  ['blastThreads', [1, 64], [0, 65, 1.5]],
  ['blastTimeoutSeconds', [1, 86_400], [0, 86_401, 1.5]],
  ['blastMaxOutputBytes', [1024, 67_108_864], [1023, 67_108_865, 2000.5]],
  ['maxPockets', [1, 20], [0, 21, 1.5]],
];

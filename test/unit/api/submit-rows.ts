/** The bounds of every field of a submit, as the contract gives them. */
import { FLEXIBLE_ROW } from './flexible-row.ts';
import { HEX64, artifact, ligand, list, preparedReceptor, residueAt, text } from './samples.ts';

/** Values of a field that are accepted and refused, at its bounds and just beyond. */
export type Row = readonly [field: string, accepted: readonly unknown[], refused: readonly unknown[]];

const preparation = (patch: object): object => ({ ...ligand, preparation: patch });
const source = (patch: object): object => ({ ...ligand, source: patch });
const confirmation = { token: text(32), query: 'q', sourceId: 's' };
const confirmed = (patch: object): object => ({ ...ligand, confirmation: { ...confirmation, ...patch } });
const fixedState = { ...residueAt, residueName: 'ASP', state: 'anionic' };
const native = (patch: object): object => ({
  nativeReference: { componentId: 'XK2', ...residueAt, ...patch },
});
const prepared = (patch: object): object => ({
  shardSize: 1,
  preparedReceptor: { ...preparedReceptor, ...patch },
});

export const NESTED_ROWS: readonly Row[] = [
  [
    'ligandIdentity',
    [{ ...ligand, ligandId: text(128) }],
    [
      { ...ligand, ligandId: text(129) },
      { ...ligand, ligandId: '-x' },
      { ...ligand, ligandId: 'a b' },
    ],
  ],
  [
    'ligandIdentity',
    [{ ...ligand, label: text(512) }],
    [
      { ...ligand, label: '' },
      { ...ligand, label: text(513) },
      { ...ligand, more: 1 },
    ],
  ],
  [
    'ligandIdentity',
    [source({ kind: 'ccd', componentId: 'ATP' }), source({ kind: 'ccd', componentId: text(8) })],
    [
      source({ kind: 'ccd', componentId: text(9) }),
      source({ kind: 'ccd', componentId: 'A-P' }),
      source({ kind: 'ccd' }),
    ],
  ],
  [
    'ligandIdentity',
    [source({ kind: 'smiles', smiles: text(4096) })],
    [
      source({ kind: 'smiles', smiles: '' }),
      source({ kind: 'smiles', smiles: text(4097) }),
      source({ kind: 'smiles', smiles: 'C', componentId: 'ATP' }),
    ],
  ],
  [
    'ligandIdentity',
    [source({ kind: 'artifact', artifact })],
    [source({ kind: 'artifact' }), source({ kind: 'name', name: 'x' }), source({})],
  ],
  [
    'ligandIdentity',
    [confirmed({}), confirmed({ token: text(8192), query: text(512), sourceId: text(128) })],
    [
      confirmed({ token: text(31) }),
      confirmed({ token: text(8193) }),
      confirmed({ query: '' }),
      confirmed({ query: text(513) }),
      confirmed({ sourceId: '' }),
      confirmed({ sourceId: text(129) }),
      { ...ligand, confirmation: {} },
    ],
  ],
  [
    'ligandIdentity',
    [
      preparation({ protonationPh: 0 }),
      preparation({ protonationPh: 14, addHydrogens: true, generate3d: true }),
      ...[{ protonation: 'model' }, { states: 'likely' }, { tautomer: 'likely' }].map(preparation),
      preparation({ tautomer: 'as_sent', states: 'single', protonation: 'as_given' }),
    ],
    [
      preparation({ protonationPh: 15 }),
      ...[{ addHydrogens: false }, { generate3d: false }, { protonation: 'none' }].map(preparation),
      ...[{ tautomer: 'best' }, { states: 'all' }, { protonation: true }].map(preparation),
      ...['tautomer', 'states'].map((one) => preparation({ [one]: 'likely', protonation: 'as_given' })),
      preparation({ more: 1 }),
    ],
  ],
  [
    'receptorPreparation',
    [{ protonationMethod: 'meeko', forceField: 'PARSE' }, { forceField: 'CHARMM' }],
    [{ protonationMethod: 'propka' }, { forceField: 'amber' }, { addHydrogens: false }],
  ],
  [
    'receptorPreparation',
    [{ repair: 'none' }, { repair: 'far' }, { repair: 'box' }],
    [{ repair: 'all' }, { repair: true }, { repair: null }],
  ],
  [
    'receptorPreparation',
    [{ removeComponents: list(256, 'HOH') }, { retainComponents: list(256, 'ZN') }],
    [
      { removeComponents: list(257, 'HOH') },
      { retainComponents: list(257, 'ZN') },
      { removeComponents: ['A-B'] },
      { retainComponents: [text(9)] },
    ],
  ],
  [
    'receptorPreparation',
    [
      { fixedProtonationStates: list(256, fixedState) },
      {
        fixedProtonationStates: [
          { ...fixedState, residueName: 'GLU', state: 'neutral', insertionCode: 'A', reason: text(512) },
        ],
      },
      ...['delta', 'epsilon', 'both'].map((state) => ({
        fixedProtonationStates: [{ ...fixedState, residueName: 'HIS', state }],
      })),
      { fixedProtonationStates: [{ ...fixedState, residueName: 'LYS', state: 'cationic' }] },
      ...['CYS', 'TYR'].map((residueName) => ({ fixedProtonationStates: [{ ...fixedState, residueName }] })),
    ],
    [
      { fixedProtonationStates: list(257, fixedState) },
      { fixedProtonationStates: [{ ...fixedState, residueName: 'ARG' }] },
      { fixedProtonationStates: [{ ...fixedState, state: 'charged' }] },
      { fixedProtonationStates: [{ ...fixedState, reason: '' }] },
      { fixedProtonationStates: [{ ...fixedState, reason: text(513) }] },
    ],
  ],
  ...['removeResidues', 'retainResidues'].map((field): Row => {
    const places = (...residues: object[]): object => ({ [field]: residues });
    return [
      'receptorPreparation',
      [places(), places(...list(256, residueAt)), places({ ...residueAt, insertionCode: text(4) })],
      [
        places(...list(257, residueAt)),
        places({ chain: 'A' }),
        places({ ...residueAt, more: 1 }),
        places({ ...residueAt, residue: 100_000 }),
        { [field]: residueAt },
      ],
    ];
  }),
  FLEXIBLE_ROW,
  [
    'receptorPreparation',
    [
      { retainWatersWithin: { angstrom: 0, of: 'box' } },
      { retainWatersWithin: { angstrom: 10, of: 'ligand' } },
    ],
    [
      { retainWatersWithin: { angstrom: -0.1, of: 'box' } },
      { retainWatersWithin: { angstrom: 10.1, of: 'box' } },
      { retainWatersWithin: { angstrom: 3, of: 'pocket' } },
      { retainWatersWithin: { angstrom: 3 } },
      { retainWatersWithin: { of: 'box' } },
      { retainWatersWithin: 3 },
    ],
  ],
  [
    'dockingValidation',
    [native({ residue: -9999 }), native({ residue: 99_999, insertionCode: text(4) })],
    [
      native({ residue: -10_000 }),
      native({ residue: 100_000 }),
      native({ insertionCode: text(5) }),
      native({ chain: '' }),
      native({ chain: text(17) }),
      native({ componentId: text(9) }),
    ],
  ],
  [
    'dockingExecution',
    [prepared({}), prepared({ artifact })],
    [
      prepared({ cacheKey: 'A'.repeat(64) }),
      prepared({ toolchainSha256: text(64) }),
      prepared({ workerImageDigest: HEX64 }),
      prepared({ preparationSha256: undefined }),
      prepared({ receptorIdentitySha256: 1 }),
      prepared({ more: 1 }),
    ],
  ],
  [
    'receptorArtifact',
    [{ ...artifact, artifactId: text(128), mediaType: text(255), storageKey: text(2048) }],
    [
      { ...artifact, schema: 'svc.docking.artifact/v2' },
      { ...artifact, artifactId: text(129) },
      { ...artifact, artifactId: ':x' },
      { ...artifact, storageKey: '' },
      { ...artifact, storageKey: text(2049) },
      { ...artifact, sha256: 'A'.repeat(64) },
      { ...artifact, byteSize: -1 },
      { ...artifact, byteSize: 1.5 },
      { ...artifact, mediaType: '' },
      { ...artifact, mediaType: text(256) },
      { ...artifact, format: 'csv' },
    ],
  ],
];

export const render = (patch: object): object => ({ jobType: 'render', ...patch });
export const simulation = (patch: object): object => ({
  jobType: 'simulation',
  simulator: 'autodock-vina',
  ...patch,
});
const docking = { requestId: 'r', runId: 'r', idempotencyKey: text(8) };
const metadata = (patch: object): object => render({ metadata: patch });
const quoted = (characters: number): object => render({ quoteId: text(characters) });

export const SUBMIT_ROWS: readonly Row[] = [
  [
    'jobType',
    [{ jobType: 'render' }, { jobType: 'molecular' }, { jobType: 'pipeline' }],
    [{ jobType: 'Render' }, { jobType: 1 }, { jobType: null }],
  ],
  [
    'sceneFile',
    [render({ sceneFile: 'k' }), render({ sceneFile: text(2048) })],
    [render({ sceneFile: '' }), render({ sceneFile: text(2049) })],
  ],
  [
    'recovery',
    [render({ recovery: {} }), render({ recovery: { mode: 'resumable' } })],
    [render({ recovery: { mode: 'spot' } }), render({ recovery: { mode: 'standard', more: 1 } })],
  ],
  [
    'frameStart',
    [render({ frameStart: -5 }), render({ frameStart: 0 })],
    [render({ frameStart: 1.5 }), render({ frameStart: '1' })],
  ],
  ['frameEnd', [render({ frameEnd: 250 })], [render({ frameEnd: 1.5 })]],
  [
    'frameStep',
    [render({ frameStep: 1 }), render({ frameStep: 10 })],
    [render({ frameStep: 0 }), render({ frameStep: -1 }), render({ frameStep: '1' })],
  ],
  [
    'parameters',
    [
      render({ parameters: {} }),
      render({ parameters: { a: 'b', c: '', '': 'd', [text(3000)]: text(5000) } }),
    ],
    [render({ parameters: { a: 1 } }), render({ parameters: [] })],
  ],
  [
    'outputFormat',
    [render({ outputFormat: 'EXR' }), render({ outputFormat: 'PNG' }), render({ outputFormat: 'JPEG' })],
    [render({ outputFormat: 'exr' })],
  ],
  [
    'simulator',
    [simulation({ simulator: 'x' }), simulation({ simulator: '' }), simulation({ simulator: text(5000) })],
    [simulation({ simulator: 1 }), simulation({ simulator: undefined })],
  ],
  [
    'taskCount',
    [simulation({ taskCount: 1 })],
    [simulation({ taskCount: 0 }), simulation({ taskCount: 1.5 })],
  ],
  [
    'simulationParams',
    [simulation({ simulationParams: {} })],
    [simulation({ simulationParams: { more: 1 } }), simulation({ simulationParams: [] })],
  ],
  [
    'idempotencyKey',
    [render({ idempotencyKey: text(8) }), render({ idempotencyKey: text(255) })],
    [render({ idempotencyKey: text(7) }), render({ idempotencyKey: text(256) })],
  ],
  [
    'dockingRequest',
    [
      simulation({ dockingRequest: docking }),
      simulation({ dockingRequest: { requestId: text(255), runId: text(255), idempotencyKey: text(255) } }),
    ],
    [
      simulation({ dockingRequest: {} }),
      simulation({ dockingRequest: { ...docking, requestId: '' } }),
      simulation({ dockingRequest: { ...docking, runId: text(256) } }),
      simulation({ dockingRequest: { ...docking, idempotencyKey: text(7) } }),
      simulation({ dockingRequest: { ...docking, more: 1 } }),
    ],
  ],
  [
    'metadata',
    [
      metadata({}),
      metadata({ anything: { deep: [1] } }),
      metadata({
        software: 'blender',
        renderer: '',
        instanceType: 'g5',
        renderTimeMinutes: 0,
        taskRuntimeMinutes: 1.5,
        totalSizeGB: 2,
        resolution: '1920x1080',
        fps: 24,
        renderEngine: 'cycles',
        samples: 1,
      }),
    ],
    [
      ...[
        { software: 1 },
        { renderer: 1 },
        { instanceType: 1 },
        { renderTimeMinutes: '1' },
        { taskRuntimeMinutes: -1 },
        { totalSizeGB: '1' },
        { resolution: '1920*1080' },
        { fps: 0 },
        { renderEngine: 'eevee' },
        { samples: 1.5 },
      ].map(metadata),
    ],
  ],
  ['priority', [render({ priority: -1 })], [render({ priority: 1.5 }), render({ priority: '1' })]],
  ['quoteId', [quoted(32), quoted(16_384)], [quoted(31), quoted(16_385), render({ quoteId: 1 })]],
  [
    'jobName',
    [render({ jobName: '' }), render({ jobName: text(1024) })],
    [render({ jobName: text(1025) }), render({ jobName: 1 })],
  ],
  [
    'attachments',
    [render({ attachments: [] }), render({ attachments: ['k'] }), render({ attachments: list(10_000, 'k') })],
    [[''], [1], 'k', list(10_001, 'k')].map((attachments) => render({ attachments })),
  ],
];

/** Scenes: every fault is named, and nothing passes that Mol*'s own validator refuses. */
import { expect } from 'chai';
import * as fc from 'fast-check';
import { MVSData } from 'molstar/lib/extensions/mvs/mvs-data.js';

import { isRecord } from '../../../src/domain/is-record.ts';
import { checkScene } from '../../../src/scenes/check.ts';
import { addressOf, readSource } from '../../../src/scenes/sources.ts';
import { ASSET, ENTRY, SEVERAL, SINGLE, largeScene, node, single, structure } from './good-scenes.ts';

const molstarRefuses = (scene: unknown): boolean => {
  try {
    return MVSData.validationIssues(scene as MVSData, { noExtra: true }) !== undefined;
  } catch {
    return true;
  }
};
const told = (scene: unknown): string[] =>
  checkScene(scene).faults.map(({ path, message }) => `${path} ${message}`);
const first = 'root.children[0]';
const params = `${first}.params`;

/** Scenes with so many selectors in a list. */
const selectors = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ label_asym_id: 'A', label_seq_id: index }));
const selecting = (count: number) =>
  single(structure(ASSET, node('component', { selector: selectors(count) })));
const pointing = (count: number) =>
  single(
    node('primitives', {}, [
      node('primitive', { kind: 'tube', start: [0, 0, 0], end: { expressions: selectors(count) } }),
    ]),
  );

/** Wrong scenes: the path that is named, a word of the message, and whether Mol*'s validator refuses the scene as well. */
const WRONG: readonly (readonly [string, unknown, string, string, 'mol*' | 'ours'])[] = [
  ['no object', [], '', 'object', 'mol*'],
  ['no metadata', { root: node('root') }, 'metadata.version', 'required', 'mol*'],
  ['a version as a number', { ...SINGLE, metadata: { version: 1 } }, 'metadata.version', 'required', 'mol*'],
  [
    'a version to come',
    { ...SINGLE, metadata: { version: '2.0' } },
    'metadata.version',
    'MolViewSpec 1',
    'ours',
  ],
  ['another kind of scene', { ...SINGLE, kind: 'states' }, 'kind', '"multiple"', 'mol*'],
  ['no root', { metadata: { version: '1' } }, 'root', 'required', 'mol*'],
  ['a root of another kind', { ...SINGLE, root: node('canvas') }, 'root.kind', '"root"', 'mol*'],
  ['no states', { ...SEVERAL, snapshots: [] }, 'snapshots', 'at least one', 'ours'],
  ['states that are none', { ...SEVERAL, snapshots: [null] }, 'snapshots[0]', 'object', 'mol*'],
  ['51 states', { ...SEVERAL, snapshots: Array(51).fill(SEVERAL.snapshots[0]) }, 'snapshots', '51', 'ours'],
  [
    'a state that nobody can play',
    { ...SEVERAL, snapshots: [{ root: node('root') }] },
    'snapshots[0].metadata.linger_duration_ms',
    'milliseconds',
    'ours',
  ],
  ['a node that is a text', single('download' as never), first, 'node', 'mol*'],
  ['an unknown kind', single(node('cartoon')), `${first}.kind`, 'canvas', 'mol*'],
  ['a kind that every object has', single(node('constructor')), `${first}.kind`, 'canvas', 'mol*'],
  ['a wrong parent', single(node('parse', { format: 'pdb' })), `${first}.kind`, 'below download', 'mol*'],
  ['a root below a root', single(node('root')), `${first}.kind`, 'nothing', 'mol*'],
  ['parameters that are a list', single(node('canvas', [])), params, 'object', 'mol*'],
  ['a missing parameter', single(node('download', {})), `${params}.url`, 'required', 'mol*'],
  [
    'an unknown parameter',
    single(node('canvas', { colour: 'red' })),
    `${params}.colour`,
    'background_color',
    'mol*',
  ],
  [
    'an unknown colour',
    single(node('canvas', { background_color: 'reed' })),
    `${params}.background_color`,
    'Color',
    'mol*',
  ],
  [
    'a camera of two numbers',
    single(node('camera', { target: [0, 0], position: [0, 0, 1] })),
    `${params}.target`,
    'number',
    'mol*',
  ],
  [
    'no format',
    single(node('download', { url: ASSET }, [node('parse', { format: 'docx' })])),
    `${first}.children[0].params.format`,
    'mmcif',
    'mol*',
  ],
  [
    'an index between two',
    single(
      node('download', { url: ASSET }, [
        node('parse', { format: 'pdb' }, [node('structure', { type: 'model', model_index: 1.5 })]),
      ]),
    ),
    `${first}.children[0].children[0].params.model_index`,
    'Integer',
    'mol*',
  ],
  [
    'a case that is none',
    single(node('primitives', {}, [node('primitive', { kind: 'teapot' })])),
    `${first}.children[0].params.kind`,
    'mesh',
    'mol*',
  ],
  [
    'a case that every object has',
    single(node('primitives', {}, [node('primitive', { kind: 'toString' })])),
    `${first}.children[0].params.kind`,
    'mesh',
    'mol*',
  ],
  [
    'a hole in a mesh',
    single(node('primitives', {}, [node('primitive', { kind: 'mesh', vertices: [0, null], indices: [] })])),
    `${first}.children[0].params.vertices`,
    'list<number>',
    'mol*',
  ],
  [
    'half an index of a mesh',
    single(
      node('primitives', {}, [node('primitive', { kind: 'mesh', vertices: [0, 0, 0], indices: [0.5] })]),
    ),
    `${first}.children[0].params.indices`,
    'list<Integer>',
    'mol*',
  ],
  [
    'a matrix of eight',
    single(structure(ASSET, node('transform', { rotation: [1, 0, 0, 0, 1, 0, 0, 0] }))),
    `${first}.children[0].children[0].children[0].params.rotation`,
    '9 numbers',
    'ours',
  ],
  [
    'children that are no list',
    single({ ...node('canvas'), children: {} as never }),
    `${first}.children`,
    'list',
    'mol*',
  ],
  [
    'custom settings that are a text',
    single({ ...node('canvas'), custom: 'x' }),
    `${first}.custom`,
    'object',
    'mol*',
  ],
  [
    'an unknown member of a node',
    single({ ...node('canvas'), chidlren: [] }),
    `${first}.chidlren`,
    'no member',
    'ours',
  ],
  ['a name that is a number', single({ ...node('canvas'), ref: 1 }), `${first}.ref`, 'name', 'ours'],
  [
    'a name of two',
    single(node('canvas', {}, [], 'x'), node('camera', { target: [0, 0, 0], position: [0, 0, 1] }, [], 'x')),
    'root.children[1].ref',
    'another',
    'ours',
  ],
  [
    'a reference to itself',
    single(
      node('download', { url: ASSET }, [
        node('parse', { format: 'pdb' }, [
          node('structure', { type: 'model', coordinates_ref: 'x' }, [], 'x'),
        ]),
      ]),
    ),
    `${first}.children[0].children[0].params.coordinates_ref`,
    'of kind "structure"',
    'ours',
  ],
  [
    'a reference to nothing',
    single(
      node('primitives', {}, [
        node('primitive', { kind: 'tube', start: [0, 0, 0], end: { structure_ref: 'x' } }),
      ]),
    ),
    `${first}.children[0].params.end.structure_ref`,
    'no node',
    'ours',
  ],
  [
    'noise',
    {
      ...SINGLE,
      animation: node('animation', {}, [
        node('interpolate', {
          kind: 'scalar',
          target_ref: 's',
          property: 'opacity',
          duration_ms: 1,
          noise_magnitude: 0.1,
        }),
      ]),
    },
    'animation.children[0].params.noise_magnitude',
    '0',
    'ours',
  ],
  [
    'a number that is none',
    single(node('camera', { target: [0, 0, 0], position: [0, 0, Infinity] })),
    `${params}.position[2]`,
    'number from',
    'ours',
  ],
  [
    'a huge number',
    single(node('camera', { target: [0, 0, 0], position: [0, 0, -1e300] })),
    `${params}.position[2]`,
    'number from',
    'ours',
  ],
  [
    'a script in a label',
    single(
      structure(
        ASSET,
        node('component', { selector: 'all' }, [node('label', { text: '<img src=x onerror=alert(1)>' })]),
      ),
    ),
    `${first}.children[0].children[0].children[0].children[0].params.text`,
    'markup',
    'ours',
  ],
  [
    'a script in a link',
    { ...SINGLE, metadata: { version: '1', description: '[a](javascript:alert(1))' } },
    'metadata.description',
    'markup',
    'ours',
  ],
  [
    'a picture from elsewhere',
    { ...SINGLE, metadata: { version: '1', description: '![a](https://x.example/a.png)' } },
    'metadata.description',
    'markup',
    'ours',
  ],
  ['5,001 nodes', largeScene(6_000), '', '5000 nodes', 'ours'],
  ['20,001 selectors', selecting(20_001), '', '20000 selectors', 'ours'],
  ['20,001 selectors of a place', pointing(20_001), '', '20000 selectors', 'ours'],
];

/** Data that no scene may name. */
const FOREIGN = [
  'https://files.rcsb.org/download/1a28.cif',
  '//files.rcsb.org/download/1a28.cif',
  'file:///etc/passwd',
  '1a28.cif',
  `https://dockyard.example${ASSET}`,
  `${ASSET}?sig=x`,
  `${ASSET}/../x`,
  ASSET.toUpperCase(),
  '/api/v1/molecular/assets/../../keys',
  '/api/v1/molecular/structures/1a28',
  ENTRY.replace('1a28', '1A28'),
  `${ENTRY}0`,
  '',
];

describe('scenes', () => {
  it('pass with one state, with several, animated, and with 5,000 nodes', () => {
    for (const scene of [
      SINGLE,
      SEVERAL,
      largeScene(5_000),
      selecting(20_000),
      { metadata: { version: '1' }, root: { kind: 'root' } },
    ]) {
      expect(told(scene)).to.deep.equal([]);
      expect(molstarRefuses(scene)).to.equal(false);
    }
    expect(checkScene(SINGLE).sources).to.deep.equal([readSource(ASSET), readSource(ENTRY)]);
  });

  it('are refused for each kind of fault, at its path and in words', () => {
    for (const [title, scene, path, word, by] of WRONG) {
      const fault = checkScene(scene).faults.find((each) => each.path === path);
      expect(fault, `${title}: ${told(scene).join('\n')}`).to.include({ kind: 'tree' });
      expect(fault?.message, title).to.include(word);
      expect(molstarRefuses(scene), title).to.equal(by === 'mol*');
    }
  });

  it('have all their faults named, in every state', () => {
    const bad = single(node('canvas', { background_color: 1, colour: 2 }), node('parse'), node('teapot'));
    const snapshots = [bad, bad].map(({ root }) => ({ metadata: { linger_duration_ms: 1 }, root }));
    const paths = checkScene({ ...SEVERAL, snapshots }).faults.map(({ path }) => path);
    const each = [
      'root.children[0].params.background_color',
      'root.children[0].params.colour',
      'root.children[1].kind',
      'root.children[1].params.format',
      'root.children[2].kind',
    ];
    expect(paths).to.deep.equal([0, 1].flatMap((at) => each.map((path) => `snapshots[${at}].${path}`)));
  });

  it('name the data of this service alone, at most 64 of them', () => {
    for (const url of FOREIGN) {
      const [fault, ...more] = checkScene(single(structure(url))).faults;
      expect([fault?.kind, fault?.path, more.length], url).to.deep.equal(['source', `${params}.url`, 0]);
      expect(fault?.message).to.include('Upload');
    }
    const uri = { uri: 'https://x.example/a.json', format: 'json', schema: 'residue' };
    expect(checkScene(single(structure(ASSET, node('component_from_uri', uri)))).faults[0]?.kind).to.equal(
      'source',
    );
    const custom = { molstar_postprocessing: { background: { url: 'https://x.example/sky.png' } } };
    expect(checkScene(single({ ...node('canvas'), custom })).faults[0]?.kind).to.equal('source');
    const many = (count: number) =>
      single(
        ...Array.from({ length: count }, (_, index) =>
          node('download', {
            url: addressOf({ kind: 'structure', pdbId: '1a28', sha256: String(index).padStart(64, '0') }),
          }),
        ),
      );
    expect(told(many(64))).to.deep.equal([]);
    expect(told(many(65))).to.have.length(1);
  });

  it('never pass where the validator of Mol* refuses them, whatever is changed in them', () => {
    const places = (value: unknown): string[][] =>
      typeof value !== 'object' || value === null
        ? [[]]
        : [
            [],
            ...Object.entries(value).flatMap(([key, child]) => places(child).map((rest) => [key, ...rest])),
          ];
    const all = places(SEVERAL).slice(1);
    const change = fc.oneof(
      fc.constant('gone'),
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('constructor', 'red', 0.5, 'root', [], {}, [1, 2, 3]),
    );
    fc.assert(
      fc.property(fc.constantFrom(...all), change, (place, value) => {
        const scene = structuredClone(SEVERAL) as unknown;
        let at = scene as Record<string, unknown>;
        for (const key of place.slice(0, -1))
          at = isRecord(at[key]) || Array.isArray(at[key]) ? (at[key] as never) : at;
        const last = place.at(-1) ?? '';
        if (value === 'gone') Reflect.deleteProperty(at, last);
        else at[last] = value;
        const sent: unknown = JSON.parse(JSON.stringify(scene));
        if (checkScene(sent).faults.length === 0) expect(molstarRefuses(sent)).to.equal(false);
      }),
      { numRuns: 1_000, seed: 35 },
    );
  });
});

/** Scenes that are right, for the tests that break them. */

/** The address of an artifact. */
export const ASSET = '/api/v1/molecular/assets/0190b6a0-0000-7000-8000-000000000001';
/** The address of an entry of the archive. */
export const ENTRY = `/api/v1/molecular/structures/1a28?sha256=${'a'.repeat(64)}`;

/** A node of a tree. */
export interface SceneNode {
  readonly [member: string]: unknown;
  readonly kind: string;
  readonly children?: readonly SceneNode[];
}

/** A node with its children. */
export function node(
  kind: string,
  params?: object,
  children?: readonly SceneNode[],
  ref?: string,
): SceneNode {
  return {
    kind,
    ...(params === undefined ? {} : { params }),
    ...(children === undefined ? {} : { children }),
    ...(ref === undefined ? {} : { ref }),
  };
}

/** A scene of one state with these nodes below its root. */
export function single(...children: SceneNode[]) {
  return { kind: 'single', metadata: { version: '1' }, root: node('root', undefined, children) };
}

/** The data of a structure, with nodes below the structure. */
export function structure(url: string, ...children: SceneNode[]): SceneNode {
  return node('download', { url }, [
    node('parse', { format: 'mmcif' }, [node('structure', { type: 'model' }, children, 's')]),
  ]);
}

const ligand = node('component', { selector: 'ligand' }, [
  node('representation', { type: 'ball_and_stick' }, [node('color', { color: '#ff8800' })]),
  node('label', { text: 'distance < 3 Å' }),
  node('focus'),
]);
const camera = node('camera', { target: [0, 0, 0], position: [0, -95, 10] });
const primitives = node('primitives', { label_color: 'black' }, [
  node('primitive', {
    kind: 'tube',
    start: [0, 0, 0],
    end: { structure_ref: 's', expressions: [{ auth_seq_id: 12 }] },
    radius: 0.1,
  }),
  node('primitive', { kind: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] }),
]);

/** One state, with most kinds of nodes. */
export const SINGLE = single(
  structure(ASSET, ligand),
  structure(ENTRY),
  node('canvas', { background_color: 'white' }),
  camera,
);
// Two structures of one state have two names.
Object.assign(SINGLE.root.children?.[1]?.children?.[0]?.children?.[0] ?? {}, { ref: 't' });

/** Two states, the second one animated. */
export const SEVERAL = {
  kind: 'multiple',
  metadata: { version: '1.8.1', title: 'Two', timestamp: '2026-11-28T00:00:00Z' },
  snapshots: [
    { metadata: { linger_duration_ms: 3000, key: 'a' }, root: single(structure(ASSET, ligand)).root },
    {
      metadata: { linger_duration_ms: 2000, key: 'b' },
      root: node('root', undefined, [structure(ASSET, ligand), primitives]),
      animation: node('animation', { duration_ms: 1000 }, [
        node('interpolate', {
          kind: 'vec3',
          target_ref: 's',
          property: 'translation',
          end: [1, 2, 3],
          duration_ms: 500,
          noise_magnitude: 0,
        }),
      ]),
    },
  ],
};

/** A scene of so many nodes, as an ordinary one has them. */
export function largeScene(nodes: number) {
  const of = (count: number): SceneNode[] =>
    Array.from({ length: count }, (_, index) =>
      node('component', { selector: { auth_asym_id: 'A', auth_seq_id: index } }, [
        node('representation', { type: 'ball_and_stick' }, [node('color', { color: '#ff8800' })]),
      ]),
    );
  return single(structure(ASSET, ...of(Math.floor((nodes - 4) / 3))));
}

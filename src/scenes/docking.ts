/**
 * Scenes of docked poses: the receptor as it was docked into, the residues that the pose touches, the pose, its contacts as they are stored,
 * the box, and the deposited ligand of a control. Pure, and without settings of one viewer, so that every reader of MolViewSpec shows the
 * same. A viewer is not to compute contacts of its own beside these: two sets would not agree.
 */
import type { InteractionType, PoseInteraction } from '../domain/docking-interactions.ts';
import { addressOf } from './sources.ts';

/** A docked pose. */
export interface ScenePose {
  /** Name of the pose, for people. */
  readonly title: string;
  readonly description: string;
  /** The artifact with all modes of the ligand, one after the other. */
  readonly artifactId: string;
  /** Place of the pose in its file, from 1. */
  readonly mode: number;
  /** The stored contacts; null where none were computed. */
  readonly contacts: readonly PoseInteraction[] | null;
}

/** Facts of which a scene of poses is made. */
export interface DockedPoses {
  readonly title: string;
  /** The artifact of the prepared receptor; null where the job has none. */
  readonly receptorId: string | null;
  /** The artifact of the deposited ligand that a control docks again; null without a control. */
  readonly nativeId: string | null;
  readonly box: { readonly center: readonly number[]; readonly size: readonly number[] } | null;
  /** The best first; at least one. */
  readonly poses: readonly ScenePose[];
}

/** A node of a MolViewSpec tree. */
export interface SceneTree {
  readonly kind: string;
  readonly ref?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly children?: readonly SceneTree[];
}

/** A scene of one state, or of several. */
export type Scene =
  | {
      readonly kind: 'single';
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly root: SceneTree;
    }
  | {
      readonly kind: 'multiple';
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly snapshots: readonly {
        readonly metadata: Readonly<Record<string, unknown>>;
        readonly root: SceneTree;
      }[];
    };

/** The most poses that one scene shows, each as a state of its own. */
export const MOST_POSES = 20;
/** The most contacts of a state, so that a scene of many poses stays within the bounds of scenes. */
const MOST_CONTACTS = 150;
/** How long a state is shown when the states are played. */
const LINGER_MS = 3_000;
const METADATA = { version: '1', description_format: 'plaintext' };

const RECEPTOR = 'receptor';
const LIGAND = 'ligand';
const COLORS = {
  receptor: '#b9bec6',
  pocket: '#8a929e',
  ligand: '#1f9d55',
  native: '#c65bb0',
  box: '#5a6b8c',
};
/** Atoms that are not carbon have the colours that chemists expect. */
const ELEMENTS: readonly (readonly [string, string])[] = [
  ['N', '#3050f8'],
  ['O', '#ff0d0d'],
  ['S', '#d9a514'],
  ['P', '#ff8000'],
  ['F', '#4fb34f'],
  ['CL', '#1ba01b'],
  ['BR', '#a62929'],
  ['I', '#940094'],
];
const CONTACTS: Readonly<Record<InteractionType, { readonly words: string; readonly color: string }>> = {
  hydrogen_bond: { words: 'Hydrogen bond', color: '#2b83ba' },
  salt_bridge: { words: 'Salt bridge', color: '#d7191c' },
  metal_coordination: { words: 'Metal coordination', color: '#7b3294' },
  halogen_bond: { words: 'Halogen bond', color: '#1b9e77' },
  pi_stacking: { words: 'π stacking', color: '#e6a100' },
  pi_cation: { words: 'π–cation', color: '#f46d43' },
  water_bridge: { words: 'Water bridge', color: '#74add1' },
  hydrophobic: { words: 'Hydrophobic contact', color: '#969696' },
};

/** Makes the scene of poses: one state for each of them. */
export function sceneOfPoses(docked: DockedPoses): Scene {
  const shown = docked.poses.slice(0, MOST_POSES);
  const metadata = { ...METADATA, title: plain(docked.title) };
  const [only, ...others] = shown;
  if (only !== undefined && others.length === 0)
    return { kind: 'single', metadata, root: rootOf(docked, only) };
  return {
    kind: 'multiple',
    metadata,
    snapshots: shown.map((pose, index) => ({
      metadata: {
        key: `pose-${index + 1}`,
        title: plain(pose.title),
        description: plain(pose.description),
        description_format: 'plaintext',
        linger_duration_ms: LINGER_MS,
      },
      root: rootOf(docked, pose),
    })),
  };
}

function rootOf({ receptorId, nativeId, box }: DockedPoses, pose: ScenePose): SceneTree {
  const contacts = (pose.contacts ?? []).slice(0, MOST_CONTACTS);
  return node('root', {}, [
    ...(receptorId === null ? [] : [data(receptorId, 'pdb', 0, receptorOf(contacts), RECEPTOR)]),
    data(
      pose.artifactId,
      'sdf',
      pose.mode - 1,
      [
        node('component', { selector: 'all' }, [
          sticks(COLORS.ligand, {}),
          node('focus', { radius_factor: 1.5 }),
        ]),
      ],
      LIGAND,
    ),
    ...(nativeId === null ? [] : [data(nativeId, 'sdf', 0, [native()])]),
    ...(receptorId === null || contacts.length === 0
      ? []
      : [node('primitives', {}, contacts.map(contactOf))]),
    ...(box === null ? [] : [node('primitives', {}, [boxOf(box)])]),
    node('canvas', { background_color: 'white' }),
  ]);
}

function node(
  kind: string,
  params: Readonly<Record<string, unknown>>,
  children: readonly SceneTree[] = [],
  ref?: string,
): SceneTree {
  return {
    kind,
    ...(ref === undefined ? {} : { ref }),
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(children.length === 0 ? {} : { children }),
  };
}

/** A file, and the structure of one of its models. */
function data(
  artifactId: string,
  format: 'pdb' | 'sdf',
  modelIndex: number,
  children: readonly SceneTree[],
  ref?: string,
): SceneTree {
  const structure = { type: 'model', ...(modelIndex === 0 ? {} : { model_index: modelIndex }) };
  return node('download', { url: addressOf({ kind: 'asset', artifactId }) }, [
    node('parse', { format }, [node('structure', structure, children, ref)]),
  ]);
}

function sticks(carbon: string, params: Readonly<Record<string, unknown>>): SceneTree {
  return node('representation', { type: 'ball_and_stick', ignore_hydrogens: true, ...params }, [
    node('color', { color: carbon }),
    ...ELEMENTS.map(([symbol, color]) => node('color', { color, selector: { type_symbol: symbol } })),
  ]);
}

function receptorOf(contacts: readonly PoseInteraction[]): readonly SceneTree[] {
  const residues = new Map(
    contacts.map(({ receptor }) => [JSON.stringify(residueOf(receptor)), residueOf(receptor)]),
  );
  const cartoon = node('representation', { type: 'cartoon' }, [node('color', { color: COLORS.receptor })]);
  return [
    node('component', { selector: 'polymer' }, [cartoon]),
    ...(['ligand', 'ion'] as const).map((selector) =>
      node('component', { selector }, [sticks(COLORS.pocket, {})]),
    ),
    ...(residues.size === 0
      ? []
      : [
          node('component', { selector: [...residues.values()] }, [
            sticks(COLORS.pocket, { size_factor: 0.6 }),
          ]),
        ]),
  ];
}

/** The deposited ligand, thin and half transparent, beside the pose. */
function native(): SceneTree {
  const thin = node('representation', { type: 'ball_and_stick', ignore_hydrogens: true, size_factor: 0.5 }, [
    node('color', { color: COLORS.native }),
    node('opacity', { opacity: 0.6 }),
  ]);
  return node('component', { selector: 'all' }, [thin, node('tooltip', { text: 'The ligand as deposited' })]);
}

/** A residue by its author's numbering; a chain without a name is named `_` in records, and not at all in files. */
function residueOf({ chain, residue, insertionCode }: PoseInteraction['receptor']) {
  return {
    ...(chain === '_' ? {} : { auth_asym_id: chain }),
    auth_seq_id: residue,
    ...(insertionCode === '' ? {} : { pdbx_PDB_ins_code: insertionCode }),
  };
}

function contactOf({
  type,
  receptor,
  ligandAtoms,
  distanceAngstrom,
  angleDegrees,
}: PoseInteraction): SceneTree {
  const { words, color } = CONTACTS[type];
  const place = `${receptor.residueName} ${receptor.chain}:${receptor.residue}${receptor.insertionCode} ${receptor.atom}`;
  const angle = angleDegrees === null ? '' : `, ${angleDegrees.toFixed(0)}°`;
  return node('primitive', {
    kind: 'tube',
    start: {
      structure_ref: RECEPTOR,
      expressions: [{ ...residueOf(receptor), auth_atom_id: receptor.atom }],
    },
    end: { structure_ref: LIGAND, expressions: ligandAtoms.map((atom) => ({ atom_index: atom })) },
    radius: 0.06,
    dash_length: 0.25,
    color,
    tooltip: plain(`${words}: ${place}, ${distanceAngstrom.toFixed(2)} Å${angle}`),
  });
}

/** The box by its edges. Mol* adds the extent on both sides of the centre, so the extent is half the size. */
function boxOf({ center, size }: NonNullable<DockedPoses['box']>): SceneTree {
  return node('primitive', {
    kind: 'box',
    center,
    extent: size.map((length) => length / 2),
    show_faces: false,
    show_edges: true,
    edge_radius: 0.05,
    edge_color: COLORS.box,
  });
}

/** A text of a customer as a scene may show it: some viewers show texts as HTML or Markdown. */
function plain(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('![', '! [')
    .replaceAll(/(javascript|vbscript|data):/gi, '$1 ');
}

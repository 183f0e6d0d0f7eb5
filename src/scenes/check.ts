/**
 * Judges scenes: MolViewSpec of one state or of several. Each node is judged by Mol*'s own tables of kinds and parameters, so whatever
 * passes here passes Mol*'s validator. Mol* stops at the first fault of a state; this names every fault by its path, and adds what the
 * service asks besides: bounds, data of this service alone, references that lead somewhere, texts without markup.
 */
import { MVSAnimationSchema } from 'molstar/lib/extensions/mvs/tree/animation/animation-tree.js';
import { MVSTreeSchema } from 'molstar/lib/extensions/mvs/tree/mvs/mvs-tree.js';

import { isRecord } from '../domain/is-record.ts';
import { ADDRESSES } from './addresses.ts';
import type { SceneFault } from './fault.ts';
import { paramFaults } from './params.ts';
import type { ParamsTable } from './params.ts';
import { noteReferences, referenceFaults } from './references.ts';
import type { StateNames } from './references.ts';
import { readSource } from './sources.ts';
import type { SceneSource } from './sources.ts';
import { valueFaults } from './values.ts';

/** The judgement on a scene. */
export interface SceneCheck {
  /** Everything that is wrong; nothing for a good scene. */
  readonly faults: readonly SceneFault[];
  /** The data that the scene names, each once. */
  readonly sources: readonly SceneSource[];
}

/** The most that a scene may hold. */
export const SCENE_BOUNDS = { nodes: 5_000, states: 50, sources: 64, selectors: 20_000 } as const;

const VERSION = /^1(\.\d{1,9}){0,2}$/;
const NODE_MEMBERS = ['kind', 'params', 'children', 'custom', 'ref'];
const IMPORT =
  'Data of a scene is named as /api/v1/molecular/assets/{artifactId}, for an artifact of the account, or as /api/v1/molecular/structures/{pdbId}?sha256={digest}, for an entry of the archive with its id in small letters. Upload a file from elsewhere and register it by POST /api/v1/molecular/docking/artifacts; GET /api/v1/molecular/structures/{pdbId} imports an entry and answers its digest.';

/** Mol*'s table of a tree: the kinds of nodes, the parents that each may have, and its parameters. */
interface Table {
  readonly rootKind: string;
  readonly kinds: ReadonlyMap<string, { readonly params: ParamsTable; readonly parent?: readonly string[] }>;
}
const STATES: Table = {
  rootKind: MVSTreeSchema.rootKind,
  kinds: new Map(Object.entries(MVSTreeSchema.nodes)),
};
const ANIMATIONS: Table = {
  rootKind: MVSAnimationSchema.rootKind,
  kinds: new Map(Object.entries(MVSAnimationSchema.nodes)),
};

/** The work of judging one scene. */
interface Walk {
  readonly faults: SceneFault[];
  readonly sources: Map<string, SceneSource>;
  nodes: number;
  selectors: number;
}

/** Judges a scene. */
export function checkScene(scene: unknown): SceneCheck {
  const walk: Walk = { faults: [], sources: new Map(), nodes: 0, selectors: 0 };
  if (isRecord(scene)) {
    checkMetadata(walk, scene['metadata']);
    checkStates(walk, scene);
    walk.faults.push(...valueFaults(scene));
  } else refuse(walk, '', 'must be an object');
  if (walk.nodes > SCENE_BOUNDS.nodes)
    refuse(walk, '', `has more than ${SCENE_BOUNDS.nodes} nodes; the rest was not looked at`);
  if (walk.selectors > SCENE_BOUNDS.selectors)
    refuse(
      walk,
      '',
      `has more than ${SCENE_BOUNDS.selectors} selectors in lists; the rest was not looked at. Select ranges of residues or whole chains`,
    );
  if (walk.sources.size > SCENE_BOUNDS.sources)
    refuse(walk, '', `names ${walk.sources.size} sources, at most ${SCENE_BOUNDS.sources} are shown at once`);
  return { faults: walk.faults, sources: [...walk.sources.values()] };
}

function refuse(walk: Walk, path: string, message: string, kind: SceneFault['kind'] = 'tree'): void {
  walk.faults.push({ path, message, kind });
}

function checkMetadata(walk: Walk, metadata: unknown): void {
  const version = isRecord(metadata) ? metadata['version'] : undefined;
  if (typeof version !== 'string')
    refuse(walk, 'metadata.version', 'is required: the version of MolViewSpec, such as "1"');
  else if (!VERSION.test(version))
    refuse(walk, 'metadata.version', 'must be a version of MolViewSpec 1, such as "1" or "1.8"');
}

function checkStates(walk: Walk, scene: Readonly<Record<string, unknown>>): void {
  const { kind = 'single', snapshots } = scene;
  if (kind === 'single') checkState(walk, scene, '');
  else if (kind !== 'multiple') refuse(walk, 'kind', 'must be "single" or "multiple"');
  else if (!Array.isArray(snapshots) || snapshots.length === 0)
    refuse(walk, 'snapshots', 'must be a list of at least one state');
  else if (snapshots.length > SCENE_BOUNDS.states)
    refuse(walk, 'snapshots', `has ${snapshots.length} states, at most ${SCENE_BOUNDS.states} are kept`);
  else
    for (const [index, state] of snapshots.entries()) {
      const path = `snapshots[${index}]`;
      if (!isRecord(state)) {
        refuse(walk, path, 'must be an object');
        continue;
      }
      // Mol* plays a state for this long, and reads it without a look whether it is there.
      if (!isRecord(state['metadata']) || typeof state['metadata']['linger_duration_ms'] !== 'number')
        refuse(
          walk,
          `${path}.metadata.linger_duration_ms`,
          'is required: how long the state is shown, in milliseconds',
        );
      checkState(walk, state, `${path}.`);
    }
}

function checkState(walk: Walk, { root, animation }: Readonly<Record<string, unknown>>, path: string): void {
  const names: StateNames = { kinds: new Map(), references: [], faults: [] };
  if (root === undefined) refuse(walk, `${path}root`, 'is required');
  else checkNode(walk, names, STATES, root, { path: `${path}root`, parent: null });
  if (animation !== undefined)
    checkNode(walk, names, ANIMATIONS, animation, { path: `${path}animation`, parent: null });
  for (const { path: at, message } of referenceFaults(names)) refuse(walk, at, message);
}

interface Place {
  readonly path: string;
  /** The kind of the parent; null for a root. */
  readonly parent: string | null;
}

function checkNode(
  walk: Walk,
  names: StateNames,
  table: Table,
  node: unknown,
  { path, parent }: Place,
): void {
  walk.nodes += 1;
  if (walk.nodes > SCENE_BOUNDS.nodes) return;
  if (!isRecord(node)) {
    refuse(walk, path, 'must be a node, which is an object with a kind');
    return;
  }
  for (const member of Object.keys(node))
    if (!NODE_MEMBERS.includes(member))
      refuse(walk, `${path}.${member}`, `is no member of a node, which has ${NODE_MEMBERS.join(', ')}`);
  const { kind, custom, children } = node;
  if (custom !== undefined && !isRecord(custom)) refuse(walk, `${path}.custom`, 'must be an object');
  const found = typeof kind === 'string' ? table.kinds.get(kind) : undefined;
  if (typeof kind !== 'string' || found === undefined)
    refuse(walk, `${path}.kind`, `must be one of ${[...table.kinds.keys()].join(', ')}`);
  else {
    const parents = parent === null ? null : (found.parent ?? null);
    if (parent === null && kind !== table.rootKind)
      refuse(walk, `${path}.kind`, `must be "${table.rootKind}" here`);
    else if (parents !== null && parent !== null && !parents.includes(parent))
      refuse(
        walk,
        `${path}.kind`,
        `"${kind}" stands below ${parents.join(', ') || 'nothing'}, not below "${parent}"`,
      );
    checkParams(walk, names, found.params, { path, node, kind });
  }
  if (children === undefined || children === null) return;
  if (!Array.isArray(children)) refuse(walk, `${path}.children`, 'must be a list of nodes');
  else
    for (const [index, child] of children.entries())
      checkNode(walk, names, table, child, {
        path: `${path}.children[${index}]`,
        parent: typeof kind === 'string' ? kind : '',
      });
}

/** How many selectors the lists of a node have; a list of numbers has none. */
function selectorsIn(params: unknown): number {
  if (!isRecord(params)) return 0;
  const lists = Object.values(params).map((value) => (isRecord(value) ? value['expressions'] : value));
  return lists.reduce<number>((sum, list) => {
    const isOfSelectors = Array.isArray(list) && typeof list[0] === 'object';
    return isOfSelectors ? sum + list.length : sum;
  }, 0);
}

interface JudgedNode {
  readonly path: string;
  readonly node: Readonly<Record<string, unknown>>;
  readonly kind: string;
}

/** Judges the parameters of a node, and keeps the data and the nodes that they name. */
function checkParams(
  walk: Walk,
  names: StateNames,
  table: ParamsTable,
  { path, node, kind }: JudgedNode,
): void {
  const params = node['params'] ?? {};
  walk.selectors += selectorsIn(params);
  if (walk.selectors > SCENE_BOUNDS.selectors) return;
  for (const { path: at, message } of paramFaults(table, params))
    refuse(walk, `${path}.params${at}`, message);
  noteReferences(names, { path, ref: node['ref'], params, kind });
  if (!isRecord(params)) return;
  for (const name of ADDRESSES) {
    const address = params[name];
    if (typeof address !== 'string') continue;
    const source = readSource(address);
    if (source === null)
      refuse(walk, `${path}.params.${name}`, `names data that no scene may name. ${IMPORT}`, 'source');
    else walk.sources.set(address, source);
  }
}

/**
 * References between the nodes of one state. Each kind of reference leads to a kind of node that refers to nothing itself, so that
 * references never run in a circle.
 */
import { isRecord } from '../domain/is-record.ts';
import type { ParamFault } from './params.ts';

/** The references of a node, and the name by which others refer to the node. */
interface NamedNode {
  readonly path: string;
  readonly kind: string;
  readonly ref: unknown;
  readonly params: unknown;
}

interface Reference {
  readonly path: string;
  readonly ref: string;
  /** The kinds of node that are meant; null for any. */
  readonly kinds: readonly string[] | null;
}

/** Names and references of one state. */
export interface StateNames {
  /** The kind of each node that has a name. */
  readonly kinds: Map<string, string>;
  readonly references: Reference[];
  readonly faults: ParamFault[];
}

/** The kinds of node that a reference may lead to, by its parameter; null for any. */
const REFERENCES: ReadonlyMap<string, readonly string[] | null> = new Map<string, readonly string[] | null>([
  ['coordinates_ref', ['coordinates']],
  ['structure_ref', ['structure', 'component', 'component_from_uri', 'component_from_source']],
  ['references', ['structure', 'component', 'component_from_uri', 'component_from_source']],
  ['target_ref', null],
]);

/** Keeps the name of a node and its references. */
export function noteReferences(names: StateNames, { path, kind, ref, params }: NamedNode): void {
  if (ref !== undefined) {
    if (typeof ref !== 'string' || ref === '')
      names.faults.push({ path: `${path}.ref`, message: 'must be a name' });
    else if (names.kinds.has(ref))
      names.faults.push({ path: `${path}.ref`, message: 'is the name of another node of this state' });
    else names.kinds.set(ref, kind);
  }
  if (!isRecord(params)) return;
  for (const [name, value] of Object.entries(params))
    noteReference(names, name, value, `${path}.params.${name}`);
}

function noteReference(names: StateNames, name: string, value: unknown, path: string): void {
  const kinds = REFERENCES.get(name);
  if (kinds !== undefined) {
    for (const ref of Array.isArray(value) ? value : [value])
      if (typeof ref === 'string') names.references.push({ path, ref, kinds });
  } else if (isRecord(value))
    // Positions of primitives name their structure one level below.
    for (const [inner, ref] of Object.entries(value))
      if (REFERENCES.has(inner)) noteReference(names, inner, ref, `${path}.${inner}`);
}

/** The references that lead nowhere, or to a node of another kind. */
export function referenceFaults({ kinds, references, faults }: StateNames): readonly ParamFault[] {
  const lost = references.flatMap(({ path, ref, kinds: meant }): ParamFault[] => {
    const kind = kinds.get(ref);
    if (kind === undefined) return [{ path, message: 'names no node of this state' }];
    return meant === null || meant.includes(kind)
      ? []
      : [{ path, message: `names a node of kind "${kind}"; one of ${meant.join(', ')} is needed` }];
  });
  return [...faults, ...lost];
}

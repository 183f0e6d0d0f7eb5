/** Containment of tools: the wall between them and the rest of their machine. */
import { isRecord } from '../domain/is-record.ts';

/**
 * `bubblewrap`: each session has a sandbox (src/instance/sandbox.ts). `process-group`: sessions run beside the worker, as
 * its user, and only their ends are sure; `reason` says why there is no sandbox.
 */
export type Containment =
  | { readonly kind: 'bubblewrap'; readonly version: string; readonly program: string }
  | { readonly kind: 'process-group'; readonly reason: string };

/** The kinds, as metrics name them. */
export const CONTAINMENT_KINDS = ['bubblewrap', 'process-group'] as const satisfies Containment['kind'][];

/** Whether a value that another process sent is a containment. */
export function isContainment(value: unknown): value is Containment {
  if (!isRecord(value)) return false;
  const { kind, version, program, reason } = value;
  if (kind === 'bubblewrap') return typeof version === 'string' && typeof program === 'string';
  return kind === 'process-group' && typeof reason === 'string';
}

/** Containments of tools in tests: a sandbox where this machine makes one, and process groups. */
import { findContainment } from '../../src/instance/sandbox.ts';
import type { Containment } from '../../src/contracts/containment.ts';
import { packsFolder } from '../../src/packs/cache.ts';

/** Tools beside the worker, as on a machine that makes no sandbox. */
export const WITHOUT_SANDBOX: Containment = { kind: 'process-group', reason: 'the test asks for it' };

/** The setting with which a stack runs its tools beside the worker: a folder without bubblewrap. */
export const SETTING_WITHOUT_SANDBOX = { DOCKYARD_PACK_BUBBLEWRAP: '/nowhere' };

let here: Promise<Containment> | undefined;

/** Finds the containment of this machine. */
export function containmentHere(): Promise<Containment> {
  here ??= findContainment({ folder: packsFolder(process.env), environment: process.env });
  return here;
}

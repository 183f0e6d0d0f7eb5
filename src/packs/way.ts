/** Options of an install, and the context of one way of installing. */
import type { PackDefinition, PackPlaces, PackProgress } from './pack.ts';

/** The work of one way. */
export interface WayContext {
  readonly pack: PackDefinition;
  /** The file or folder that is taken instead of the network; null without one. */
  readonly from: string | null;
  /** A folder of the install's own, which is removed in the end. */
  readonly work: string;
  /** The empty folder in which the pack is made. */
  readonly made: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: PackProgress;
  readonly signal: AbortSignal | undefined;
}

export interface InstallOptions extends PackPlaces {
  /** A file or folder that is taken instead of the network; it must hold the pinned files. */
  readonly from?: string | undefined;
  readonly progress: PackProgress;
  readonly signal?: AbortSignal | undefined;
}

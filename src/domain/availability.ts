/** Whether a tool can be run now, and why not. */

/** Why a tool cannot be run: what is missing on the machines that run tools, or that no machine has told anything yet. */
export const UNAVAILABLE_REASONS = [
  'MACHINES_NOT_READY',
  'PACK_NOT_INSTALLED',
  'MODEL_NOT_INSTALLED',
  'DATABASE_NOT_INSTALLED',
  'GPU_REQUIRED',
] as const;

/** One of the reasons. */
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** Meanings of the reasons, in the words of a refusal. */
export const UNAVAILABLE_WORDS: Readonly<Record<UnavailableReason, string>> = {
  MACHINES_NOT_READY:
    'its machines have not told which programs they have: they have just started, or cannot be reached',
  PACK_NOT_INSTALLED: 'its programs are not installed on the machines of this service',
  MODEL_NOT_INSTALLED: 'its model is not installed on the machines of this service',
  DATABASE_NOT_INSTALLED: 'no database for it is installed on the machines of this service',
  GPU_REQUIRED: 'it needs a GPU, and no machine of this service has one',
};

/** Whether a text is one of the reasons. */
export function isUnavailableReason(value: unknown): value is UnavailableReason {
  return UNAVAILABLE_REASONS.some((reason) => reason === value);
}

/** Report of a machine, or of all machines of a provider, about one tool. */
export interface ToolReport {
  readonly toolId: string;
  /** The variant of the tool's programs; null for the programs without one. */
  readonly variant: string | null;
  readonly available: boolean;
  /** Null when the tool is available. */
  readonly reason: UnavailableReason | null;
  /** The version of the tool's programs; null when they are not there or the tool has no programs of its own. */
  readonly version: string | null;
  /** The digest of the tool's pack; null as `version`. */
  readonly digest: string | null;
}

/**
 * Whether a task of a job goes on from a checkpoint after a loss, a leg or a pause, and why not. It is a fact of the job and not of its
 * tool: the preparation of a job may prove it for the case at hand.
 */
import { isRecord } from './is-record.ts';

/** Answer for a job; the reason is null where its tasks go on. */
export interface Resumability {
  readonly resumable: boolean;
  readonly resumableReason: string | null;
}

const NO_CHECKPOINTS = 'The tool keeps no checkpoints: a task that is lost begins again.';
const NOT_PROVEN =
  'Not known before the job is prepared: the preparation proves whether a resumed run is the run.';
const NO_REASON = 'The preparation found that a task of this job begins again.';
const LONGEST_REASON = 1000;

/**
 * Finds it by the checkpoints of the tool, null for one that keeps none, and by the summary of the job's preparation, whose members
 * `resumable` and `resumableReason` decide. An instance wrote the summary, so its members may be anything.
 */
export function resumabilityOf(
  checkpoint: { readonly provenBy?: 'prepare' } | null,
  prepared: unknown,
): Resumability {
  if (checkpoint === null) return { resumable: false, resumableReason: NO_CHECKPOINTS };
  if (isRecord(prepared) && typeof prepared['resumable'] === 'boolean') {
    const resumable = prepared['resumable'];
    const why = prepared['resumableReason'];
    const reason = typeof why === 'string' && why !== '' ? why.slice(0, LONGEST_REASON) : NO_REASON;
    return { resumable, resumableReason: resumable ? null : reason };
  }
  return checkpoint.provenBy === undefined
    ? { resumable: true, resumableReason: null }
    : { resumable: false, resumableReason: NOT_PROVEN };
}

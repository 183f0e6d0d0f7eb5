/**
 * The workflows of docking: a run of an experiment or a repetition of failed ligands (`dockingRun`), and a batch with its first
 * run (`dockingBatch`). Each starts one job as its child from a composed admission, shows how the job stands, and passes a cancel on.
 * The job admits, works, counts and settles; its rows are the truth. A workflow of docking that is lost loses nothing but its view.
 *
 * Update: `admitted`. Signal from the child: `decided`. Query: `details`. Timer: looking at the job. Cancelling the workflow in the
 * Temporal UI cancels the job. Continues as new when the history grows long. Both move on with the build that is current: a run
 * may be paused for weeks.
 */
import type { DockingWorkInput, DockingWorkOutcome } from '../src/contracts/docking.ts';
import { DockingWork } from './lib/docking-work.ts';

/** A run that is one job: the run of an experiment, or of failed ligands of a batch once more. */
export async function dockingRun(input: DockingWorkInput): Promise<DockingWorkOutcome> {
  return new DockingWork(input).run();
}

/** A batch and its first run, which is one job. */
export async function dockingBatch(input: DockingWorkInput): Promise<DockingWorkOutcome> {
  return new DockingWork(input).run();
}

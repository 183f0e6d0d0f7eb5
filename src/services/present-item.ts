/**
 * The item of a task as customers read it. Rows name the item by its id alone, whatever the unit of the job is; each unit has its
 * own field in outputs and manifests, and steps have no item.
 */
import type { Job } from '../../entities/jobs.ts';
import type { Task } from '../../entities/tasks.ts';

/** A task or step, or what made an output; both members are null for what no job made. */
export interface ItemSource {
  readonly kind: Task['kind'] | null;
  readonly ordinal: Task['ordinal'] | null;
  readonly itemId: Task['itemId'] | null;
}

/** A task's place and item under the names of the contract; all are null for a step. */
export interface PresentedItem {
  readonly index: number | null;
  readonly id: string | null;
  readonly frame: number | null;
  readonly ligandId: string | null;
}

/** The index of a task; null for a step, and for what no job made. */
export function taskIndexOf(kind: ItemSource['kind'], ordinal: ItemSource['ordinal']): number | null {
  return kind === 'task' ? ordinal : null;
}

/** Names the place and the item of a task of a job with this unit. */
export function presentItem(unit: Job['unit'], { kind, ordinal, itemId }: ItemSource): PresentedItem {
  if (kind !== 'task') return { index: null, id: null, frame: null, ligandId: null };
  return {
    index: taskIndexOf(kind, ordinal),
    id: itemId,
    frame: unit === 'frame' && itemId !== null ? Number(itemId) : null,
    ligandId: unit === 'ligand' ? itemId : null,
  };
}

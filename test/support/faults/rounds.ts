import type { FaultWorld } from './world.ts';

/** A round of a schedule, asked for now; one that is asked for while another one runs is not made. */
export async function round(world: FaultWorld, schedule: string): Promise<void> {
  await (await world.temporal()).schedule.getHandle(schedule).trigger();
}

/** The next turn, decided in memory over the few requests that granting looks at. */
import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { Row } from '../../row.ts';
import { lackOf, mostOf, takesFrom } from '../../../domain/capacity-pools.ts';
import type { Amount, CapacityLimits, Pooled, Usage } from '../../../domain/capacity-pools.ts';

/** A request that waits for its first vCPUs, or a granted request that wants more. */
export type Turn = Pooled &
  Row<CapacityRequestRow, 'jobId' | 'execution' | 'vcpus' | 'stepVcpus' | 'stepGpus' | 'priority'> & {
    /** The time of the request in microseconds, by which ties are decided. */
    readonly asked: string;
  };

/** Limits, used amounts, and the resources kept for a request that reserves. */
export interface Room {
  readonly limits: CapacityLimits;
  readonly used: Usage;
  /** Resources that are kept for one request and refused to all others, in the words of `Lack.what`. */
  readonly kept: ReadonlySet<string>;
}

/** The priority of the highest plan. */
export const HIGHEST_PRIORITY = 10;
/** The priority of a request of a lower plan whose plan has less than its share. */
const IN_SHARE = 20;
/** The priority of a request that has waited for so long that its age alone counts. */
export const OVERDUE_PRIORITY = 30;

/** The share of all vCPUs up to which a request of a lower plan comes before requests of the highest plan. */
export const LOWER_PLAN_SHARE = 0.25;

/** Computes the first grant of a request: one instance, or all; more vCPUs than the limits ever allow are cut to the limits. */
export function firstStepOf(
  turn: Pooled & Pick<Turn, 'vcpus' | 'step_vcpus' | 'step_gpus'>,
  limits: CapacityLimits,
): Amount {
  const { vcpus } = mostOf(turn, limits);
  return {
    vcpus: Math.min(turn.vcpus, turn.step_vcpus ?? turn.vcpus, vcpus),
    gpus: turn.step_gpus,
    seats: seatsOfOne(turn),
  };
}

/** One instance more. */
export function nextStepOf(turn: Turn): Amount {
  return { vcpus: turn.step_vcpus ?? Infinity, gpus: turn.step_gpus, seats: seatsOfOne(turn) };
}

/** The seats of one instance. */
function seatsOfOne({ licence }: Pick<Pooled, 'licence'>): number {
  return licence === '' ? 0 : 1;
}

/**
 * The next of the requests that wait, whether it fits or not: whoever has waited for too long by age alone; else by plan, then
 * by what the account uses, least first, then by age. A request whose account is at its limit is skipped, and so is one that
 * needs what is kept for another. Of those that take a seat of one software only the oldest comes, as a licence server serves them.
 */
export function nextToStart<T extends Turn>(heads: Iterable<T>, room: Room): T | null {
  const coming = [...heads].filter((head) => {
    const need = firstStepOf(head, room.limits);
    return isLeft(head, need, room) && lackOf(head, need, room.limits, room.used)?.own !== true;
  });
  return firstOf(oldestOfSeats(coming), room);
}

/** The next of the granted requests that want one instance more and for which there is room; of one account the smallest grant first. */
export function nextToGrow<T extends Turn>(growers: Iterable<T>, room: Room): T | null {
  const coming = [...growers].filter((turn) => {
    const need = nextStepOf(turn);
    return isLeft(turn, need, room) && lackOf(turn, need, room.limits, room.used) === null;
  });
  return firstOf(coming, room, (a, b) => a.vcpus - b.vcpus);
}

/** The priority of a request now: a lower plan comes first until it has its share. */
export function priorityOf(
  turn: Pick<Turn, 'priority' | 'plan'>,
  { limits, used }: Omit<Room, 'kept'>,
): number {
  const { priority, plan } = turn;
  if (priority >= HIGHEST_PRIORITY || plan === null) return priority;
  return used.ofPlan(plan).vcpus < LOWER_PLAN_SHARE * limits.totalVcpus ? IN_SHARE : priority;
}

/** Whether nothing of what a turn needs is kept for another. */
function isLeft(turn: Turn, need: Amount, { kept }: Pick<Room, 'kept'>): boolean {
  return kept.size === 0 || !takesFrom(turn, need).some((what) => kept.has(what));
}

/** The turns, those that take a seat of one software without all but the oldest of them. */
function oldestOfSeats<T extends Turn>(turns: readonly T[]): readonly T[] {
  const oldest = new Map<string, T>();
  for (const turn of turns) {
    const first = oldest.get(turn.licence);
    if (turn.licence !== '' && (first === undefined || isOlder(turn, first))) oldest.set(turn.licence, turn);
  }
  return turns.filter((turn) => turn.licence === '' || oldest.get(turn.licence) === turn);
}

function firstOf<T extends Turn>(turns: readonly T[], room: Room, among?: (a: T, b: T) => number): T | null {
  const useOf = (turn: T): number => room.used.ofAccount(turn.account_id).vcpus;
  const order = (a: T, b: T): number => {
    const [ofA, ofB] = [priorityOf(a, room), priorityOf(b, room)];
    const byUse = ofA >= OVERDUE_PRIORITY && ofB >= OVERDUE_PRIORITY ? 0 : useOf(a) - useOf(b);
    return ofB - ofA || byUse || (among?.(a, b) ?? 0) || (isOlder(a, b) ? -1 : 1);
  };
  let first: T | null = null;
  for (const turn of turns) if (first === null || order(turn, first) < 0) first = turn;
  return first;
}

function isOlder(a: Turn, b: Turn): boolean {
  return a.asked < b.asked || (a.asked === b.asked && a.job_id < b.job_id);
}

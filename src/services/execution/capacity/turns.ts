/** Whose turn it is, decided in memory over the few requests that granting looks at. */
import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { Row } from '../../row.ts';

/** Limits in vCPUs. */
export interface CapacityLimits {
  readonly totalVcpus: number;
  readonly accountVcpus: number;
}

/** A request that waits for its first vCPUs, or a granted request that wants more. */
export type Turn = Row<
  CapacityRequestRow,
  'jobId' | 'execution' | 'accountId' | 'vcpus' | 'stepVcpus' | 'priority'
> & {
  /** The time of the request in microseconds, by which ties are decided. */
  readonly asked: string;
};

/** What is used, and what the limits leave. */
export interface Room {
  readonly limits: CapacityLimits;
  /** The vCPUs that each account uses. */
  readonly used: ReadonlyMap<string, number>;
}

/** The most that a request ever gets at once. */
export function largestOf({ totalVcpus, accountVcpus }: CapacityLimits): number {
  return Math.min(totalVcpus, accountVcpus);
}

/** The vCPUs that a request is granted first: those of one instance, or all; a number above the limits is cut to them. */
export function firstStepOf(turn: Pick<Turn, 'vcpus' | 'step_vcpus'>, limits: CapacityLimits): number {
  return Math.min(turn.vcpus, turn.step_vcpus ?? turn.vcpus, largestOf(limits));
}

/**
 * The next of the requests that wait, whether it fits or not: by plan, then by what the account uses, least first, then by
 * age. A request whose account is at its limit is skipped.
 */
export function nextToStart<T extends Turn>(heads: Iterable<T>, room: Room): T | null {
  return firstOf(heads, room, (head) => firstStepOf(head, room.limits));
}

/** The next of the granted requests that want one instance more and for which there is room; of one account the smallest grant first. */
export function nextToGrow<T extends Turn>(growers: Iterable<T>, room: Room, left: number): T | null {
  const stepOf = (turn: Turn): number => turn.step_vcpus ?? left + 1;
  return firstOf(
    [...growers].filter((turn) => stepOf(turn) <= left),
    room,
    stepOf,
    (a, b) => a.vcpus - b.vcpus,
  );
}

function firstOf<T extends Turn>(
  turns: Iterable<T>,
  { limits, used }: Room,
  needOf: (turn: T) => number,
  among: (a: T, b: T) => number = () => 0,
): T | null {
  const useOf = (turn: T): number => used.get(turn.account_id) ?? 0;
  const order = (a: T, b: T): number =>
    b.priority - a.priority || useOf(a) - useOf(b) || among(a, b) || (isOlder(a, b) ? -1 : 1);
  let first: T | null = null;
  for (const turn of turns) {
    if (useOf(turn) + needOf(turn) > limits.accountVcpus) continue;
    if (first === null || order(turn, first) < 0) first = turn;
  }
  return first;
}

function isOlder(a: Turn, b: Turn): boolean {
  return a.asked < b.asked || (a.asked === b.asked && a.job_id < b.job_id);
}

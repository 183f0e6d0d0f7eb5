/** The whole queue in the order of granting, for customers who want to know their place; granting itself never reads it. */
import type { DataSource } from 'typeorm';

import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { CapacityOf, QueuePlace } from '../../job-records/queue-place.ts';
import type { Row } from '../../row.ts';
import { AGED_PRIORITY } from './grants.ts';
import { isOfSeats, Usage, lackOf } from '../../../domain/capacity-pools.ts';
import type { CapacityLimits, Lack } from '../../../domain/capacity-pools.ts';
import { OVERDUE_PRIORITY, firstStepOf, priorityOf } from './turns.ts';

/** The places of all waiting requests. */
export type QueuePlaces = ReadonlyMap<string, QueuePlace>;

type OpenRequest = Row<
  CapacityRequestRow,
  | 'jobId'
  | 'execution'
  | 'accountId'
  | 'class'
  | 'plan'
  | 'licence'
  | 'seats'
  | 'vcpus'
  | 'stepVcpus'
  | 'stepGpus'
  | 'gpus'
  | 'priority'
  | 'state'
>;

/** Oldest first. */
const OPEN = `
  select job_id, execution, account_id, class, plan, licence, seats, vcpus, step_vcpus, step_gpus, gpus, ${AGED_PRIORITY} as priority, state
  from capacity_requests where state <> 'RELEASED'
  order by requested_at, job_id`;

/** Reads the whole queue; frequent callers use the cached view in queue-view.ts. */
export async function readQueue(db: DataSource, limits: CapacityLimits): Promise<QueuePlaces> {
  const open = await db.query<OpenRequest[]>(OPEN);
  const turns = turnsOf(open, limits);
  const places = new Map(
    turns.map(({ row, lack }, index): [string, QueuePlace] => [
      nameOf(row.job_id, row.execution),
      { position: index + 1, ...waitOf(row, lack) },
    ]),
  );
  placeBySeats(open, places);
  return places;
}

function waitOf({ licence }: OpenRequest, lack: Lack | null): Pick<QueuePlace, 'reason' | 'license'> {
  if (lack === null) return { reason: 'CAPACITY' };
  const { used, limit: seats } = lack;
  return isOfSeats(lack)
    ? { reason: 'LICENSE_SEATS', license: { software: licence, seats, used } }
    : { reason: lack.own ? 'ACCOUNT_LIMIT' : 'CAPACITY' };
}

/** Counts each line for the seats of a software by itself: by age, whatever else waits. */
function placeBySeats(open: readonly OpenRequest[], places: Map<string, QueuePlace>): void {
  const waiting = new Map<string, number>();
  for (const { job_id: jobId, execution, licence } of open) {
    const place = licence === '' ? undefined : places.get(nameOf(jobId, execution));
    if (place?.license === undefined) continue;
    const position = (waiting.get(licence) ?? 0) + 1;
    waiting.set(licence, position);
    places.set(nameOf(jobId, execution), { ...place, position });
  }
}

/** The place of a request; null when it does not wait. */
export function placeIn(places: QueuePlaces, { jobId, execution }: CapacityOf): QueuePlace | null {
  return places.get(nameOf(jobId, execution)) ?? null;
}

function nameOf(jobId: string, execution: number): string {
  return `${jobId}/${execution}`;
}

/** A waiting request in the order of granting. */
interface Turn {
  readonly row: OpenRequest;
  readonly priority: number;
  /** vCPUs that the request's account holds when all requests before it are granted. */
  readonly usedVcpus: number;
  /** Whether the account's limit or the seats are in its way then, or in the way of an earlier request of its line. */
  readonly blocked: boolean;
  /** Lack of the request now; null where others only come first. */
  readonly lack: Lack | null;
}

/**
 * The order in which waiting requests will be granted, as long as no capacity is given back: by plan priority, then by
 * what the account uses, least first, then by age. Each request in the order counts as granted for the requests after it.
 * Requests whose account is at its limit, and those for which no seat is left, come last, because granting skips them.
 */
function turnsOf(open: readonly OpenRequest[], limits: CapacityLimits): readonly Turn[] {
  const [used, usedNow] = [new Usage(), new Usage()];
  for (const row of open.filter(({ state }) => state === 'GRANTED')) {
    used.take(row, row);
    usedNow.take(row, row);
  }
  const barred = new Set<string>();
  // The requests of one account keep this order among themselves, whatever other accounts are granted in between.
  return open
    .filter((row) => row.state === 'WAITING')
    .sort((a, b) => b.priority - a.priority)
    .map((row): Turn => {
      const need = firstStepOf(row, limits);
      const [priority, usedVcpus] = [priorityOf(row, { limits, used }), used.ofAccount(row.account_id).vcpus];
      const line = `${row.account_id}/${row.class}/${row.licence}`;
      const lack = lackOf(row, need, limits, used);
      const blocked = barred.has(line) || lack?.own === true || isOfSeats(lack);
      if (blocked) barred.add(line);
      else used.take(row, need);
      return { row, priority, usedVcpus, blocked, lack: lackOf(row, need, limits, usedNow) };
    })
    .sort((a, b) => Number(a.blocked) - Number(b.blocked) || b.priority - a.priority || useOf(a) - useOf(b));
}

/** Counts the use of a request's account; nothing for a request that comes by its age alone. */
function useOf({ priority, usedVcpus }: Turn): number {
  return priority >= OVERDUE_PRIORITY ? 0 : usedVcpus;
}

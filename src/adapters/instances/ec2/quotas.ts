/**
 * The quotas of EC2 count the vCPUs that run of a group of families, on demand and on the spot market apart. A refusal by a quota
 * means want of room where instances of ours use up this very quota; where none of ours counts into it, only an operator can
 * help, who has to ask AWS for more.
 *
 * A new instance is in no listing for some seconds, so a process also remembers what it has launched itself of late.
 */
import type { Market } from '../../../domain/recoveries.ts';
import type { InstanceDescription } from '../instances.ts';

const STANDARD: readonly string[] = ['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z'];
const GRAPHICS: readonly string[] = ['g', 'gr', 'vt'];
/** P2 to P4 share a quota on the spot market; each later generation has one of its own there. */
const LAST_SHARED_P = 4;
/** How long EC2 may not show an instance that it has launched, with time for the listing itself. */
const UNSEEN_MS = 60_000;

/** The name of the quota into which a type counts on a market; types of one quota have the same name. */
export function quotaOf(type: string, market: Market): string {
  return `${market} ${groupOf(type, market)}`;
}

function groupOf(type: string, market: Market): string {
  const [, letters = type, generation = ''] = /^([a-z]+)(\d*)/.exec(type) ?? [];
  if (STANDARD.includes(letters)) return 'STANDARD';
  if (GRAPHICS.includes(letters)) return 'G';
  return letters === 'p' && market === 'SPOT' && Number(generation) > LAST_SHARED_P
    ? `P${generation}`
    : letters.toUpperCase();
}

/** The launches of a process that a listing may not show yet. */
export interface RecentLaunches {
  /** Notes that an instance was launched. */
  note(type: string, market: Market): void;
  /** Whether an instance that counts into the same quota was launched of late. */
  has(type: string, market: Market): boolean;
}

/** Opens the memory of one process; `now` is in milliseconds. */
export function createRecentLaunches(now: () => number = () => performance.now()): RecentLaunches {
  const launchedAt = new Map<string, number>();
  return {
    note: (type, market) => void launchedAt.set(quotaOf(type, market), now()),
    has: (type, market) => now() - (launchedAt.get(quotaOf(type, market)) ?? -Infinity) < UNSEEN_MS,
  };
}

/** Whether an instance that runs counts into the quota of a type. */
export function usesQuota(running: Iterable<InstanceDescription>, type: string, market: Market): boolean {
  for (const instance of running) {
    if (instance.state !== 'running' || instance.type === undefined) continue;
    if (quotaOf(instance.type, instance.market ?? 'ON_DEMAND') === quotaOf(type, market)) return true;
  }
  return false;
}

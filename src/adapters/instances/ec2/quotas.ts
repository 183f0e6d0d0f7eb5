/**
 * The quotas of EC2 count the vCPUs that run of a group of families, on demand and on the spot market apart. A refusal by a quota
 * means want of room where instances of ours use up this very quota; where none of ours counts into it, only an operator can
 * help, who has to ask AWS for more.
 *
 * A new instance is in no listing for some seconds, and another process may have launched it, so the launches are asked for as well.
 */
import type { Market } from '../../../domain/recoveries.ts';
import type { InstanceDescription } from '../instances.ts';

const STANDARD: readonly string[] = ['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z'];
const GRAPHICS: readonly string[] = ['g', 'gr', 'vt'];
/** P2 to P4 share a quota on the spot market; each later generation has one of its own there. */
const LAST_SHARED_P = 4;

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

/** A launch of the installation that may count into a quota, by whichever process. */
export interface QuotaUser {
  readonly type: string;
  readonly market: Market;
  /** Whether the provider has said that the instance was launched; false while there is no answer. */
  readonly isLaunched: boolean;
}

/** Whether the launches use the quota of a type. `unknown`: the answer to one of them, which may, is still to come. */
export function useOfQuota(
  users: readonly QuotaUser[],
  type: string,
  market: Market,
): 'used' | 'unknown' | 'unused' {
  const same = users.filter((user) => quotaOf(user.type, user.market) === quotaOf(type, market));
  if (same.some(({ isLaunched }) => isLaunched)) return 'used';
  return same.length > 0 ? 'unknown' : 'unused';
}

/** Whether an instance that runs counts into the quota of a type. */
export function usesQuota(running: Iterable<InstanceDescription>, type: string, market: Market): boolean {
  for (const instance of running) {
    if (instance.state !== 'running' || instance.type === undefined) continue;
    if (quotaOf(instance.type, instance.market ?? 'ON_DEMAND') === quotaOf(type, market)) return true;
  }
  return false;
}

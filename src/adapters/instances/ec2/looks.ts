/**
 * Looks at the instances of a deployment. All who ask in one process share one paged listing, and a listing begins no sooner than
 * some seconds after the one before: 300 instances that boot cost as many calls as one. Where a listing takes long, because there are
 * thousands of instances or EC2 is slow, the next one is put off accordingly. A listing that fails, or is throttled, is no answer to
 * anybody.
 */
import { paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { setTimeout as sleep } from 'node:timers/promises';

import type { InstanceDescription } from '../instances.ts';
import { describedBy, TAGS } from './described.ts';

const PAGE = 1000;
/** Listings are under way at most for this part of the time. */
const SHARE = 1 / 5;

/** Instances by token, those that have ended included. Of several instances of one token the one that exists is told. */
export type Listing = ReadonlyMap<string, InstanceDescription>;

/** The shared looks of a process. */
export interface Looks {
  /** A listing that is younger than the time between two listings, or is under way. @throws Error without an answer. */
  recent(): Promise<Listing>;
  /** A listing that begins after this call. @throws Error without an answer. */
  fresh(): Promise<Listing>;
}

/** Opens the looks at one deployment. */
export function createLooks(
  client: EC2Client,
  { deployment, betweenMs }: { readonly deployment: string; readonly betweenMs: number },
): Looks {
  let last: { readonly at: number; readonly listing: Promise<Listing> } | null = null;
  let next: Promise<Listing> | null = null;
  let isUnderWay = false;
  let pauseMs = betweenMs;

  const begin = (): Promise<Listing> => {
    const at = performance.now();
    // A call that hangs and then fails tells nothing of what a listing takes, so the next one is not put off for it.
    pauseMs = betweenMs;
    isUnderWay = true;
    const listing = list(client, deployment)
      .then((found) => {
        pauseMs = Math.max(betweenMs, (performance.now() - at) / SHARE);
        return found;
      })
      .finally(() => (isUnderWay = false));
    last = { at, listing };
    return listing;
  };
  const fresh = (): Promise<Listing> => {
    // Whoever asks meanwhile gets the listing that is about to begin.
    next ??= (async () => {
      await last?.listing.catch(() => undefined);
      // The sleep lets `next` be set before it is cleared, also where nothing is to be waited for.
      await sleep(last === null ? 0 : Math.max(0, last.at + pauseMs - performance.now()));
      next = null;
      return begin();
    })();
    return next;
  };
  return {
    fresh,
    recent: () =>
      last !== null && (isUnderWay || performance.now() - last.at < pauseMs) ? last.listing : fresh(),
  };
}

async function list(client: EC2Client, deployment: string): Promise<Listing> {
  const found = new Map<string, InstanceDescription>();
  const pages = paginateDescribeInstances(
    { client, pageSize: PAGE },
    { Filters: [{ Name: `tag:${TAGS.deployment}`, Values: [deployment] }] },
  );
  for await (const { Reservations: reservations = [] } of pages)
    for (const instance of reservations.flatMap(({ Instances: instances = [] }) => instances)) {
      const described = describedBy(instance);
      if (described === null) continue;
      if (found.get(described.token)?.state !== 'running') found.set(described.token, described);
    }
  return found;
}

/**
 * Looks at the instances of a deployment. All who ask in one process share one paged listing, and a listing begins no sooner than
 * some seconds after the one before: 300 instances that boot cost as many calls as one. Where there are so many instances that a
 * listing of them takes more calls than to ask for those that somebody waits for, these are asked for by their tokens: what a look
 * costs and takes then follows from the launches under way, and not from the thousands that work.
 *
 * Where a listing takes long, the next one is put off accordingly, and where a call gets no answer in time, pages get smaller. A listing whose first call fails, or is throttled, is no answer to
 * anybody; a later call is repeated, because otherwise a throttled process would throw away what it has, begin again, and never end.
 */
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import type { DescribeInstancesCommandOutput, EC2Client, Filter } from '@aws-sdk/client-ec2';
import { setTimeout as sleep } from 'node:timers/promises';

import type { InstanceDescription } from '../instances.ts';
import { describedBy, TAGS } from './described.ts';
import { createLane } from './lane.ts';

/** The most instances of an answer, and the most values of a filter, that EC2 takes. */
const LARGEST_PAGE = 1000;
const MOST_VALUES = 200;
/** Pages are no smaller, however slow EC2 is. */
const SMALLEST_PAGE = 100;
/** A caller asks for a token again within this time, unless the instance has been heard of. */
const ASKED_MS = 60_000;
/** How often a call after the first one of a listing is made, and the pause before the first repeat, which doubles. */
const TRIES = 5;
const FIRST_PAUSE_MS = 500;

/** Instances by token, those that have ended included. Of several instances of one token the one that exists is told. */
export type Listing = ReadonlyMap<string, InstanceDescription>;

/** The shared looks of a process. */
export interface Looks {
  /** The instance of a token, by a look that is younger than the time between two, or under way. @throws Error without an answer. */
  recent(token: string): Promise<InstanceDescription | undefined>;
  /** The same, by a look that begins after this call. @throws Error without an answer. */
  fresh(token: string): Promise<InstanceDescription | undefined>;
  /** All instances, by a listing that begins after this call. @throws Error without an answer. */
  all(): Promise<Listing>;
}

/** Opens the looks at one deployment. */
export function createLooks(
  client: EC2Client,
  { deployment, betweenMs }: { readonly deployment: string; readonly betweenMs: number },
): Looks {
  const ofDeployment: Filter = { Name: `tag:${TAGS.deployment}`, Values: [deployment] };
  const asked = new Map<string, number>();
  /** Calls that the last whole listing took. */
  let callsOfAll = 1;
  let pageSize = LARGEST_PAGE;
  const listed = (questions: readonly Filter[][]): ReturnType<typeof list> =>
    list(client, questions, pageSize).catch((error: unknown) => {
      // Where a page does not come in time, a smaller one may.
      if (error instanceof Error && error.name === 'TimeoutError')
        pageSize = Math.max(SMALLEST_PAGE, pageSize / 2);
      throw error;
    });

  const whole = createLane(() => {
    const covers = (): boolean => true;
    const listing = listed([[ofDeployment]]).then(({ found, calls }) => {
      callsOfAll = calls;
      return { found, covers };
    });
    return { listing, covers };
  }, betweenMs);
  const chosen = createLane(() => {
    const tokens = [...asked.keys()];
    const filters = chunksOf(tokens).map((Values) => [ofDeployment, { Name: `tag:${TAGS.launch}`, Values }]);
    const those = new Set(tokens);
    const covers = (token: string): boolean => those.has(token);
    return { listing: listed(filters).then(({ found }) => ({ found, covers })), covers };
  }, betweenMs);

  const look = async (how: 'recent' | 'fresh', token: string): Promise<InstanceDescription | undefined> => {
    for (;;) {
      const now = performance.now();
      for (const [one, at] of asked) if (now - at > ASKED_MS) asked.delete(one);
      asked.set(token, now);
      const lane = callsOfAll > chunksOf([...asked.keys()]).length ? chosen : whole;
      const { found, covers } = await lane[how](token);
      // A wait longer than tokens are kept drops the token from the look, which does not mean that the instance is gone.
      if (covers(token)) return found.get(token);
    }
  };
  return {
    recent: (token) => look('recent', token),
    fresh: (token) => look('fresh', token),
    all: async () => (await whole.fresh()).found,
  };
}

function chunksOf(tokens: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(tokens.length / MOST_VALUES) }, (_, index) =>
    tokens.slice(index * MOST_VALUES, (index + 1) * MOST_VALUES),
  );
}

/** Lists the instances that fit one of several filters, and counts the calls. */
async function list(
  client: EC2Client,
  questions: readonly Filter[][],
  pageSize: number,
): Promise<{ readonly found: Listing; readonly calls: number }> {
  const found = new Map<string, InstanceDescription>();
  let calls = 0;
  for (const Filters of questions)
    for (
      let NextToken: string | undefined, isFirst = true;
      isFirst || NextToken !== undefined;
      isFirst = false
    ) {
      const command = new DescribeInstancesCommand({ Filters, MaxResults: pageSize, NextToken });
      const answer = await (calls === 0 ? client.send(command) : repeated(() => client.send(command)));
      calls += 1;
      for (const described of describedIn(answer))
        if (found.get(described.token)?.state !== 'running') found.set(described.token, described);
      NextToken = answer.NextToken === '' ? undefined : answer.NextToken;
    }
  return { found, calls };
}

function describedIn({
  Reservations: reservations = [],
}: DescribeInstancesCommandOutput): InstanceDescription[] {
  return reservations
    .flatMap(({ Instances: instances = [] }) => instances)
    .map(describedBy)
    .filter((described) => described !== null);
}

async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS, left = TRIES - 1; ; pauseMs *= 2, left -= 1)
    try {
      return await call();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(pauseMs);
    }
}

/**
 * Buckets that several processes share, in Valkey or Redis. A change of buckets is one Lua script, which takes one round trip,
 * changes all buckets of a request or none, and goes by the server's clock, so that the clocks of processes need not agree. A
 * bucket that is full is not kept. A call that the server does not answer at once fails: nobody waits for a limit.
 */
import { createHash } from 'node:crypto';

import { Redis } from 'iovalkey';

import { NoAnswerInTime, WINDOW_MS } from '../../domain/buckets.ts';
import type { BucketReading, SharedBucket, SharedBuckets } from '../../domain/buckets.ts';

/** How long a request waits for the server at most. */
const ANSWER_MS = 50;
const CONNECT_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;
/** After so many calls without an answer the connection is taken for dead and made anew. */
const MOST_UNANSWERED = 5;
const PREFIX = 'dockyard:limits:';

const SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local count, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local levels, taken = {}, 1
for i, key in ipairs(KEYS) do
  local quota, ceiling = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  local tokens = quota
  local kept = redis.call('GET', key)
  if kept then
    local left, at = string.match(kept, '^(%S+) (%S+)$')
    tokens = math.min(quota, tonumber(left) + math.max(0, now - tonumber(at)) * quota / window)
  end
  levels[i] = { math.min(tokens, ceiling), quota }
  if levels[i][1] < count then taken = 0 end
end
local answer = { taken }
for i, key in ipairs(KEYS) do
  local tokens, quota = levels[i][1], levels[i][2]
  if taken == 1 then tokens = math.min(quota, tokens - count) end
  if tokens >= quota then
    redis.call('DEL', key)
  else
    local full = math.ceil((quota - tokens) * window / quota)
    redis.call('SET', key, string.format('%.17g %.17g', tokens, now), 'PX', string.format('%d', full))
  end
  answer[i + 1] = string.format('%.17g', tokens)
end
return answer
`;
const DIGEST = createHash('sha1').update(SCRIPT).digest('hex');

/** Connects; the connection is made again whenever it is lost, until it is closed. */
export function openSharedBuckets(url: string): SharedBuckets {
  const client = new Redis(url, {
    connectionName: 'dockyard-api',
    connectTimeout: CONNECT_MS,
    // A call that cannot be sent now fails now.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
  });
  let connections = 0;
  let unanswered = 0;
  client.on('ready', () => {
    connections += 1;
    unanswered = 0;
  });
  // Each call that fails tells why; without a listener an error of the connection would end the process.
  client.on('error', () => undefined);

  return {
    source: () => connections,
    async change(buckets, count) {
      try {
        const answer = await inTime(callScript(client, buckets, count));
        unanswered = 0;
        return answer;
      } catch (error) {
        if (error instanceof NoAnswerInTime && ++unanswered >= MOST_UNANSWERED) {
          unanswered = 0;
          client.disconnect(true);
        }
        throw error;
      }
    },
    close: () => client.disconnect(),
  };
}

async function callScript(
  client: Redis,
  buckets: readonly SharedBucket[],
  count: number,
): Promise<BucketReading> {
  const keys = buckets.map(({ name }) => `${PREFIX}${name}`);
  const args = [count, WINDOW_MS, ...buckets.flatMap(({ quota, ceiling }) => [quota, ceiling])];
  const answer = await client.evalsha(DIGEST, keys.length, ...keys, ...args).catch((error: unknown) => {
    // A server that was started anew does not know the script yet.
    if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
      return client.eval(SCRIPT, keys.length, ...keys, ...args);
    throw error;
  });
  return readingOf(answer, keys.length);
}

function readingOf(answer: unknown, count: number): BucketReading {
  const [taken, ...tokens] = Array.isArray(answer) ? answer.map(Number) : [];
  if (tokens.length !== count || ![taken, ...tokens].every(Number.isFinite))
    throw new Error('The store of limits answered what is no level of a bucket.');
  return { isTaken: taken === 1, tokens };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // An answer that came while this process was busy is read before the time counts as over.
    timer = setTimeout(() => setImmediate(() => reject(new NoAnswerInTime('no answer in time'))), ANSWER_MS);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Ends instances. Endings of one moment share one call; a call that names an instance which EC2 does not know does nothing at
 * all, so the others are then ended one by one.
 */
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import type { EC2Client } from '@aws-sdk/client-ec2';

import { isUnknownInstance } from './answers.ts';

const GATHERED_MS = 20;
const MOST_AT_ONCE = 500;
const ONE_BY_ONE = 4;

/** Ends one instance by its id; false when EC2 does not know it. @throws Error without an answer. */
export type EndInstance = (providerId: string) => Promise<boolean>;

interface Waiting {
  readonly providerId: string;
  readonly ended: PromiseWithResolvers<boolean>;
}

/** Opens the endings of a process. */
export function createEndings(client: EC2Client): EndInstance {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    for (; waiting.length > 0; waiting = waiting.slice(MOST_AT_ONCE))
      void endBatch(client, waiting.slice(0, MOST_AT_ONCE));
  };
  return (providerId) => {
    const ended = Promise.withResolvers<boolean>();
    if (waiting.length === 0) setTimeout(flush, GATHERED_MS);
    waiting.push({ providerId, ended });
    return ended.promise;
  };
}

/** Never rejects: each who waits gets the answer or the error. */
async function endBatch(client: EC2Client, batch: readonly Waiting[]): Promise<void> {
  try {
    await terminate(client, [...new Set(batch.map(({ providerId }) => providerId))]);
    for (const { ended } of batch) ended.resolve(true);
  } catch (error) {
    if (isUnknownInstance(error)) await endOneByOne(client, batch);
    else for (const { ended } of batch) ended.reject(error);
  }
}

async function endOneByOne(client: EC2Client, batch: readonly Waiting[]): Promise<void> {
  const left = batch.values();
  const end = async (): Promise<void> => {
    for (const { providerId, ended } of left)
      await terminate(client, [providerId]).then(
        () => ended.resolve(true),
        (error: unknown) => (isUnknownInstance(error) ? ended.resolve(false) : ended.reject(error)),
      );
  };
  await Promise.all(Array.from({ length: ONE_BY_ONE }, end));
}

async function terminate(client: EC2Client, providerIds: string[]): Promise<void> {
  await client.send(new TerminateInstancesCommand({ InstanceIds: providerIds }));
}

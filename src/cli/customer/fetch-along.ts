/**
 * Fetches the outputs of a job as they come, so that a person sees the first of them while the job goes on. Whatever fails here is
 * fetched at the end with all that is left, so nothing here ends a command.
 */
import { mkdir } from 'node:fs/promises';

import type { Client } from '../../client/index.ts';
import { fetchToFile } from './download.ts';
import { createPlaces, makeRoom } from './safe-path.ts';

/** Fetching that goes on beside the watch of a job. */
export interface FetchingAlong {
  /** The number of outputs that were fetched; settled when the following has ended. */
  readonly fetched: Promise<number>;
  /** Fetches what is under way, and nothing further. */
  leave(): void;
}

/** Begins to fetch the outputs of a job into a folder. */
export function fetchAlong(
  client: Pick<Client, 'followOutputs' | 'listOutputs'>,
  jobId: string,
  folder: string,
): FetchingAlong {
  const leaving = new AbortController();
  return { fetched: follow(client, jobId, { folder, signal: leaving.signal }), leave: () => leaving.abort() };
}

async function follow(
  client: Pick<Client, 'followOutputs' | 'listOutputs'>,
  jobId: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  let fetched = 0;
  try {
    await mkdir(folder, { recursive: true });
    const { expected } = await client.listOutputs(jobId, { limit: 1 });
    const placeOf = createPlaces(expected);
    for await (const output of client.followOutputs(jobId, {}, { signal })) {
      if (signal.aborted) break;
      const path = await makeRoom(folder, placeOf(output));
      // An address that has expired is asked for at the end.
      const refresh = (): Promise<string> => Promise.reject(new Error('the address has expired'));
      const { outcome } = await fetchToFile(output, path, { refresh }).catch(() => ({ outcome: 'kept' }));
      if (outcome !== 'kept') fetched += 1;
    }
  } catch {
    // The end of the command fetches what is left, and tells what cannot be fetched.
  }
  return fetched;
}

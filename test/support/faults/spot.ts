/** The spot market of a test's host: instances that are taken away, with a notice. */
import { expect } from 'chai';

import { loadConfig } from '../../../src/config.ts';
import type { FaultWorld } from './world.ts';

/** Takes an instance away as a spot market does, so many seconds after its notice. */
export async function takeAway(world: FaultWorld, providerId: string, seconds: number): Promise<void> {
  const [row] = await world.rows<{ launch_token: string }>(
    'select launch_token from instances where provider_id = $1',
    [providerId],
  );
  const { computeUrl, computeToken } = loadConfig('control', world.stack.env);
  const path = `/v1/instances/${encodeURIComponent(row?.launch_token ?? '')}/interruption`;
  const answer = await fetch(new URL(path, computeUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${computeToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
  expect(answer.status).to.equal(204);
}

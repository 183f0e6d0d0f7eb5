// Looks at instances, at a server that takes its time.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { EC2Client } from '@aws-sdk/client-ec2';
import { expect } from 'chai';

import { createLooks } from '../../../src/adapters/instances/ec2/looks.ts';

const NOTHING =
  '<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet/></DescribeInstancesResponse>';

describe('looks at instances of EC2', () => {
  let takesMs = 0;
  let status = 200;
  let calls: { readonly at: number; readonly ms: number }[] = [];
  const server = createServer((_request, response) => {
    const at = performance.now();
    void sleep(takesMs).then(() => {
      calls.push({ at, ms: performance.now() - at });
      response.writeHead(status, { 'content-type': 'text/xml' }).end(NOTHING);
    });
  });
  let client: EC2Client;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = new EC2Client({
      region: 'us-west-2',
      endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      maxAttempts: 1,
    });
  });
  beforeEach(() => void (calls = []));
  after(() => {
    client.destroy();
    server.close();
  });

  it('are put off by five times as long as a listing has taken', async () => {
    takesMs = 60;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    for (let look = 0; look < 3; look += 1) await looks.fresh();
    expect(calls).to.have.length(3);
    for (const [index, { at }] of calls.slice(1).entries()) {
      const before = calls[index];
      // A millisecond, because timers are rounded.
      expect(at - (before?.at ?? NaN)).to.be.at.least(5 * (before?.ms ?? NaN) - 1);
    }
  });

  it('wait for a listing that takes longer than the time between two, and begin none beside it', async () => {
    takesMs = 100;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    const first = looks.recent();
    await sleep(30);
    expect(await looks.recent()).to.equal(await first);
    expect(calls).to.have.length(1);
  });

  it('are not put off by a listing that took long and failed', async () => {
    takesMs = 500;
    status = 500;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    const failed = await looks.recent().catch(() => null);
    expect(failed).to.equal(null);
    status = 200;
    takesMs = 0;
    expect([...(await looks.recent())]).to.deep.equal([]);
    expect(calls).to.have.length(2);
  });

  it('that ask meanwhile have the listing that was made', async () => {
    // Long enough that a busy machine does not sleep through the pause.
    takesMs = 500;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    await looks.recent();
    await sleep(20);
    await looks.recent();
    expect(calls).to.have.length(1);
  });
});

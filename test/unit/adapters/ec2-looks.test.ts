// Looks at instances, at a server that takes its time, has its pages, and is throttled as it is told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { EC2Client } from '@aws-sdk/client-ec2';
import { expect } from 'chai';

import { createLooks } from '../../../src/adapters/instances/ec2/looks.ts';
import { bodyOf } from '../../support/ec2/wire.ts';

const NAMESPACE = 'http://ec2.amazonaws.com/doc/2016-11-15/';
const LARGEST_PAGE = 1000;
const TIMEOUT_MS = 2_000;
const PATIENT_MS = 60_000;
const NEVER_MS = TIMEOUT_MS * 3;

/** An answer of EC2 with these instances, and the name of the next page. */
function answerOf(tokens: readonly string[], next: string | null): string {
  const item = (token: string): string =>
    `<item><instancesSet><item><instanceId>i-${token}</instanceId><instanceState><name>running</name></instanceState>
     <tagSet><item><key>dockyard:launch</key><value>${token}</value></item></tagSet></item></instancesSet></item>`;
  const more = next === null ? '' : `<nextToken>${next}</nextToken>`;
  return `<DescribeInstancesResponse xmlns="${NAMESPACE}"><reservationSet>${tokens.map(item).join('')}</reservationSet>${more}</DescribeInstancesResponse>`;
}

describe('looks at instances of EC2', () => {
  let takesMs = 0;
  let status = 200;
  let throttled: readonly number[] = [];
  /** The largest page that comes in time. */
  let answersUpTo = LARGEST_PAGE;
  /** The tokens of all instances there are. */
  let fleet: readonly string[] = [];
  let calls: { readonly at: number; readonly ms: number; readonly tokens: readonly string[] }[] = [];
  const server = createServer((request, response) => {
    const at = performance.now();
    void (async () => {
      const form = new URLSearchParams((await bodyOf(request)).toString());
      const names = [...form.keys()].filter((name) => /^Filter\.2\.Value\./.test(name));
      const asked = names.map((name) => form.get(name) ?? '');
      const fits = asked.length === 0 ? fleet : fleet.filter((token) => asked.includes(token));
      const from = Number(form.get('NextToken') ?? 0);
      const page = Number(form.get('MaxResults'));
      expect(page).to.be.at.most(LARGEST_PAGE);
      await sleep(page > answersUpTo ? NEVER_MS : takesMs);
      // A call that its client has given up is nobody's, and may come back as late as in the next test.
      if (response.destroyed) return;
      calls.push({ at, ms: performance.now() - at, tokens: asked });
      const failed = throttled.includes(calls.length) ? 503 : status;
      response
        .writeHead(failed, { 'content-type': 'text/xml' })
        .end(answerOf(fits.slice(from, from + page), from + page < fits.length ? String(from + page) : null));
    })();
  });
  /** A client for servers that answer, and one that gives a page up soon. */
  let client: EC2Client;
  let impatient: EC2Client;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    // A call that a busy machine answers late is repeated, and would be counted twice.
    const clientThatWaits = (requestTimeout: number): EC2Client =>
      new EC2Client({
        region: 'us-west-2',
        endpoint,
        credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
        maxAttempts: 1,
        requestHandler: { requestTimeout, throwOnRequestTimeout: true },
      });
    client = clientThatWaits(PATIENT_MS);
    impatient = clientThatWaits(TIMEOUT_MS);
  });
  beforeEach(() => {
    [takesMs, status, throttled, fleet, calls, answersUpTo] = [0, 200, [], [], [], LARGEST_PAGE];
  });
  after(() => {
    client.destroy();
    impatient.destroy();
    server.close();
  });

  it('are put off by five times as long as a listing has taken', async () => {
    takesMs = 60;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    for (let look = 0; look < 3; look += 1) await looks.all();
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
    const first = looks.recent('t');
    await sleep(30);
    expect(await looks.recent('t')).to.equal(await first);
    expect(calls).to.have.length(1);
  });

  it('are not put off by a listing that took long and failed', async () => {
    takesMs = 500;
    status = 500;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    const failed = await looks.recent('t').catch(() => null);
    expect(failed).to.equal(null);
    status = 200;
    takesMs = 0;
    expect(await looks.recent('t')).to.equal(undefined);
    expect(calls).to.have.length(2);
  });

  it('that ask meanwhile have the listing that was made', async () => {
    // Long enough that a busy machine does not sleep through the pause.
    takesMs = 500;
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 10 });
    await looks.recent('t');
    await sleep(20);
    await looks.recent('t');
    expect(calls).to.have.length(1);
  });

  const fleetOf = (size: number): string[] => Array.from({ length: size }, (_, index) => String(index));

  it('read every page, and repeat the call of a later page that is throttled', async () => {
    fleet = fleetOf(2_500);
    throttled = [2, 3];
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 1 });
    expect([...(await looks.all()).keys()]).to.deep.equal(fleet);
    expect(calls).to.have.length(5);
    throttled = [6];
    const others = createLooks(client, { deployment: 'mine', betweenMs: 1 });
    expect(await others.all().catch(() => 'no answer'), 'the first call').to.equal('no answer');
    expect(calls).to.have.length(6);
  });

  it('have smaller pages once a page has not come in time', async () => {
    fleet = fleetOf(600);
    answersUpTo = 500;
    const looks = createLooks(impatient, { deployment: 'mine', betweenMs: 1 });
    expect(await looks.all().catch(() => 'no answer')).to.equal('no answer');
    expect([...(await looks.all()).keys()]).to.deep.equal(fleet);
  });

  it('in a large fleet ask for the tokens that somebody waits for, and tell of each', async () => {
    fleet = fleetOf(5_000);
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 20 });
    await looks.all();
    calls = [];
    const tokens = [...fleetOf(300), 'none'];
    const found = await Promise.all(tokens.map((token) => looks.recent(token)));
    expect(found.map((instance) => instance?.token)).to.deep.equal([...fleetOf(300), undefined]);
    expect(calls.map(({ tokens: { length } }) => length)).to.deep.equal([200, 101]);
    // A token that was asked for is in the looks that follow, so that whoever asks again need not wait.
    await looks.fresh('4999');
    expect(calls.map(({ tokens: { length } }) => length)).to.deep.equal([200, 101, 200, 102]);
    expect(await looks.recent('7')).to.include({ token: '7', state: 'running' });
    expect(calls).to.have.length(4);
  });

  it('list all where that takes no more calls', async () => {
    fleet = fleetOf(1_500);
    const looks = createLooks(client, { deployment: 'mine', betweenMs: 20 });
    const ask = (): Promise<unknown> => Promise.all(fleetOf(250).map((token) => looks.fresh(token)));
    await ask();
    await ask();
    calls = [];
    await ask();
    expect(calls.map(({ tokens: { length } }) => length)).to.deep.equal([0, 0]);
  });
});

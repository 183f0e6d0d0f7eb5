/**
 * Whoever follows an account by polls, by a stream or by a webhook is told the same, whatever is killed meanwhile. Nothing is told
 * twice, but for messages of webhooks, which come at least once under one id. Events of one job come in their order, but for webhooks, which
 * promise none.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { ClientError } from '../../src/client/index.ts';
import type { AccountEvent } from '../../src/client/types.ts';
import { EVENT_TYPE_NAMES } from '../../src/domain/events.ts';
import { makeAuthority } from '../support/certificate.ts';
import type { TestAuthority } from '../support/certificate.ts';
import { noopRequest } from '../support/faults/noop.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { Draws } from '../support/fleet/distributions.ts';
import { IS_LONG } from '../support/long.ts';
import { sessionOf } from '../support/session-of.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { verified, WebhookReceiver } from '../support/webhook-receiver.ts';

const JOBS = IS_LONG ? 50 : 5;
const SERVERS = ['api', 'control', 'temporal', 'postgres'];
const SEED = 20_261_129;
/** So many jobs at once; another one is submitted when one of them has ended. */
const AT_ONCE = 4;
const LONGEST_PAUSE_MS = 2_000;
const TYPES = EVENT_TYPE_NAMES.filter((type) => type.startsWith('job.'));
const ENDED = 'job.succeeded';

/** A follower of an account. */
interface Following {
  readonly events: AccountEvent[];
  /** Rejects where the following came to an end by itself. */
  stop(): Promise<void>;
}

describe(`${JOBS} jobs while processes are killed in turn`, function () {
  this.timeout(RECOVERY_MS * (IS_LONG ? 6 : 3));
  let world: FaultWorld;
  let authority: TestAuthority;
  let receiver: WebhookReceiver;
  before(async function () {
    this.timeout(120_000);
    authority = await makeAuthority();
    receiver = await new WebhookReceiver(await authority.issue('127.0.0.1')).open();
    world = await openFaultWorld({
      settings: {
        ...{ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' },
        DOCKYARD_ACCOUNT_CAPACITY_VCPUS: String(AT_ONCE * 2),
      },
      environment: { NODE_EXTRA_CA_CERTS: authority.caFile },
    });
  });
  after(async () => {
    await endTestStack(world.stack);
    await receiver.close();
    await authority.remove();
  });

  const subscribe = async ({ accountId }: Customer): Promise<{ id: string; secret: string }> => {
    const { headers } = await sessionOf(world, accountId);
    const answer = await fetch(`${world.stack.apiUrl}/api/v1/webhooks`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ url: receiver.url, types: TYPES }),
    });
    expect(answer.status).to.equal(201);
    return (await answer.json()) as { id: string; secret: string };
  };

  /** Follows by a stream, or by polls, in the way of the client; both outlast restarts and go on at their cursor. */
  const follow = async ({ client }: Customer, isStream: boolean): Promise<Following> => {
    const events: AccountEvent[] = [];
    const leaving = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<undefined>();
    let cursor = 'now';
    const onCursor = (next: string): void => {
      cursor = next;
      resolve(undefined);
    };
    const following = (async () => {
      do {
        const options = { types: TYPES, from: cursor, follow: isStream, onCursor, signal: leaving.signal };
        // An API that is killed again and again may be away for longer than the client is patient.
        try {
          for await (const event of client.events(options)) events.push(event);
        } catch (error) {
          if (!(error instanceof ClientError && error.passing)) throw error;
        }
        await sleep(100, undefined, { signal: leaving.signal });
      } while (!leaving.signal.aborted);
    })();
    const ended = following.catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    await Promise.race([begun, ended]);
    return {
      events,
      async stop() {
        leaving.abort();
        await ended;
      },
    };
  };

  /** Submits a job, again under the same key while the API is away. */
  const submit = async ({ client }: Customer): Promise<void> => {
    const [request, idempotencyKey] = [noopRequest({ tasks: 2, seconds: 0.2 }), randomUUID()];
    await until(
      'a job is taken',
      () =>
        client.submit(request, { idempotencyKey }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof ClientError && error.passing) return false;
            throw error;
          },
        ),
      RECOVERY_MS,
    );
  };

  /**
   * Kills each of the servers in turns, each turn in another order, and the next one once a job has ended since; it ends with a turn, or
   * when it is stopped.
   */
  const keepKilling = (endedJobs: () => number, stopped: AbortSignal): Promise<readonly string[]> => {
    const draws = new Draws(SEED);
    const killed: string[] = [];
    return (async () => {
      while (killed.length === 0 || endedJobs() < JOBS) {
        for (const name of SERVERS.map((each) => [draws.uniform(), each] as const).toSorted()) {
          await sleep(draws.uniform() * LONGEST_PAUSE_MS, undefined, { signal: stopped });
          const before = endedJobs();
          await world.killAndRestart(name[1]);
          killed.push(name[1]);
          const goesOn = (): boolean => stopped.aborted || endedJobs() > before || before === JOBS;
          await until(`work goes on after ${name[1]}`, goesOn, RECOVERY_MS);
        }
      }
      return killed;
    })();
  };

  it('are told alike by polls, by a stream and by a webhook over TLS: each event, and once', async () => {
    const customer = await world.customer();
    const { id, secret } = await subscribe(customer);
    const [polling, streaming] = [await follow(customer, false), await follow(customer, true)];
    const startedAt = performance.now();
    const endedJobs = (): number => polling.events.filter(({ type }) => type === ENDED).length;
    const failing = new AbortController();
    const killing = keepKilling(endedJobs, failing.signal);
    const working = async (): Promise<void> => {
      for (let n = 0; n < JOBS; n += 1) {
        await until('there is room', () => n - endedJobs() < AT_ONCE, RECOVERY_MS);
        await submit(customer);
      }
      await until('all jobs have ended', () => endedJobs() === JOBS, RECOVERY_MS);
    };
    const [, killed] = await Promise.all([working(), killing]).finally(() => failing.abort());

    const stored = await world.rows<{ public_id: string; subject: string }>(
      'select public_id, subject from events where account_id = $1 and type = any($2) order by id',
      [customer.accountId, TYPES],
    );
    const ids = stored.map((row) => row.public_id);
    await until('the stream has told all', () => streaming.events.length >= ids.length, RECOVERY_MS);
    await until('the webhook has told all', () => new Set(receiver.ids).size >= ids.length, RECOVERY_MS);
    await Promise.all([polling.stop(), streaming.stop()]);
    expect(polling.events.map((event) => event.id)).to.deep.equal(ids);
    expect(streaming.events.map((event) => event.id)).to.deep.equal(ids);
    expect([...new Set(receiver.ids)].toSorted()).to.deep.equal(ids.toSorted());
    for (const message of receiver.received) expect(verified(message, secret)['id']).to.equal(message.id);
    await until('each delivery is known as taken', async () => {
      const open = await world.rows(
        `select 1 from webhook_deliveries where webhook_id = $1 and state <> 'SUCCEEDED'`,
        [id],
      );
      return open.length === 0;
    });
    const entries = await world.rows<{ public_id: string; subject: string }>(
      'select public_id, subject from events where account_id = $1 and type = any($2) order by entry',
      [customer.accountId, TYPES],
    );
    const perJob = (rows: typeof entries): unknown => Map.groupBy(rows, ({ subject }) => subject);
    expect(perJob(stored), 'the order of each job').to.deep.equal(perJob(entries));
    expect(new Set(stored.map(({ subject }) => subject))).to.have.property('size', JOBS);
    measured(`${JOBS} jobs`, {
      kills: killed.length,
      events: ids.length,
      messages: receiver.received.length,
      seconds: (performance.now() - startedAt) / 1000,
    });
  });
});

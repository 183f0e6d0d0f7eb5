/** Webhooks on the command line, and events on a laptop: `webhooks …`, `listen` and `trigger` over a running stack. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { runCommandLine } from '../../src/cli/program.ts';
import { noTerminal } from '../../src/cli/terminal.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';
import { verified, WebhookReceiver } from '../support/webhook-receiver.ts';

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';
const HOUR_MS = 3_600_000;

describe('webhooks on the command line', function () {
  this.timeout(180_000);
  let api: TestApi;
  let receiver: WebhookReceiver;
  let owner: NewAccount;
  let folder = '';
  let env: Record<string, string> = {};
  /** Listeners that a test has left open. */
  const listeners: { readonly end: () => Promise<unknown> }[] = [];

  before(async () => {
    [api, receiver] = await Promise.all([testApi(), new WebhookReceiver().open()]);
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-webhooks-'));
    const { apiUrl } = api.stack;
    env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, DOCKYARD_API_URL: apiUrl };
    owner = await api.account();
    const { headers } = await sessionOf(api, owner.accountId);
    const session = headers.cookie.slice(headers.cookie.indexOf('=') + 1);
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
    mkdirSync(join(folder, 'dockyard'));
    writeFileSync(
      join(folder, 'dockyard', 'session.json'),
      JSON.stringify({ apiUrl, session, expiresAt, accountId: owner.accountId }),
    );
    receiver.received.length = 0;
    receiver.answer = 200;
  });
  afterEach(async () => {
    for (const listener of listeners.splice(0)) await listener.end();
    rmSync(folder, { recursive: true, force: true });
  });
  after(() => receiver.close());

  const run = (...argv: readonly string[]): Promise<CommandEnding> => runCommand(argv, env, folder);
  const done = async (...argv: readonly string[]): Promise<CommandEnding> => {
    const ending = await run(...argv);
    expect(ending.code, ending.err).to.equal(0);
    return ending;
  };
  const refused = async (...argv: readonly string[]): Promise<unknown> => {
    const { code, err } = await run(...argv, '--json');
    expect(code, err).to.equal(2);
    return JSON.parse(err).code;
  };
  const eventIds = async (type: string): Promise<readonly string[]> => {
    const { body } = await api.call(owner.liveKey, 'GET', `events?limit=200&types=${type}`);
    return body.events.map(({ id }: { id: string }) => id);
  };

  it('are made, watched, sent again, rotated and deleted', async () => {
    const place = ['--url', receiver.url, '--types', 'job.succeeded'];
    const made = await done('webhooks', 'create', ...place);
    const [, secret = '', id = ''] =
      /^(whsec_\S+)\nThe secret is shown this once.* Its id is (\S+)\./.exec(made.out) ?? [];
    expect((await done('webhooks', 'create', ...place)).out).to.contain(
      `${id} has the same address and types`,
    );
    expect((await done('webhooks', 'list')).out)
      .to.contain(id)
      .and.not.contain(secret);
    expect((await done('webhooks', 'update', id, '--types', 'job.failed')).out).to.contain(receiver.url);

    const test = (await done('webhooks', 'test', id, '--json')).data;
    const taken = async (state: string): Promise<boolean> =>
      (await done('webhooks', 'deliveries', id, '--state', state, '--json')).data.deliveries.length === 1;
    await until('the test is taken', () => taken('succeeded'));
    const message = receiver.received.find((one) => one.id === test.eventId) ?? expect.fail('nothing came');
    expect(verified(message, secret)).to.include({ type: 'webhook.test' });
    const shown = (await done('webhooks', 'delivery', id, test.id)).out;
    expect(shown)
      .to.match(/\nState +SUCCEEDED\nTries +1\nLast try +200 after \d+ ms\n/)
      .and.contain(message.body);

    receiver.answer = 410;
    await done('webhooks', 'redeliver', id, test.id);
    await until('it is disabled', async () =>
      (await done('webhooks', 'show', id)).out.includes('disabled: GONE'),
    );
    expect(await refused('webhooks', 'redeliver', id, test.id)).to.equal('WEBHOOK_DISABLED');
    receiver.answer = 200;
    expect((await done('webhooks', 'enable', id)).out).to.contain(`redeliver-failed ${id}`);
    expect((await done('webhooks', 'redeliver-failed', id)).out).to.equal('1 sent again.\n');
    await until('it is taken at last', () => taken('succeeded'));
    const rotated = (await done('webhooks', 'rotate-secret', id, '--overlap-seconds', '60')).out;
    expect(rotated)
      .to.match(/^whsec_\S+\n/)
      .and.not.contain(secret);
    expect((await done('webhooks', 'delete', id)).out).to.equal(`${id} is deleted.\n`);
    expect(await refused('webhooks', 'redeliver', id, test.id)).to.equal('NOT_FOUND');
  });

  it('refuse what is wrong, and say so', async () => {
    const create = (url: string): Promise<unknown> =>
      refused('webhooks', 'create', '--url', url, '--types', 'job.failed');
    for (const url of [
      'http://example.org/',
      'https://169.254.169.254/',
      'https://a:b@example.org/',
      'https://192.0.2.1:22/',
    ])
      expect(await create(url), url).to.equal('DESTINATION_REFUSED');
    expect(await refused('webhooks', 'create', '--url', receiver.url)).to.equal('USAGE');
    expect(await refused('webhooks', 'create', '--url', receiver.url, '--types', 'x')).to.equal(
      'VALIDATION_ERROR',
    );
    expect(await refused('webhooks', 'redeliver', NOBODY, NOBODY)).to.equal('NOT_FOUND');
    expect(await refused('webhooks', 'update', NOBODY)).to.equal('USAGE');
    rmSync(join(folder, 'dockyard', 'session.json'));
    expect(await refused('webhooks', 'list')).to.equal('NOT_SIGNED_IN');
  });

  it('trigger sends the example of a type, signed and marked, and nothing of it is in the log', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const words = ['trigger', 'job.succeeded', '--to', receiver.url, '--secret', secret];
    await Promise.all([done(...words), done(...words)]);
    for (const message of receiver.received) {
      expect(message.headers['dockyard-example']).to.equal('true');
      expect(verified(message, secret)['data']).to.include({ status: 'SUCCEEDED', example: true });
    }
    expect(new Set(receiver.ids).size).to.equal(2);
    expect(await eventIds('job.succeeded')).to.deep.equal([]);
    receiver.answer = 500;
    expect((await run(...words)).code).to.equal(1);
    expect(await refused('trigger', 'job.lost', '--to', receiver.url)).to.equal('USAGE_UNKNOWN_WORD');
    expect((await run('trigger', 'job.failed', '--to', 'http://127.0.0.1:9/')).code).to.equal(6);
  });

  it('listen forwards in order, waits for a receiver, goes on where it stopped, and takes what is redelivered', async () => {
    const types = ['job.submitted', 'job.succeeded'];
    const listening = (...more: readonly string[]) => {
      let [out, interrupt] = ['', (): void => undefined];
      const terminal = {
        ...noTerminal(() => undefined),
        onInterrupt: (listener: () => void) => {
          interrupt = listener;
          return () => undefined;
        },
      };
      const argv = ['listen', '--forward-to', receiver.url, '--types', ...types, ...more];
      const ending = runCommandLine(argv, {
        ...{ env, folder, terminal, err: () => undefined },
        out: (text) => (out += text),
      });
      const end = async (): Promise<string> => {
        interrupt();
        expect(await ending).to.equal(0);
        return out;
      };
      listeners.push({ end });
      return { end, out: () => out };
    };
    const submit = async (): Promise<void> => {
      const { status, body } = await api.submit(owner.liveKey, noopJob());
      expect(status, JSON.stringify(body)).to.equal(200);
      await api.ends(owner.liveKey, body.jobId, 60);
    };
    const logged = async (): Promise<readonly string[]> => {
      const { body } = await api.call(
        owner.liveKey,
        'GET',
        `events?limit=200&types=${types.join('&types=')}`,
      );
      return body.events.map(({ id }: { id: string }) => id);
    };
    const stateFolder = join(folder, 'dockyard', 'listen');
    const stateFiles = (): readonly string[] =>
      readdirSync(stateFolder).filter((name) => name.endsWith('.json'));
    const arrived = (): readonly string[] => [...new Set(receiver.ids)];

    const first = listening();
    await until('it listens', () => first.out() !== '' && stateFiles().length === 1);
    const [, secret = ''] = /^The secret of this listener is (\S+)\n/.exec(first.out()) ?? [];
    expect(statSync(join(stateFolder, stateFiles()[0] ?? '')).mode & 0o777).to.equal(0o600);
    expect(await refused('listen', '--forward-to', receiver.url)).to.equal('LISTENER_RUNNING');
    // A receiver that is down for a while holds the first event back, and those behind it.
    receiver.answer = 503;
    await submit();
    await until('the receiver was tried', () => receiver.received.length > 1);
    expect(arrived()).to.have.length(1);
    receiver.answer = 200;
    await until('all have come', async () => arrived().length === (await logged()).length);
    await first.end();

    // What happens while nobody listens is not lost, and nothing comes twice.
    await submit();
    const before = receiver.received.length;
    const second = listening();
    await until('the rest has come', async () => arrived().length === (await logged()).length);
    expect(arrived()).to.deep.equal(await logged());
    for (const message of receiver.received) expect(verified(message, secret)['id']).to.equal(message.id);

    const { data: webhook } = await done(
      'webhooks',
      'create',
      '--url',
      receiver.url,
      '--types',
      ...types,
      '--json',
    );
    await submit();
    await until(
      'it was delivered',
      async () =>
        (await done('webhooks', 'deliveries', webhook.id, '--state', 'SUCCEEDED', '--json')).data.deliveries
          .length === 2,
    );
    await until('it was forwarded, too', async () => second.out().split('\n').length - 2 === 4);
    const { data } = await done('webhooks', 'deliveries', webhook.id, '--json');
    const { id, eventId } = data.deliveries[0];
    await done('webhooks', 'redeliver', webhook.id, id);
    const forwarded = (text: string): number => text.split(eventId).length - 1;
    await until('the listener has it again', () => forwarded(second.out()) === 2);
    const told = await second.end();
    expect(receiver.received.slice(0, before).every((message) => !told.includes(message.id))).to.equal(true);

    const back = listening('--backfill', '1h');
    await until('all come once more', async () => (await logged()).every((one) => back.out().includes(one)));
    await back.end();
  });
});

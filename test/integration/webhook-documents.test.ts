/**
 * The pages about events and webhooks run: each block of code of them is executed as it stands, but for addresses, ports and secrets of
 * this machine. The receivers of examples/webhooks take real deliveries.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { EVENT_SCHEMAS } from '../../api/events/schemas.ts';
import { createClient } from '../../src/client/index.ts';
import type { Client } from '../../src/client/index.ts';
import { findTool, projectRoot } from '../../src/stack/tools.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { freePort } from '../support/ports.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PLACE = 'https://example.org/hooks/dockyard';
const TYPES = ['job.submitted', 'job.provisioning', 'job.running', 'job.finalizing', 'job.succeeded'];

interface Started {
  readonly out: () => string;
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

describe('the pages and examples of events and webhooks', function () {
  this.timeout(240_000);
  let api: TestApi;
  let python = '';
  let folder = '';
  let port = 0;
  let env: Record<string, string> = {};
  let key = '';
  let client: Client;
  const running: Started[] = [];

  before(async () => {
    api = await testApi();
    python = findTool('webhooks-python', process.env);
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-pages-'));
    port = await freePort();
    const { apiUrl } = api.stack;
    const { accountId, liveKey } = await api.account();
    key = liveKey;
    const { headers } = await sessionOf(api, accountId);
    const session = headers.cookie.slice(headers.cookie.indexOf('=') + 1);
    client = createClient({ apiUrl, session });
    mkdirSync(join(folder, 'dockyard'));
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(
      join(folder, 'dockyard', 'session.json'),
      JSON.stringify({ apiUrl, session, expiresAt, accountId }),
    );
    const entry = join(projectRoot, 'src', 'bin', 'dockyard.ts');
    env = {
      PATH: `${folder}/bin:${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
      ...{ HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, PORT: String(port) },
      ...{ DOCKYARD_API_URL: apiUrl, DOCKYARD_API_KEY: key },
    };
    mkdirSync(join(folder, 'bin'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`;
    writeFileSync(join(folder, 'bin', 'dockyard'), command, { mode: 0o755 });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a program in a group of its own. */
  const start = (program: string, args: readonly string[], more: Record<string, string> = {}): Started => {
    const child = spawn(program, args, {
      cwd: projectRoot,
      env: { ...env, ...more },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    const keep = (chunk: Buffer): void => void (out += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stop = async (): Promise<void> => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGTERM');
      await ended;
    };
    const started = { out: () => out, ended, stop };
    running.push(started);
    return started;
  };
  const shell = (text: string, more: Record<string, string> = {}): Started =>
    start('bash', ['--norc', '-euo', 'pipefail', '-c', text], more);
  const finished = async (text: string, more: Record<string, string> = {}): Promise<string> => {
    const { ended, out } = shell(text, more);
    expect(await ended, out()).to.equal(0);
    return out();
  };
  const submit = async (): Promise<string> => {
    const { body } = await api.submit(key, noopJob());
    await api.ends(key, body.jobId, 60);
    return body.jobId;
  };
  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name);
    const ours = join(projectRoot, 'src', 'client', 'index.ts');
    writeFileSync(file, text.replace("'dockyard-client'", `'${ours}'`));
    return file;
  };
  /** Waits until a program tells what a pattern says; jobs are submitted meanwhile, because a follower begins at some moment. */
  const follows = async (started: Started, pattern: RegExp): Promise<void> => {
    await until(`${pattern}, but: ${started.out()}`, async () => {
      await submit();
      return pattern.test(started.out());
    });
    await started.stop();
  };
  const blocksOf = (page: string): readonly { readonly language: string; readonly text: string }[] =>
    [...readFileSync(join(projectRoot, 'docs', page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)].map(
      ([, language = '', text = '']) => ({ language, text }),
    );

  it('docs/events.md: each block does what the page says', async () => {
    const { nextCursor } = (await api.call(key, 'GET', 'events?latest=true')).body;
    const ran: string[] = [];
    for (const { language, text } of blocksOf('events.md')) {
      ran.push(language);
      if (language === 'json') {
        const event = JSON.parse(text);
        expect(EVENT_SCHEMAS[event.type]?.validate(event).error, text).to.equal(undefined);
      } else if (language === 'ts')
        await follows(start(process.execPath, [fileOf('follow.ts', text)]), /^job.succeeded \S+/m);
      else if (text.startsWith('dockyard events')) await follows(shell(text), /Z {2}job\.succeeded /);
      else await follows(shell(text, { CURSOR: nextCursor }), /^data: .*"job\.succeeded"/m);
    }
    expect(ran).to.deep.equal(['sh', 'ts', 'sh', 'json', 'sh']);
  });

  it('docs/webhooks.md: each block does what the page says', async () => {
    let [secret, id, ran] = [SECRET, '', 0];
    const runs: readonly (readonly [string, (text: string) => Promise<void>])[] = [
      [
        'dockyard listen ',
        async (text) => {
          const { out } = shell(text);
          const told = (): string | undefined => /secret of this listener is (\S+)/.exec(out())?.[1];
          await until('the listener', () => told() !== undefined);
          secret = told() ?? '';
        },
      ],
      [
        'receiver.mjs',
        async (text) => {
          const { out } = shell(text);
          await until('the receiver listens', () => out().includes('listening'));
          const jobId = await submit();
          await until('the job has ended there', () => out().includes(`${jobId} SUCCEEDED`));
        },
      ],
      [
        'dockyard trigger ',
        async (text) => void expect(await finished(text)).to.match(/ 204 after \d+ ms\n$/),
      ],
      [
        'webhooks create ',
        async (text) => {
          await Promise.all(running.splice(0).map((one) => one.stop()));
          const out = await finished(text);
          expect(out).to.match(/ webhook\.test +(PENDING|SUCCEEDED) /);
          secret = /whsec_\S+/.exec(out)?.[0] ?? '';
          [{ id = '' } = {}] = await client.webhooks.list();
        },
      ],
      [
        'createHmac(',
        (text) =>
          takes(start(process.execPath, [fileOf('receive.mjs', text)], { DOCKYARD_WEBHOOK_SECRETS: secret })),
      ],
      ['openssl ', judgesKept],
      [
        'createServer(',
        (text) =>
          takes(start(process.execPath, [fileOf('receive.ts', text)], { DOCKYARD_WEBHOOK_SECRETS: secret })),
      ],
      [
        'HTTPServer(',
        (text) => takes(start(python, [fileOf('receive.py', text)], { DOCKYARD_WEBHOOK_SECRETS: secret })),
      ],
      [
        'rotate-secret ',
        async (text) => void expect(await finished(text, { WEBHOOK: id })).to.match(/^whsec_/),
      ],
      [
        'webhooks enable ',
        async (text) => void expect(await finished(text, { WEBHOOK: id })).to.match(/\n\d+ sent again\.\n$/),
      ],
    ];
    /** Whether a message that was kept is told from one that was changed. */
    async function judgesKept(text: string): Promise<void> {
      const receiver = await new WebhookReceiver().open();
      const made = await client.webhooks.create({ url: receiver.url, types: TYPES });
      await client.webhooks.test(made.id);
      await until('the message comes', () => receiver.received.length > 0);
      await receiver.close();
      await client.webhooks.delete(made.id);
      const [kept] = receiver.received;
      if (kept === undefined) throw new Error('nothing came');
      const { headers, body } = kept;
      const variables = {
        DOCKYARD_WEBHOOK_SECRETS: `${SECRET} ${made.secret}`,
        WEBHOOK_ID: headers['webhook-id'] ?? '',
        WEBHOOK_TIMESTAMP: headers['webhook-timestamp'] ?? '',
        WEBHOOK_SIGNATURE: headers['webhook-signature'] ?? '',
      };
      const judged = async (content: string): Promise<string> => {
        writeFileSync(join(folder, 'body.json'), content);
        const { ended, out } = start('sh', ['-c', `cd '${folder}'\n${text}`], variables);
        return `${await ended} ${out()}`;
      };
      expect(await judged(body)).to.equal('0 signed\n');
      expect(await judged(`${body} `)).to.equal('1 ');
    }
    /** Whether a receiver prints the tests that it is sent. */
    const takes = async (receiver: Started): Promise<void> => {
      await until(`a test is taken: ${receiver.out()}`, async () => {
        await client.webhooks.test(id);
        return receiver.out().includes('webhook.test');
      });
      await receiver.stop();
    };
    for (const { text } of blocksOf('webhooks.md')) {
      const [, run] = runs.find(([mark]) => text.includes(mark)) ?? [];
      if (run === undefined) throw new Error(`nothing runs this block:\n${text}`);
      await run(
        text
          .replaceAll('4000', String(port))
          .replaceAll(SECRET, secret)
          .replace(PLACE, `http://127.0.0.1:${port}/hooks`),
      );
      ran += 1;
    }
    expect(ran).to.equal(runs.length);
  });

  for (const [language, example] of [
    ['Node', 'receiver.mjs'],
    ['Python', 'receiver.py'],
  ] as const)
    it(`examples/webhooks: the receiver in ${language} works once with what comes twice and late`, async () => {
      const url = `http://127.0.0.1:${port}/hooks`;
      const { id, secret } = await client.webhooks.create({ url, types: TYPES });
      const program = language === 'Node' ? process.execPath : python;
      const secrets = { DOCKYARD_WEBHOOK_SECRETS: `${SECRET} ${secret}` };
      const receiver = start(program, [join('examples', 'webhooks', example)], secrets);
      await until('it listens', () => receiver.out().includes('listening'));
      const jobId = await submit();
      const sent = async () => {
        const all: { readonly id: string; readonly state: string; readonly attemptedAt: string | null }[] =
          [];
        for await (const delivery of client.webhooks.deliveries(id)) all.push(delivery);
        return all;
      };
      await until('all is taken', async () => {
        const all = await sent();
        return (
          all.length > 1 &&
          all.every(({ state }) => state === 'SUCCEEDED') &&
          receiver.out().includes('SUCCEEDED')
        );
      });
      const before = receiver.out();
      const lines = before.split('\n').filter((line) => line.startsWith(jobId));
      expect(new Set(lines).size).to.equal(lines.length);
      expect(lines.at(-1)).to.equal(`${jobId} SUCCEEDED (job.succeeded)`);

      for (const delivery of await sent()) await client.webhooks.redeliver(id, delivery.id);
      await until('all is taken again', async () =>
        (await sent()).every(({ state }) => state === 'SUCCEEDED'),
      );
      expect(receiver.out()).to.equal(before);
      const answered = await fetch(url, { method: 'POST', body: '{}' });
      expect(answered.status).to.equal(400);
    });
});

/**
 * Temporal that is reached over TLS, with a certificate and an API key: every process of the stack goes through the door, and a
 * setting that the door does not accept ends a process at its start with the name of the setting.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { connectTemporal } from '../../src/adapters/temporal/connection.ts';
import { loadConfig } from '../../src/config.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { noopJob, openTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { makeAuthority } from '../support/certificate.ts';
import type { TestAuthority } from '../support/certificate.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { endTestStack } from '../support/stack.ts';
import { openTemporalDoor } from '../support/temporal-door.ts';
import type { TemporalDoor } from '../support/temporal-door.ts';
import { until } from '../support/until.ts';

const NAME = 'temporal.test';
const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService';
const KEYS = ['first-key-of-the-test', 'second-key-of-the-test'] as const;

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

describe('Temporal behind TLS with a certificate and an API key', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-tls-'));
  const keyFile = join(folder, 'api-key');
  let authority: TestAuthority;
  let stranger: TestAuthority;
  let door: TemporalDoor;
  let api: TestApi;
  let settings: Record<string, string>;

  before(async () => {
    [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority('somebody else')]);
    const own = await authority.issue('dockyard-client');
    writeFileSync(keyFile, `${KEYS[0]}\n`);
    let stack: Stack | null = null;
    door = await openTemporalDoor({
      caFile: authority.caFile,
      certificate: await authority.issue(NAME),
      apiKey: KEYS[0],
      upstream: () => stack?.temporalAddress ?? '127.0.0.1:1',
    });
    settings = {
      DOCKYARD_TEMPORAL_ADDRESS: door.address,
      DOCKYARD_TEMPORAL_TLS: 'true',
      DOCKYARD_TEMPORAL_CA_FILE: authority.caFile,
      DOCKYARD_TEMPORAL_CERT_FILE: own.certFile,
      DOCKYARD_TEMPORAL_KEY_FILE: own.keyFile,
      DOCKYARD_TEMPORAL_SERVER_NAME: NAME,
      DOCKYARD_TEMPORAL_API_KEY_FILE: keyFile,
    };
    api = await openTestApi(settings, {}, (starting) => (stack = starting));
  });
  after(async () => {
    await endTestStack(api.stack);
    await door.close();
    await Promise.all([authority.remove(), stranger.remove()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** The end of a process that is started with other settings, with all that it said. */
  const startWith = async (
    file: string,
    other: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<Ended> => {
    const child = spawn(process.execPath, [join(repositoryRoot, 'src', 'bin', `${file}.ts`), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: folder, ...KEPT_MODULES },
        ...{
          ...api.stack.env,
          DOCKYARD_API_PORT: '0',
          DOCKYARD_GATEWAY_PORT: '0',
          DOCKYARD_HEALTH_PORT: '0',
          ...other,
        },
      },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const code = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    clearTimeout(timer);
    return { code: await code, said: out + err };
  };
  const runs = async (): Promise<void> => {
    const { liveKey } = await api.account(100);
    const submitted = await api.submit(liveKey, noopJob(3));
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    const ended = await api.ends(liveKey, submitted.body.jobId, 60);
    expect(ended.body).to.include({ status: 'SUCCEEDED' });
    expect(ended.body.cost).to.include({ releasedCents: 0 });
    expect(ended.body.cost.chargedCents).to.equal(ended.body.cost.heldCents).and.to.be.greaterThan(0);
  };

  it('runs a job from submit to settlement, with every process going through the door', async () => {
    await runs();
    expect([...door.clients]).to.deep.equal(['dockyard-client']);
    for (const call of [
      'ExecuteMultiOperation',
      'PollWorkflowTaskQueue',
      'PollActivityTaskQueue',
      'CreateSchedule',
    ])
      expect([...door.calls.keys()], call).to.include(`${SERVICE}/${call}`);
    expect(door.refused()).to.equal(0);
  });

  it('reaches Temporal from the command line too', async () => {
    const show = ['admin', 'deployment', 'show'];
    const shown = await startWith('dockyard', {}, ...show);
    expect(shown.said).to.contain('DOCKYARD_BUILD_ID');
    const bare = { DOCKYARD_TEMPORAL_CERT_FILE: '', DOCKYARD_TEMPORAL_KEY_FILE: '' };
    const refused = await startWith('dockyard', bare, ...show);
    expect(refused.code, refused.said).to.equal(2);
    expect(refused.said).to.contain('DOCKYARD_TEMPORAL_CERT_FILE');
  });

  it('takes a new API key from its file without a restart', async () => {
    const pid = api.stack.pid('control');
    // Keys overlap while they are changed, as they do at Temporal Cloud.
    door.letIn(...KEYS);
    writeFileSync(keyFile, `${KEYS[1]}\n`);
    await until(
      'no process sends the old key any more',
      async () => {
        const [old, young] = KEYS.map((key) => door.callsWith(key));
        await runs();
        return door.callsWith(KEYS[0]) === old && door.callsWith(KEYS[1]) > (young ?? 0);
      },
      30_000,
    );
    door.letIn(KEYS[1]);
    await runs();
    expect(door.refused()).to.equal(0);
    expect(api.stack.pid('control')).to.equal(pid);
  });

  it('refuses to start with what the door does not accept, and names the setting', async () => {
    const [foreign, expired] = await Promise.all([
      stranger.issue('dockyard-client'),
      authority.issue('dockyard-client', { expired: true }),
    ]);
    const wrongKey = join(folder, 'wrong-key');
    writeFileSync(wrongKey, 'not-the-key');
    const cases: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
      [
        'control',
        'DOCKYARD_TEMPORAL_CERT_FILE',
        { DOCKYARD_TEMPORAL_CERT_FILE: foreign.certFile, DOCKYARD_TEMPORAL_KEY_FILE: foreign.keyFile },
      ],
      [
        'api',
        'DOCKYARD_TEMPORAL_CERT_FILE',
        { DOCKYARD_TEMPORAL_CERT_FILE: expired.certFile, DOCKYARD_TEMPORAL_KEY_FILE: expired.keyFile },
      ],
      ['api', 'DOCKYARD_TEMPORAL_KEY_FILE', { DOCKYARD_TEMPORAL_KEY_FILE: foreign.keyFile }],
      ['gateway', 'DOCKYARD_TEMPORAL_CA_FILE', { DOCKYARD_TEMPORAL_CA_FILE: stranger.caFile }],
      ['api', 'DOCKYARD_TEMPORAL_SERVER_NAME', { DOCKYARD_TEMPORAL_SERVER_NAME: 'other.test' }],
      ['control', 'DOCKYARD_TEMPORAL_API_KEY_FILE', { DOCKYARD_TEMPORAL_API_KEY_FILE: wrongKey }],
      ['api', 'DOCKYARD_TEMPORAL_TLS', { DOCKYARD_TEMPORAL_ADDRESS: api.stack.temporalAddress }],
      ['api', 'DOCKYARD_TEMPORAL_TLS=true', { DOCKYARD_TEMPORAL_TLS: 'false' }],
    ];
    for (const [file, variable, other] of cases) {
      const { code, said } = await startWith(file, other);
      expect(code, `${variable}: ${said}`).to.equal(1);
      expect(said).to.contain(variable);
    }
  });

  it('does not take Temporal that is away for a wrong setting', async () => {
    const config = loadConfig('cli', { ...api.stack.env, DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1' });
    const error = await connectTemporal(config, 500).then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).to.be.an('error').with.property('name').that.does.not.equal('TemporalSettingsError');
  });
});

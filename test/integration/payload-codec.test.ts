/**
 * Payloads on a real stack with the codec on: nothing of a customer is in the bytes of the histories, no instance has a key, and
 * operators read everything through the codec server.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { dataConverterOf } from '../../src/adapters/temporal/codec.ts';
import { connectTemporal } from '../../src/adapters/temporal/connection.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { loadConfig } from '../../src/config.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import { findTool } from '../../src/stack/tools.ts';
import { openTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { docking, dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import { smilesLigand } from '../support/docking-ligands.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const { History } = proto.temporal.api.history.v1;
const KEY = '5e'.repeat(32);
const TOKEN = 'codec-server-bearer-of-the-test-0123456789';
const ORIGIN = 'https://temporal.example.org';
/** What must not be found: a SMILES, the names of the job and of ligands, and a word in a failure's message. */
const SECRETS = ['Oc1ccc(Br)cc1', 'Confidential Campaign', 'hush-ligand', 'whispered'];

interface Wire {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

describe('payloads that are sealed before Temporal stores them', function () {
  this.timeout(JOB_SECONDS * 1000 + 60_000);
  let api: TestApi;
  let jobId: string;
  const settings = { DOCKYARD_TEMPORAL_CODEC_KEYS: `test:${KEY}`, DOCKYARD_TEMPORAL_CODEC_KEY: 'test' };
  let server: ChildProcess | null = null;
  let codecUrl = '';

  before(async () => {
    quietRuntime();
    api = await openTestApi(settings);
    const { liveKey } = await api.account();
    const receptor = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');
    const sceneFile = await api.upload(liveKey, receptor, { filename: '1a28.pdb' });
    const ligandLibrary = [
      smilesLigand('hush-ligand', 'Oc1ccc(Br)cc1'),
      smilesLigand('broken', 'C1CCC whispered'),
    ];
    const body = docking({ ligandLibrary }, { sceneFile, taskCount: 2, jobName: 'Confidential Campaign' });
    ({ jobId } = await dockingCustomer(api, liveKey).submitted(body));
    const { environ } = await untilInstance(api);
    expect(environ).to.contain('DOCKYARD_GATEWAY_URL');
    expect(environ).not.to.contain(KEY);
    const ended = await api.ends(liveKey, jobId, JOB_SECONDS);
    expect(ended.body.status).to.equal('PARTIALLY_SUCCEEDED');
    server = spawn(
      process.execPath,
      [join(repositoryRoot, 'src', 'bin', 'dockyard.ts'), 'codec-server', '--port', '0'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...{ PATH: process.env['PATH'], HOME: api.stack.home, ...KEPT_MODULES, ...settings },
          ...{ DOCKYARD_CODEC_SERVER_TOKEN: TOKEN, DOCKYARD_CODEC_SERVER_ORIGINS: ORIGIN },
        },
      },
    );
    let said = '';
    server.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the codec server listens', () => /at (http:\S+)/.test(said));
    codecUrl = /at (http:\S+)/.exec(said)?.[1] ?? '';
  });
  after(async () => {
    server?.kill('SIGTERM');
    await endTestStack(api.stack);
  });

  /** The bytes of the histories of the job and of its parts, as Temporal stores them. */
  const historiesOf = async (): Promise<{ readonly types: readonly string[]; readonly bytes: Buffer }> => {
    const connection = await connectTemporal(loadConfig('cli', api.stack.env));
    const namespace = api.stack.temporalNamespace;
    try {
      const all = await connection.workflowService.listWorkflowExecutions({
        namespace,
        query: `WorkflowId STARTS_WITH "job"`,
      });
      const types: string[] = [];
      const parts: Uint8Array[] = [];
      for (const { execution, type } of all.executions ?? []) {
        types.push(type?.name ?? '');
        let nextPageToken: Uint8Array | null = new Uint8Array();
        while (nextPageToken !== null) {
          const page: Awaited<ReturnType<typeof connection.workflowService.getWorkflowExecutionHistory>> =
            await connection.workflowService.getWorkflowExecutionHistory({
              namespace,
              execution: execution ?? {},
              nextPageToken,
            });
          parts.push(History.encode(page.history ?? {}).finish());
          nextPageToken = (page.nextPageToken?.length ?? 0) > 0 ? page.nextPageToken : null;
        }
        const described = await connection.workflowService.describeWorkflowExecution({
          namespace,
          execution: execution ?? {},
        });
        parts.push(
          proto.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse.encode(described).finish(),
        );
      }
      return { types, bytes: Buffer.concat(parts) };
    } finally {
      await connection.close();
    }
  };
  const ask = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    fetch(`${codecUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const wire = (value: unknown): Wire => ({
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from(JSON.stringify(value)).toString('base64'),
  });

  it('leave no SMILES, no name and no message of a failure in the bytes of the histories', async () => {
    const { types, bytes } = await historiesOf();
    expect(types).to.include.members(['job', 'jobPart']);
    expect(bytes.length).to.be.greaterThan(10_000);
    for (const secret of SECRETS) expect(bytes.includes(secret), secret).to.equal(false);
    // What operators search by stays readable.
    expect(bytes.includes('PARTIALLY_SUCCEEDED')).to.equal(true);
  });

  it('replay from their sealed histories on a build with the keys', async () => {
    const config = loadConfig('cli', api.stack.env);
    const connection = await connectTemporal(config);
    try {
      const { history } = await connection.workflowService.getWorkflowExecutionHistory({
        ...{ namespace: api.stack.temporalNamespace, execution: { workflowId: jobWorkflowId(jobId) } },
      });
      const codePath = await ensureBundle({ isSealing: true });
      const options = { workflowBundle: { codePath }, dataConverter: dataConverterOf(config) };
      await Worker.runReplayHistory(options, history ?? {}, jobWorkflowId(jobId));
    } finally {
      await connection.close();
    }
  });

  it("are read by Temporal's own command line through the codec server, and not without the bearer", async () => {
    const show = [
      ...['workflow', 'show', '--workflow-id', jobWorkflowId(jobId), '--output', 'json'],
      ...['--address', api.stack.temporalAddress, '--namespace', api.stack.temporalNamespace],
      ...['--disable-config-file', '--disable-config-env'],
    ];
    const temporal = async (...more: string[]): Promise<string> =>
      (
        await promisify(execFile)(findTool('temporal', process.env), [...show, ...more], {
          maxBuffer: 64 * 1024 * 1024,
          env: { PATH: process.env['PATH'], HOME: api.stack.home },
        })
      ).stdout;
    const text = (json: string): string =>
      JSON.stringify(JSON.parse(json), (key, value: unknown) =>
        key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
      );
    const opened = text(await temporal('--codec-endpoint', codecUrl, '--codec-auth', `Bearer ${TOKEN}`));
    for (const secret of ['Oc1ccc(Br)cc1', 'Confidential Campaign']) expect(opened).to.contain(secret);
    const closed = text(await temporal());
    for (const secret of SECRETS) expect(closed).not.to.contain(secret);
    const refused = await temporal('--codec-endpoint', codecUrl, '--codec-auth', 'Bearer wrong').catch(
      (error: unknown) => String(error),
    );
    for (const secret of SECRETS) expect(refused).not.to.contain(secret);
  });

  it('are sealed and opened over HTTP for the listed origins alone', async () => {
    const sealed = await (await ask('/encode', { payloads: [wire('whispered')] })).json();
    expect(JSON.stringify(sealed)).not.to.contain(wire('whispered').data);
    const opened = await ask('/decode', sealed, { origin: ORIGIN, 'x-namespace': 'default' });
    expect(opened.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
    expect(await opened.json()).to.deep.equal({ payloads: [wire('whispered')] });
    expect(await (await ask('/decode', {})).json()).to.deep.equal({ payloads: [] });
    const preflight = await fetch(`${codecUrl}/decode`, { method: 'OPTIONS', headers: { origin: ORIGIN } });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-headers')).to.contain('authorization');
    const elsewhere = await ask('/decode', sealed, { origin: 'https://elsewhere.example.org' });
    expect(elsewhere.headers.get('access-control-allow-origin')).to.equal(null);
    const refusals = [
      await ask('/decode', sealed, { authorization: 'Bearer wrong' }),
      await ask('/decode', { payloads: 'none' }),
      await ask('/other', sealed),
    ];
    const codes = await Promise.all(
      refusals.map(async (one) => [one.status, ((await one.json()) as { code: string }).code]),
    );
    expect(codes).to.deep.equal([
      [401, 'UNAUTHORIZED'],
      [400, 'VALIDATION_ERROR'],
      [404, 'NOT_FOUND'],
    ]);
  });
});

/** The first instance of the stack, with what its environment has. */
async function untilInstance(api: TestApi): Promise<{ readonly environ: string }> {
  let environ = '';
  await until(
    'an instance runs',
    () => {
      const pid = api.stack.processes().find(({ name }) => name.startsWith('instance/'))?.pid;
      if (pid === undefined) return false;
      environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environ !== '';
    },
    30_000,
  );
  return { environ };
}

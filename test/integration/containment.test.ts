import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createGatewayClient } from '../../src/instance/gateway-client.ts';
import type { GatewayClient } from '../../src/instance/gateway-client.ts';
import { markedProcesses } from '../../src/instance/process-table.ts';
import { createComputeActivities } from '../../src/instance/run-shard.ts';
import { findSessionTool } from '../../src/instance/session-tools.ts';
import type { SessionTool } from '../../src/instance/slots.ts';
import { TaskBoard } from '../../src/instance/task-board.ts';
import type { BoardOptions, ToolStart } from '../../src/instance/task-board.ts';
import type { Containment } from '../../src/contracts/containment.ts';
import type { ShardInput, ShardResult, TaskReport } from '../../src/contracts/instance.ts';
import { stagedKey } from '../../src/contracts/names.ts';
import { TASK_MARKER } from '../../src/contracts/local-host.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { containmentHere, WITHOUT_SANDBOX } from '../support/containments.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';

describe('tools on an instance', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  it('does a shard in one warm process with two gateway calls, and stages exactly what it reports', async () => {
    const job = await world.seedJob({ outputBytes: 5000 }, 10);
    // Longer than ten tasks take on a busy machine; the last task of a shard waits for no other.
    const options = { companyMs: 10_000 };
    const checks = async ({ board, starts, calls, run }: Bench): Promise<void> => {
      const { reports } = await run(job.shard(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
      expect(calls).to.deep.equal(['claim', 'uploadUrls']);
      expect(reports.map(({ end }) => end)).to.deep.equal(Array(10).fill('done'));
      expect(starts.filter(({ start }) => start === 'process')).to.have.length(1);
      for (const report of reports) {
        if (report.end !== 'done') throw new Error('not done');
        const [output] = report.outputs;
        const staged = await world.store.store.hash(
          stagedKey(job.jobId, 0, 1, 'task', report.ordinal, 'result.bin'),
        );
        expect(staged).to.deep.equal({ byteSize: output?.byteSize, sha256: output?.sha256 });
      }
      expect(board.running()).to.deep.equal([]);
    };
    await withBoard(job, checks, options);
  });

  const endings = [
    { kind: 'error', code: 'NOOP_ERROR' },
    { kind: 'exit', code: 'ENGINE_CRASHED' },
    { kind: 'flood', code: 'ENGINE_LIMIT_EXCEEDED' },
    { kind: 'escape', code: 'OUTPUT_UNVERIFIED' },
    { kind: 'fork', code: 'ENGINE_CRASHED' },
  ];
  for (const { kind, code } of endings) {
    it(`a task that fails by ${kind} ends with ${code}, its neighbours are done, and nothing is left`, async () => {
      const job = await world.seedJob({ fail: [{ index: 1, kind }] }, 3);
      await withBoard(job, async ({ run, instanceId }) => {
        const { reports } = await run(job.shard(0, 1, 2));
        expect(reports.map(({ end }) => end)).to.deep.equal(['done', 'failed', 'done']);
        expect(codeOf(reports[1])).to.equal(code);
        // A warm session may still wait for its next task; child processes that a tool left may not exist any more.
        const { kind: by } = await containmentHere();
        const ofSession = by === 'bubblewrap' ? 3 : 1;
        expect(markedProcesses(TASK_MARKER, `${instanceId}/`)).to.have.length.at.most(ofSession);
      });
      expect(existsSync(join(world.folder, 'escaped.txt'))).to.equal(false);
    });
  }

  /** What a tool reaches while another slot has a session of its own. */
  async function reachedBy(containment: Containment): Promise<unknown> {
    const job = await world.seedJob({}, 2);
    const tool = triesOf(new URL(world.gatewayUrl).port);
    let found: unknown = null;
    const work = async ({ run }: Bench): Promise<void> => {
      await run(job.shard(0));
      const [report] = (await run(job.shard(1))).reports;
      if (report?.end === 'done') found = report.summary;
    };
    await withBoard(job, work, { containment, findTool: () => tool });
    return found;
  }

  it('a tool in a sandbox reaches neither the worker with its bearer, nor other slots, nor the gateway', async function () {
    const containment = await containmentHere();
    // A machine that forbids user namespaces makes no sandbox, and its host says so.
    if (containment.kind !== 'bubblewrap') return this.skip();
    const nothing = Object.fromEntries(Object.keys(TRIES).map((name) => [name, false]));
    expect(await reachedBy(containment)).to.deep.equal(nothing);
  });

  it('a tool without a sandbox reaches them all, so the tries are good ones', async () => {
    const all = Object.fromEntries(Object.keys(TRIES).map((name) => [name, true]));
    expect(await reachedBy(WITHOUT_SANDBOX)).to.deep.equal(all);
  });

  it('a task that hangs is ended at its time limit, even when it ignores SIGTERM', async function () {
    this.timeout(240_000);
    const job = await world.seedJob({ fail: [{ index: 0, kind: 'hang' }] }, 2);
    await withBoard(job, async ({ run }) => {
      const { reports } = await run(job.shard(0, 1));
      expect(codeOf(reports[0])).to.equal('ENGINE_TIMEOUT');
      expect(reports[1]?.end).to.equal('done');
    });
  });

  it('keeps what a tool printed, up to the limit, where the customer finds it', async () => {
    const job = await world.seedJob({ fail: [{ index: 0, kind: 'exit' }] }, 1);
    await withBoard(job, async ({ run }) => {
      await run(job.shard(0));
      const [row] = await world.database.db.query('select * from task_logs where job_id = $1', [job.jobId]);
      const object = await world.store.store.read(row.storage_key);
      const text = (await object?.stream.toArray())?.join('') ?? '';
      expect(text).to.contain('task 0: fails by exit');
      expect((await world.tasks(job.jobId))[0]?.log_bytes).to.equal(text.length);
    });
  });

  it('checks an input against the digest that the job pinned, and gives the right one to the tool', async () => {
    // The name of a customer's file, as long as the name of an upload may be.
    const key = `accounts/a/uploads/u/${randomUUID()}/${'ä'.repeat(95)} (1).pdb`;
    await world.store.store.put(key, Buffer.from('ATOM'), 'chemical/x-pdb');
    const good = await world.seedJob({}, 1, { sceneFile: key });
    const bad = await world.seedJob({}, 1, { sceneFile: key });
    const sha256 = createHash('sha256').update('ATOM').digest('hex');
    const pin = 'insert into job_inputs (job_id, storage_key, byte_size, sha256) values ($1, $2, 4, $3)';
    await world.database.db.query(pin, [good.jobId, key, sha256]);
    await world.database.db.query(pin, [bad.jobId, key, 'f'.repeat(64)]);
    await withBoard(good, async ({ run }) => {
      expect((await run(good.shard(0))).reports[0]?.end).to.equal('done');
    });
    await withBoard(bad, async ({ run, starts }) => {
      expect(codeOf((await run(bad.shard(0))).reports[0])).to.equal('INPUT_DIGEST_MISMATCH');
      expect(starts).to.deep.equal([]);
    });
  });

  it('a second attempt of the same tasks adopts the running tool, and a third its result', async () => {
    const job = await world.seedJob({ seconds: 1.5 }, 2);
    await withBoard(job, async ({ starts, run }) => {
      const first = new MockActivityEnvironment({ heartbeatTimeoutMs: 1000 });
      const lost = run(job.shard(0, 1), first).catch((error: unknown) => error);
      await until('the tool runs', () => starts.some(({ start }) => start === 'task'));
      first.cancel('TIMED_OUT', { timedOut: true } as never);
      expect(await lost).to.be.instanceOf(Error);
      const second = await run(job.shard(0, 1));
      expect(second.reports.map(({ end }) => end)).to.deep.equal(['done', 'done']);
      expect(await run(job.shard(0, 1))).to.deep.equal(second);
      expect(starts.filter(({ start }) => start === 'process')).to.have.length(1);
      expect(starts.filter(({ start }) => start === 'task')).to.have.length(2);
      expect((await world.tasks(job.jobId)).map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    });
  });

  it('a task that was set back is done again, its earlier result is not adopted', async () => {
    const job = await world.seedJob({}, 1);
    await withBoard(job, async ({ run, starts }) => {
      await run(job.shard(0));
      await world.database.db.query(`update tasks set state = 'PENDING' where job_id = $1`, [job.jobId]);
      expect((await run(job.shard(0))).reports[0]?.end).to.equal('done');
      expect(starts.filter(({ start }) => start === 'task')).to.have.length(2);
    });
  });

  it('a cancelled shard keeps what is complete and stops the rest within the grace', async () => {
    const job = await world.seedJob({ seconds: 0.2, fail: [{ index: 1, kind: 'hang' }] }, 3);
    await withBoard(job, async ({ starts, instanceId, run }) => {
      const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 1000 });
      const result = run(job.shard(0, 1, 2), environment);
      await until('the second task runs', () => starts.filter(({ start }) => start === 'task').length === 2);
      const askedAt = performance.now();
      environment.cancel('CANCELLED', { cancelRequested: true } as never);
      expect((await result).reports.map(({ end }) => end)).to.deep.equal(['done', 'stopped', 'stopped']);
      expect(performance.now() - askedAt).to.be.below(30_000);
      expect(markedProcesses(TASK_MARKER, `${instanceId}/`)).to.deep.equal([]);
    });
  });

  it('a fenced instance reports nothing', async () => {
    const job = await world.seedJob({ seconds: 0.5 }, 1);
    await withBoard(job, async ({ run, starts }) => {
      const result = run(job.shard(0));
      await until('the tool runs', () => starts.some(({ start }) => start === 'task'));
      await world.fence(job);
      expect(await result).to.deep.equal({ fenced: true, reports: [] });
    });
  });

  it('an outage of the gateway costs time, never a task', async () => {
    const job = await world.seedJob({ seconds: 0.3 }, 1);
    await withBoard(job, async ({ run, starts }) => {
      const result = run(job.shard(0));
      await until('the tool runs', () => starts.some(({ start }) => start === 'task'));
      await world.stopGateway();
      setTimeout(() => void world.startGateway(), 1500);
      expect((await result).reports[0]?.end).to.equal('done');
      expect(starts.filter(({ start }) => start === 'task')).to.have.length(1);
    });
  });

  it('a task goes on from what it has kept each time its tool is killed, and does less than an interval again', async () => {
    const [interval, work, losses] = [0.3, 0.7, 2];
    const fail = [{ index: 0, kind: 'killself', times: losses, after: work }];
    const job = await world.seedJob({ seconds: 2.5, checkpoint: interval, fail }, 1);
    await withBoard(job, async ({ run }) => {
      for (let loss = 1; loss <= losses; loss += 1) {
        expect((await run(job.shard(0))).reports[0]).to.include({ end: 'failed', lost: true });
        // As the commit of such a report does.
        await world.database.db.query(`update tasks set state = 'PENDING' where job_id = $1`, [job.jobId]);
      }
      const [report] = (await run(job.shard(0))).reports;
      const starts: unknown = report?.end === 'done' ? report.summary?.['starts'] : null;
      const seconds = Array.isArray(starts) ? starts.map(Number) : expect.fail(JSON.stringify(report));
      expect(seconds).to.have.length(losses + 1);
      for (const [attempt, second] of seconds.slice(1).entries())
        expect(second - (seconds[attempt] ?? 0)).to.be.greaterThan(work - interval);
    });
  });

  interface Bench {
    readonly board: TaskBoard;
    readonly instanceId: string;
    readonly starts: ToolStart[];
    /** Calls of the gateway, except contacts and logs. */
    readonly calls: string[];
    readonly run: (input: ShardInput, environment?: MockActivityEnvironment) => Promise<ShardResult>;
  }

  /** The board of an instance without Temporal; afterwards nothing of the instance may be left. */
  async function withBoard(
    job: SeededJob,
    work: (bench: Bench) => Promise<void>,
    options: Partial<Pick<BoardOptions, 'companyMs' | 'containment' | 'findTool'>> = {},
  ): Promise<void> {
    const instanceId = randomUUID();
    const folder = join(world.folder, 'instances', instanceId);
    const starts: ToolStart[] = [];
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    let ended: Promise<void> | null = null;
    const calls: string[] = [];
    const client = createGatewayClient({
      url: world.gatewayUrl,
      bearer: job.token,
      onFenced: () => {
        ended ??= board.close('fenced');
      },
    });
    const gateway: GatewayClient = {
      ...client,
      claim: (...args) => (calls.push('claim'), client.claim(...args)),
      uploadUrls: (...args) => (calls.push('uploadUrls'), client.uploadUrls(...args)),
    };
    const board: TaskBoard = new TaskBoard({
      instanceId,
      folder,
      toolSlots: 2,
      ...{ containment: await containmentHere(), gpus: [] },
      gateway,
      findTool: findSessionTool(tools, {
        python: null,
        ccd: null,
        packs: { folder: '/nowhere', environment: {} },
      }),
      onStart: (start) => starts.push(start),
      ...options,
    });
    const activities = createComputeActivities(job.claims, board);
    const run: Bench['run'] = (input, environment = new MockActivityEnvironment()) =>
      environment.run((shard: ShardInput) => activities.runShard(shard), input);
    try {
      await work({ board, instanceId, starts, calls, run });
    } finally {
      await (ended ?? board.close('ended'));
      await gateway.close();
    }
    expect(markedProcesses(TASK_MARKER, `${instanceId}/`)).to.deep.equal([]);
    expect(existsSync(folder)).to.equal(false);
    expect(await readdir(join(world.folder, 'instances')).catch(() => [])).to.deep.equal([]);
  }
});

/** What a tool tries in order to get at what is not its own; each is an expression that throws where it is out of reach. */
const TRIES = {
  worker: `/mocha/.test(fs.readFileSync('/proc/${String(process.pid)}/cmdline'))`,
  bearer: `fs.readFileSync('/proc/${String(process.pid)}/environ').length > 0`,
  // The folder of its session lies beside those of the other slots, below the folder of the instance.
  slots: `fs.readdirSync(path.join(task.folder, '../..')).length > 1`,
  gateway: `new Promise((resolve, reject) => net.connect(PORT, '127.0.0.1', resolve).on('error', reject))`,
  inputs: `fs.writeFileSync(path.join(task.folder, '../../../inputs/changed'), '')`,
  system: `fs.rmdirSync(fs.mkdtempSync('/var/tmp/dockyard-try-'))`,
};

/** The tool that makes these tries, and tells which of them were good. */
function triesOf(port: string): SessionTool {
  const tries = Object.entries(TRIES).map(
    ([name, code]) =>
      `try { reached.${name} = (await (${code})) !== false; } catch { reached.${name} = false; }`,
  );
  const program = `
    const [fs, net, path] = ['fs', 'net', 'path'].map((name) => require('node:' + name));
    const [PORT, reached] = [${port}, {}];
    const say = (message) => fs.writeSync(4, JSON.stringify(message) + '\\n');
    say({ type: 'ready' });
    require('node:readline').createInterface({ input: fs.createReadStream('', { fd: 3 }) }).on('line', async (line) => {
      const task = JSON.parse(line);
      if (task.type !== 'task') return;
      ${tries.join('\n')}
      say({ type: 'done', id: task.id, outputs: [], summary: reached });
    });`;
  const session = { file: process.execPath, args: ['-e', program], env: {}, reads: [process.execPath] };
  return { id: 'tries', startsAhead: false, session: () => session };
}

function codeOf(report: TaskReport | undefined): string | null {
  return report?.end === 'failed' ? report.code : null;
}

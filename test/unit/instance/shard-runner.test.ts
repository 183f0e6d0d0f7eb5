import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import type {
  ClaimedTask,
  ClaimResponse,
  MeterRequest,
  ShardInput,
  StagedInput,
  TaskReport,
} from '../../../src/contracts/instance.ts';
import { FencedError, InputError, ToolMissingError } from '../../../src/instance/repeat.ts';
import type { TaskHooks, TaskOutcome } from '../../../src/instance/session.ts';
import { ShardRunner, type ShardRunnerOptions } from '../../../src/instance/shard-runner.ts';
import type { SessionTool, Slot } from '../../../src/instance/slots.ts';
import { TaskReporter, type ToolEnd } from '../../../src/instance/task-reporter.ts';
import { stoppedReport, TaskRun } from '../../../src/instance/task-run.ts';
import { runMetered } from '../../../src/instance/tool-meter.ts';
import { until } from '../../support/until.ts';

const LIMITS = { wallSeconds: 30, memoryBytes: 2 ** 30, diskBytes: 2 ** 30, logBytes: 1000 };
const DONE: TaskOutcome = { end: 'done', outputs: [], summary: null };

/** A job that is not measured tells of no tool. */
const NO_METER = (): Promise<void> => Promise.reject(new Error('nothing is measured'));

function shard(...ordinals: number[]): ShardInput {
  return { jobId: 'job', execution: 1, slot: 0, generation: 1, kind: 'task', ordinals };
}

function taskOf(ordinal: number, attempt = 1): ClaimedTask {
  return { ordinal, itemId: String(ordinal), attempt, spec: {}, inputs: [] };
}

function reportOf(ordinal: number): TaskReport {
  return { ordinal, end: 'done', outputs: [], seconds: 1, summary: null };
}

function runsOf(...ordinals: number[]): TaskRun[] {
  return ordinals.map((ordinal) => new TaskRun('task', ordinal, null));
}

/** A runner with one slot whose tool is done at once; what it hands to the reporter is kept, and nothing is settled. */
function open(options: Partial<ShardRunnerOptions> = {}) {
  const events: string[] = [];
  const ends = new Map<TaskRun, ToolEnd>();
  const session = {
    run: async (task: { itemId: string }): Promise<TaskOutcome> => {
      events.push(`run ${task.itemId}`);
      return DONE;
    },
  };
  const slot = {
    open: async () => ({ session, makeFolder: async () => '/folder' }),
    holdFolder: (use: Promise<unknown>) => void use,
  } as unknown as Slot;
  const real = new TaskReporter({ add: () => undefined } as never, { stage: async () => undefined });
  const runner = new ShardRunner({
    gateway: {
      claim: async ({ ordinals }): Promise<ClaimResponse> => {
        events.push('claim');
        const tasks = ordinals.map((ordinal) => taskOf(ordinal));
        return { toolId: 'tool', session: {}, limits: LIMITS, inputs: [], tasks };
      },
      meter: NO_METER,
      inputUrls: () => Promise.reject(new Error('no task has inputs')),
    },
    slots: {
      acquire: async () => slot,
      release: () => void events.push('slot is free'),
      startAhead: () => undefined,
    },
    inputs: { fetch: async () => ({}) },
    drain: new AbortController().signal,
    checkpoints: { open: () => ({ keep: async () => false, close: async () => undefined }) },
    reporter: {
      openLog: (run, attempt, bytes) => real.openLog(run, attempt, bytes),
      settleError: (run, error) => real.settleError(run, error),
      finish: (run, end) => {
        ends.set(run, end);
        // The outputs are on their way for ever.
        return new Promise(() => undefined);
      },
    },
    findTool: () => ({ id: 'tool', startsAhead: false }) as unknown as SessionTool,
    onTaskStart: ({ ordinal }) => events.push(`start ${ordinal}`),
    end: new AbortController().signal,
    ...options,
  });
  return { runner, events, ends };
}

describe('running the tasks of a shard', () => {
  it('hands each ended tool to the reporter and gives the slot back without waiting for any report', async () => {
    const { runner, events, ends } = open();
    const [first, second] = runsOf(0, 1) as [TaskRun, TaskRun];
    await runner.run(shard(0, 1), [first, second]);
    expect(events).to.deep.equal(['claim', 'start 0', 'run 0', 'start 1', 'run 1', 'slot is free']);
    expect(ends.get(first)).to.deep.include({ outcome: DONE, folder: '/folder', isLast: false });
    expect(ends.get(second)).to.deep.include({ outcome: DONE, folder: '/folder', isLast: true });
    expect([first.state, second.state]).to.deep.equal(['staging', 'staging']);
  });

  it('adopts the report of a finished run of the same attempt, and runs a task that has the next one', async () => {
    const { runner, events } = open();
    const previous = runsOf(0, 1) as [TaskRun, TaskRun];
    for (const run of previous) run.settle(reportOf(run.ordinal));
    previous[0].attempt = 1;
    previous[1].attempt = 0;
    const runs = previous.map((run) => new TaskRun('task', run.ordinal, run)) as [TaskRun, TaskRun];
    await runner.run(shard(0, 1), runs);
    expect(await runs[0].report).to.deep.equal(reportOf(0));
    expect(events).to.deep.equal(['claim', 'start 1', 'run 1', 'slot is free']);
  });

  it('starts sessions in idle slots once, with the first progress of a preparation, and none for one without progress', async () => {
    const started: string[] = [];
    const ahead = async (kind: ShardInput['kind'], percents: readonly number[]): Promise<string[]> => {
      started.length = 0;
      const session = {
        run: async (_task: unknown, _limits: unknown, hooks: { onProgress(percent: number): void }) => {
          for (const percent of percents) {
            started.push(`at ${percent}`);
            hooks.onProgress(percent);
          }
          return DONE;
        },
      };
      const slot = {
        open: async () => ({ session, makeFolder: async () => '/' }),
        holdFolder: () => undefined,
      };
      const { runner } = open({
        slots: {
          acquire: async () => slot as unknown as Slot,
          release: () => undefined,
          startAhead: ({ id }) => void started.push(`sessions of ${id}`),
        },
        findTool: () => ({ id: 'tool', startsAhead: true }) as unknown as SessionTool,
      });
      await runner.run({ ...shard(0), kind }, [new TaskRun(kind, 0, null)]);
      return started;
    };
    expect(await ahead('prepare', [10, 50])).to.deep.equal(['at 10', 'sessions of tool', 'at 50']);
    expect(await ahead('prepare', [])).to.deep.equal([]);
    expect(await ahead('task', [10])).to.deep.equal(['at 10']);
  });

  it('hands a task back at the last checkpoint of its leg, at the first one at the latest, and at the next one when it drains', async () => {
    const keptOf = async (
      legSeconds: number | undefined,
      { isKept = true, drainsAt = Infinity } = {},
    ): Promise<{ checkpoints: number; report: TaskReport | null }> => {
      const drain = new AbortController();
      let checkpoints = 0;
      const session = {
        run: async (
          told: { readonly legSeconds?: number },
          _limits: unknown,
          hooks: TaskHooks,
          stop: AbortSignal,
        ): Promise<TaskOutcome> => {
          expect(told.legSeconds, 'the session plans its checkpoints by it').to.equal(legSeconds);
          while (checkpoints < 20 && !stop.aborted) {
            checkpoints += 1;
            if (checkpoints === drainsAt) drain.abort();
            await sleep(20);
            await hooks.onCheckpoint?.(['state']);
          }
          return stop.aborted ? { end: 'stopped' } : DONE;
        },
      };
      const slot = {
        open: async () => ({ session, makeFolder: async () => '/' }),
        holdFolder: () => undefined,
      };
      const task = legSeconds === undefined ? taskOf(0) : { ...taskOf(0), legSeconds };
      const { runner, ends } = open({
        drain: drain.signal,
        checkpoints: { open: () => ({ keep: async () => isKept, close: async () => undefined }) },
        slots: {
          acquire: async () => slot as unknown as Slot,
          release: () => undefined,
          startAhead: () => undefined,
        },
        gateway: {
          claim: async () => ({ toolId: 'tool', session: {}, limits: LIMITS, inputs: [], tasks: [task] }),
          inputUrls: () => Promise.reject(new Error('no task has inputs')),
          meter: NO_METER,
        },
      });
      const [run] = runsOf(0) as [TaskRun];
      await runner.run(shard(0), [run]);
      return { checkpoints, report: ends.get(run)?.outcome.end === 'stopped' ? stoppedReport(run) : null };
    };
    const back = { ordinal: 0, end: 'interrupted' } as const;
    expect(await keptOf(undefined)).to.deep.equal({ checkpoints: 20, report: null });
    expect(await keptOf(0)).to.deep.equal({ checkpoints: 1, report: back });
    const leg = await keptOf(0.15);
    expect(leg.report).to.deep.equal(back);
    expect(leg.checkpoints, 'a machine under load makes fewer').to.be.within(1, 7);
    expect(await keptOf(0, { isKept: false }), 'nothing is kept').to.deep.equal({
      checkpoints: 20,
      report: null,
    });
    expect(await keptOf(undefined, { drainsAt: 3 })).to.deep.equal({ checkpoints: 3, report: back });
  });

  it('goes on with the log of an attempt in its next leg, and with none of another attempt', () => {
    const reporter = new TaskReporter({ add: () => undefined } as never, { stage: async () => undefined });
    const first = new TaskRun('task', 0, null);
    reporter.openLog(first, 1, 100).write(Buffer.from('first'));
    first.attempt = 1;
    first.settle(stoppedReport(first));
    const log = reporter.openLog(new TaskRun('task', 0, first), 1, 100);
    log.write(Buffer.from('second'));
    expect(log.peek().from).to.equal(5);
    expect(reporter.openLog(new TaskRun('task', 0, first), 2, 100).end).to.equal(0);
  });

  it('tells when a measured tool starts, after its inputs are there, and when it has ended, before the next task', async () => {
    const events: string[] = [];
    const told: MeterRequest[] = [];
    const { runner, ends } = open({
      inputs: { fetch: async () => (events.push('inputs'), {}) },
      gateway: {
        claim: async ({ ordinals }) => {
          const tasks = ordinals.map((ordinal) => taskOf(ordinal));
          return { toolId: 'tool', session: {}, limits: LIMITS, inputs: [], tasks, metered: true };
        },
        inputUrls: () => Promise.reject(new Error('no task has inputs')),
        meter: async (request) => {
          told.push(request);
          events.push(`${request.moment} ${request.ordinal}`);
        },
      },
    });
    const [first, second] = runsOf(0, 1) as [TaskRun, TaskRun];
    await runner.run(shard(0, 1), [first, second]);
    expect(events).to.deep.equal(['inputs', 'started 0', 'ended 0', 'started 1', 'ended 1']);
    expect(new Set(told.map(({ run }) => run)).size, 'one id for each run of the tool').to.equal(2);
    expect(told[0]).to.include({ execution: 1, ordinal: 0, attempt: 1, run: told[1]?.run });
    await ends.get(first)?.told;
  });

  it('tells no end of a measured tool that failed, because its seconds are not charged', async () => {
    const told: string[] = [];
    const gateway = { meter: async ({ moment }: MeterRequest) => void told.push(moment) };
    const attempt = { execution: 1, attempt: 1, run: new TaskRun('task', 0, null) };
    const failed: TaskOutcome = { end: 'failed', code: 'NOOP_ERROR', message: 'why' };
    const end = await runMetered(gateway, { metered: true }, attempt, {
      whenReady: async () => undefined,
      run: async () => failed,
    });
    expect(end.outcome).to.equal(failed);
    expect(told).to.deep.equal(['started']);
  });

  it('counts a measured tool anew from the moment at which it says that it works, and tells its end after that', async () => {
    const told: MeterRequest[] = [];
    const held = Promise.withResolvers<null>();
    const gateway = {
      meter: async (request: MeterRequest) => {
        told.push(request);
        if (told.length === 2) await held.promise;
      },
    };
    const attempt = { execution: 1, attempt: 1, run: new TaskRun('task', 0, null) };
    const done: TaskOutcome = { end: 'done', outputs: [], summary: null };
    const end = await runMetered(gateway, { metered: true }, attempt, {
      whenReady: async () => undefined,
      run: async (onWorking) => (onWorking(), done),
    });
    expect(end.outcome).to.equal(done);
    // The end waits for the start, however long that takes.
    expect(told.map(({ moment }) => moment)).to.deep.equal(['started', 'started']);
    held.resolve(null);
    await end.told;
    expect(told.map(({ moment }) => moment)).to.deep.equal(['started', 'started', 'ended']);
    const [first, second, third] = told.map(({ run }) => run);
    expect(second).to.equal(third).and.to.not.equal(first);
  });

  it('an instance that cannot start the tool hands that to the reporter as no end of the task', async () => {
    const { runner, ends } = open({ findTool: () => null });
    const [run] = runsOf(0) as [TaskRun];
    await runner.run(shard(0), [run]);
    expect(ends.get(run)?.outcome).to.deep.equal({
      end: 'unstarted',
      reason: 'The tool tool is not installed on this instance.',
    });
  });

  it('a tool whose programs are gone fails its task with their code, and a task that is stopped does not wait', async () => {
    const slotOf = (open: () => Promise<never>): ShardRunnerOptions['slots'] => ({
      acquire: async () => ({ open, holdFolder: () => undefined }) as unknown as Slot,
      release: () => undefined,
      startAhead: () => undefined,
    });
    const gone = open({ slots: slotOf(() => Promise.reject(new ToolMissingError('It is gone.'))) });
    const [run] = runsOf(0) as [TaskRun];
    await gone.runner.run(shard(0), [run]);
    expect(gone.ends.get(run)?.outcome).to.deep.equal({
      ...{ end: 'failed', code: 'PACK_NOT_INSTALLED', message: 'It is gone.' },
    });
    const waiting = open({ slots: slotOf(() => new Promise(() => undefined)) });
    const [stopped] = runsOf(0) as [TaskRun];
    const running = waiting.runner.run(shard(0), [stopped]);
    await until('the task waits for its session', () => stopped.state === 'running');
    stopped.stop();
    await running;
    expect(waiting.ends.get(stopped)?.outcome).to.include({ end: 'unstarted' });
  });

  it('an error before the tasks ends every run of the shard, each with what the error means for it', async () => {
    const gone = open({ inputs: { fetch: () => Promise.reject(new InputError('INPUT_NOT_FOUND', 'gone')) } });
    const runs = runsOf(0, 1);
    await gone.runner.run(shard(0, 1), runs);
    for (const run of runs) expect(await run.report).to.include({ end: 'failed', code: 'INPUT_NOT_FOUND' });
    const refused = () => Promise.reject(new FencedError('replaced'));
    const fenced = open({ gateway: { claim: refused, inputUrls: refused, meter: NO_METER } });
    const [stopped] = runsOf(0) as [TaskRun];
    await fenced.runner.run(shard(0), [stopped]);
    expect(await stopped.report).to.deep.equal({ ordinal: 0, end: 'stopped' });
    expect(fenced.events).to.deep.equal(['slot is free']);
  });

  it('claims nothing for a shard whose runs were all stopped while it waited for a slot', async () => {
    const { runner, events } = open();
    const runs = runsOf(0, 1);
    const running = runner.run(shard(0, 1), runs);
    for (const run of runs) run.stop();
    await running;
    expect(events).to.deep.equal(['slot is free']);
  });

  it('asks a page at a time for the inputs that a claim had no room for', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) => `outputs/${index}/a`);
    const fileOf = (name: string): StagedInput => ({
      name,
      url: '',
      storageKey: name,
      byteSize: 0,
      sha256: '',
    });
    const pages: (readonly string[])[] = [];
    const task = { ...taskOf(0), inputs: all.map((name) => ({ from: name, as: name })) };
    const { runner, ends } = open({
      gateway: {
        claim: async () => ({
          ...{ toolId: 'tool', session: {}, limits: LIMITS, tasks: [task] },
          inputs: all.slice(0, 1_000).map(fileOf),
        }),
        inputUrls: async ({ names }) => {
          pages.push(names);
          return { inputs: names.map(fileOf) };
        },
        meter: NO_METER,
      },
      inputs: { fetch: async (files) => Object.fromEntries(files.map(({ name }) => [name, `/${name}`])) },
    });
    const [run] = runsOf(0) as [TaskRun];
    await runner.run(shard(0), [run]);
    expect(ends.get(run)?.outcome).to.deep.equal(DONE);
    expect(pages.map(({ length }) => length)).to.deep.equal([1_000, 500]);
    expect(pages.flat()).to.deep.equal(all.slice(1_000));
  });
});

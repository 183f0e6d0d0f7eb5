import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { deferred } from '../../../src/instance/deferred.ts';
import { LogShipper } from '../../../src/instance/log-shipper.ts';
import {
  FencedError,
  InputError,
  InstanceError,
  OutputError,
  OutputLimitError,
  RefusedError,
} from '../../../src/instance/repeat.ts';
import type { TaskOutcome } from '../../../src/instance/session.ts';
import type { Stager } from '../../../src/instance/staging.ts';
import { TaskReporter } from '../../../src/instance/task-reporter.ts';
import { TaskRun } from '../../../src/instance/task-run.ts';
import { until } from '../../support/until.ts';

type Stage = Stager['stage'];

const OUTPUT = { path: 'a', kind: 'result', mediaType: 'text/plain', format: null };
const DONE: TaskOutcome = { end: 'done', outputs: [OUTPUT], summary: { best: -7 } };
const FAILED: TaskOutcome = { end: 'failed', code: 'ENGINE_CRASHED', message: 'why' };

describe('reporting what became of a task', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'dockyard-reporter-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function open(
    stage: Stage,
    storeLog: () => Promise<void> = async () => undefined,
    told: Promise<void> = Promise.resolve(),
  ) {
    const folder = mkdtempSync(join(root, 'task-'));
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/a'), 'abc');
    const logs = new LogShipper({ storeLog } as never);
    const reporter = new TaskReporter(logs, { stage });
    const run = new TaskRun('task', 3, null);
    const log = reporter.openLog(run, 1, 1000);
    const finish = (outcome: TaskOutcome): Promise<void> =>
      reporter.finish(run, { outcome, folder, seconds: 2, log, isLast: true, told });
    return { run, log, folder, finish };
  }

  it('settles a run only when its outputs are staged and its log is sent, and then removes its folder', async () => {
    const staged = deferred<undefined>();
    const sent = deferred<undefined>();
    const asked: unknown[] = [];
    const { run, log, folder, finish } = open(
      (task, outputs) => {
        asked.push(task, outputs.length);
        return staged.promise;
      },
      () => sent.promise,
    );
    log.write(Buffer.from('printed'));
    const finished = finish(DONE);
    await until('the outputs are being staged', () => asked.length > 0);
    staged.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.ended, 'the log is on its way').to.equal(null);
    sent.resolve(undefined);
    await finished;
    expect(asked).to.deep.equal([{ kind: 'task', ordinal: 3, isUrgent: true }, 1]);
    expect(await run.report).to.deep.include({ ordinal: 3, end: 'done', seconds: 2, summary: { best: -7 } });
    expect(existsSync(folder)).to.equal(false);
  });

  it('stages nothing of a task that failed or was stopped', async () => {
    const nothing: Stage = () => Promise.reject(new Error('nothing is to be staged'));
    const failed = open(nothing);
    await failed.finish(FAILED);
    const report = { ordinal: 3, end: 'failed', code: 'ENGINE_CRASHED', message: 'why', seconds: 2 };
    expect(await failed.run.report).to.deep.equal(report);
    const stopped = open(nothing);
    await stopped.finish({ end: 'stopped' });
    expect(await stopped.run.report).to.deep.equal({ ordinal: 3, end: 'stopped' });
  });

  it('a task fails by its own outputs and inputs, with the code of what is wrong', async () => {
    const errors: [Error, string][] = [
      [new OutputError('changed'), 'OUTPUT_UNVERIFIED'],
      [new OutputLimitError('too large'), 'ENGINE_LIMIT_EXCEEDED'],
      [new InputError('INPUT_NOT_FOUND', 'gone'), 'INPUT_NOT_FOUND'],
    ];
    for (const [error, code] of errors) {
      const { run, finish } = open(() => Promise.reject(error));
      await finish(DONE);
      const report = { ordinal: 3, end: 'failed', code, message: error.message, seconds: 2 };
      expect(await run.report).to.deep.equal(report);
    }
  });

  it("the instance's own faults reject the run, and a fence stops it: neither is a task's failure", async () => {
    const refused = open(() => Promise.reject(new RefusedError('400')));
    await refused.finish(DONE);
    expect(await refused.run.report.catch((error: unknown) => error)).to.be.instanceOf(RefusedError);
    const unstarted = open(async () => undefined);
    await unstarted.finish({ end: 'unstarted', reason: 'EMFILE' });
    expect(await unstarted.run.report.catch((error: unknown) => error)).to.be.instanceOf(InstanceError);
    const fenced = open(() => Promise.reject(new FencedError('replaced')));
    await fenced.finish(DONE);
    expect(await fenced.run.report).to.deep.equal({ ordinal: 3, end: 'stopped' });
    const abandoned = open((_task, _outputs, signal) => Promise.reject(signal.reason as Error));
    abandoned.run.state = 'staging';
    abandoned.run.abandon();
    await abandoned.finish(DONE);
    expect(await abandoned.run.report).to.deep.equal({ ordinal: 3, end: 'stopped' });
  });
});

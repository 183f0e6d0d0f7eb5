/** The files that the control side makes at the end of a job from what instances have reported. */
import { expect } from 'chai';

import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { noop } from '../../src/tools/noop/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { FinishedTask } from '../../src/tools/tool.ts';
import { suiteHome } from '../support/home.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';

describe('the files of a job’s end', () => {
  const home = suiteHome();

  it('are made of the numbers that the tool names, and of whole summaries of the steps alone', async () => {
    const { jobId } = await runningJob(home, ['prepare']);
    let told: readonly FinishedTask[] = [];
    const tool = {
      ...noop,
      outputs: {
        ...noop.outputs,
        finishNumbers: ['best', 'count', 'text', 'list'],
        finishFiles: (_request: unknown, tasks: readonly FinishedTask[]) => {
          told = tasks;
          return [];
        },
      },
    };
    const tools = { ...createToolRegistry({ testTools: true }), find: () => tool };
    const summary = { best: -7.25, count: 3, text: 'x', list: [1, 2], more: { deep: [[]] } };
    for (const kind of ['task', 'prepare'] as const) {
      await stage(home, jobId, 'bytes', kind);
      const request = { jobId, execution: 1, slot: 0, generation: 1, kind };
      const reports = [{ ...reportOf('result.bin', 'bytes'), summary }];
      expect(
        await commitTasks({ db: home.db, store: home.store, tools }, { ...request, reports }),
      ).to.include({ verified: 1 });
    }
    await writeManifest({ db: home.db, store: home.store, tools }, { jobId, isProven: true });
    const summaryOf = (kind: string, ordinal: number): unknown =>
      told.find((task) => task.kind === kind && task.ordinal === ordinal)?.summary;
    expect(summaryOf('task', 0)).to.deep.equal({ best: -7.25, count: 3 });
    expect(summaryOf('task', 1), 'of a task without one').to.equal(null);
    expect(summaryOf('prepare', 0)).to.deep.equal(summary);
  });
});

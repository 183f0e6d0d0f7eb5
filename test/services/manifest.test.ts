/** The files that the control side makes at the end of a job from what instances have reported. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { FinishedJob, FinishedTask } from '../../src/tools/finished.ts';
import { suiteHome } from '../support/home.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

describe('the files of a job’s end', () => {
  const home = suiteHome();

  it('are made of the numbers and digests that the tool names, and of whole summaries of the steps alone', async () => {
    const { jobId } = await runningJob(home, ['prepare']);
    const told: FinishedTask[] = [];
    const tool = {
      ...noop,
      outputs: {
        ...noop.outputs,
        finishValues: ['best', 'count', 'text', 'list', 'digest'],
        finishFiles: async (_request: unknown, job: FinishedJob) => {
          told.push(...job.steps);
          for await (const task of job.tasks()) told.push(task);
          return [];
        },
      },
    };
    const tools = { ...createToolRegistry({ testTools: TEST_TOOLS }), find: () => tool };
    const digest = 'ab'.repeat(32);
    const summary = { best: -7.25, count: 3, text: 'x', list: [1, 2], digest, more: { deep: [[]] } };
    for (const kind of ['task', 'prepare'] as const) {
      await stage(home, jobId, 'bytes', kind);
      const request = { jobId, execution: 1, slot: 0, generation: 1, kind };
      const reports = [{ ...reportOf('result.bin', 'bytes'), summary }];
      expect(
        await commitTasks(
          { db: home.db, store: home.store, tools, recorders: RECORDERS },
          { ...request, reports },
        ),
      ).to.include({ verified: 1 });
    }
    await writeManifest(
      { db: home.db, store: home.store, tools, recorders: RECORDERS },
      { jobId, isProven: true },
    );
    const summaryOf = (kind: string, ordinal: number): unknown =>
      told.find((task) => task.kind === kind && task.ordinal === ordinal)?.summary;
    expect(summaryOf('task', 0)).to.deep.equal({ best: -7.25, count: 3, digest });
    expect(summaryOf('task', 1), 'of a task without one').to.equal(null);
    expect(summaryOf('prepare', 0)).to.deep.equal(summary);
  });

  it('list thousands of outputs as a manifest that is written in one piece, and repeat it byte by byte', async () => {
    const job = await runningJob(home, ['prepare']);
    await insertOutputs(job);
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    const keys: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await writeManifest(
        { db: home.db, store: home.store, tools, recorders: RECORDERS },
        { jobId: job.jobId, isProven: true },
      );
      const [row] = await home.db.query<{ storage_key: string; sha256: string; byte_size: number }[]>(
        `select storage_key, sha256, byte_size from artifacts where job_id = $1 and task_kind = 'finish'`,
        [job.jobId],
      );
      keys.push(row?.storage_key ?? '');
      const object = await home.store.read(row?.storage_key ?? '');
      const written = object === null ? '' : await text(object.stream);
      expect(written === (await inOnePiece(job.jobId)), 'the same bytes').to.equal(true);
      expect(createHash('sha256').update(written).digest('hex')).to.equal(row?.sha256);
      expect(Buffer.byteLength(written)).to.equal(row?.byte_size);
    }
    expect(new Set(keys).size, 'the same content has the same key').to.equal(1);
  });

  /** Outputs of 2,100 tasks, three of one task, some of a step, with names that JSON must escape. */
  const insertOutputs = ({ jobId, accountId }: RunningJob): Promise<unknown> =>
    home.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, item_id, storage_key, name, kind, media_type, format, byte_size, sha256)
       select gen_random_uuid(), $1::uuid, $2::uuid, kind, ordinal, 'item ' || ordinal, $2::text || kind || ordinal || name, name, 'result', 'text/plain',
         case when ordinal % 2 = 0 then 'txt' end, ordinal * 7, repeat('a', 64)
       from (select 'task' as kind, o as ordinal, 'result.bin' as name from generate_series(0, 2099) o
         union all select 'task', 999, n from unnest(array['"quoted".txt', 'ünïcode 😀', E'tab\\t']) n
         union all select 'prepare', 0, 'receptor' || n from generate_series(1, 3) n) made`,
      [accountId, jobId],
    );

  /** The manifest as one call of JSON.stringify makes it of all rows together. */
  const inOnePiece = async (jobId: string): Promise<string> => {
    const [job] = await home.db.query<Record<string, unknown>[]>(
      `select job_type, simulator, job_name, task_total, effective_seed from jobs where id = $1`,
      [jobId],
    );
    const outputs = await home.db.query<Record<string, unknown>[]>(
      `select name, kind, task_kind, task_ordinal, media_type, format, byte_size, sha256 from artifacts
       where job_id = $1 and task_kind <> 'finish' order by task_kind, task_ordinal, name`,
      [jobId],
    );
    expect(outputs).to.have.length(2106);
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    return JSON.stringify({
      ...{ schema: 'dockyard.manifest/v1', jobId, jobType: job?.['job_type'], simulator: job?.['simulator'] },
      ...{
        jobName: job?.['job_name'],
        taskCount: job?.['task_total'],
        effectiveSeed: job?.['effective_seed'],
      },
      outputs: outputs.map((row) => ({
        ...{ name: row['name'], kind: row['kind'] },
        taskIndex: row['task_kind'] === 'task' ? row['task_ordinal'] : null,
        ...{ frame: null, ligandId: null, mediaType: row['media_type'], format: row['format'] },
        ...{ byteSize: row['byte_size'], sha256: row['sha256'] },
      })),
      recoveries: [],
      ...tools.statusParts('noop', { prepare: null, control: null }),
    });
  };
});

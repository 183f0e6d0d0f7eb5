/** The files of a job as its tasks read them, while the outputs of its preparation are moved. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createJobFiles } from '../../src/services/execution/claim/job-files.ts';
import type { FileTool } from '../../src/services/execution/claim/job-files.ts';
import { ToolFault } from '../../src/services/execution/claim/tool-fault.ts';
import { loadJob } from '../../src/services/job-records/request.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const TOOL: FileTool = {
  inputs: {
    stored: () => [],
    taskInputs: () => ({ inputs: [], prepared: ['receptor.pdbqt'] }),
    preparation: () => null,
    cachedOutputs: () => [],
  },
};

const PREPARED = 'prepared/receptor.pdbqt';

describe('the files of a job', () => {
  const home = suiteHome();

  it('are found where the preparation put them last, and are not there before', async () => {
    const { jobId, accountId } = await runningJob(home, ['prepare']);
    const job = await loadJob(home.db, home.store, jobId);
    const deps = { db: home.db, store: home.store, urlSeconds: 900 };
    const files = await createJobFiles(deps, job, TOOL);
    const refusal: unknown = await files.inputs('task', [PREPARED]).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'SERVICE_UNAVAILABLE' });

    for (const storageKey of ['first', 'second']) {
      await home.db.query(`delete from artifacts where job_id = $1 and task_kind = 'prepare'`, [jobId]);
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
         values ($1, $2, $3, 'prepare', 0, $4, 'receptor.pdbqt', 'receptor', 'text/plain', 1, $5)`,
        [randomUUID(), accountId, jobId, storageKey, 'a'.repeat(64)],
      );
      const [input] = await files.inputs('task', [PREPARED, PREPARED]);
      expect(input).to.include({ name: 'prepared/receptor.pdbqt', storageKey });
      expect(input?.url).to.include(`/${storageKey}?`);
    }
  });

  it('of a merge are the outputs of verified tasks alone, and another one is a fault of the tool', async () => {
    const { jobId, accountId } = await runningJob(home, ['merge']);
    await home.db.query(
      `update tasks set state = 'SUCCEEDED' where job_id = $1 and kind = 'task' and ordinal in (0, 12)`,
      [jobId],
    );
    for (const [ordinal, name] of [
      [0, 'result.bin'],
      [12, 'deep/hits.tsv'],
      [3, 'result.bin'],
    ]) {
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
         values ($1, $2, $3, 'task', $4::int, $5, $6, 'result', 'text/plain', 1, $7)`,
        [randomUUID(), accountId, jobId, ordinal, `${jobId}/of-${String(ordinal)}`, name, 'a'.repeat(64)],
      );
    }
    const job = await loadJob(home.db, home.store, jobId);
    const files = await createJobFiles({ db: home.db, store: home.store, urlSeconds: 900 }, job, {
      inputs: {
        ...TOOL.inputs,
        taskInputs: (_request, _kind, _ordinal, { verified }) => ({
          ...{ inputs: [], prepared: [] },
          committed: verified.map((one) => `outputs/${one}/${one === 0 ? 'result.bin' : 'deep/hits.tsv'}`),
        }),
      },
    });
    expect((await files.context('task')).verified, 'of a task').to.deep.equal([]);
    const context = await files.context('merge');
    expect(context.verified).to.deep.equal([0, 12]);
    const names = (await files.taskInputs('merge', 0, context)).map(({ from }) => from);
    const staged = await files.inputs('merge', names);
    expect(staged.map(({ name, storageKey }) => [name, storageKey])).to.deep.equal([
      ['outputs/0/result.bin', `${jobId}/of-0`],
      ['outputs/12/deep/hits.tsv', `${jobId}/of-12`],
    ]);
    for (const name of ['outputs/3/result.bin', 'outputs/0/other', 'outputs/x/result.bin'])
      expect(await files.inputs('merge', [name]).catch((error: unknown) => error), name).to.be.instanceOf(
        ToolFault,
      );
  });
});

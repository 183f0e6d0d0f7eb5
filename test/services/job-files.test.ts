/** The files of a job as its tasks read them, while the outputs of its preparation are moved. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createJobFiles } from '../../src/services/execution/claim/job-files.ts';
import type { FileTool } from '../../src/services/execution/claim/job-files.ts';
import { loadJob } from '../../src/services/jobs/request.ts';
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

describe('the files of a job', () => {
  const home = suiteHome();

  it('are found where the preparation put them last, and are not there before', async () => {
    const { jobId, accountId } = await runningJob(home, ['prepare']);
    const job = await loadJob(home.db, home.store, jobId);
    const dependencies = { database: home.db, store: home.store, urlSeconds: 900 };
    const files = await createJobFiles(dependencies, job, TOOL);
    const refusal: unknown = await files.inputs('task', [0]).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'SERVICE_UNAVAILABLE' });

    for (const storageKey of ['first', 'second']) {
      await home.db.query(`delete from artifacts where job_id = $1 and task_kind = 'prepare'`, [jobId]);
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
         values ($1, $2, $3, 'prepare', 0, $4, 'receptor.pdbqt', 'receptor', 'text/plain', 1, $5)`,
        [randomUUID(), accountId, jobId, storageKey, 'a'.repeat(64)],
      );
      const [input] = await files.inputs('task', [0, 1]);
      expect(input).to.include({ name: 'prepared/receptor.pdbqt', storageKey });
      expect(input?.url).to.include(`/${storageKey}?`);
    }
  });
});

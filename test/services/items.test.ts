/** What customers read of tasks and steps: the answers have the same bytes as before rows named a task's item alone. */
import { expect } from 'chai';

import type { JobAdmission } from '../../src/contracts/job.ts';
import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { createJobWatch } from '../../src/services/events/job-watch.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { readAtMost } from '../../src/services/stored-objects/read-object.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { listOutputs } from '../../src/services/jobs/outputs.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import { NOTHING_TO_FINISH } from '../../src/services/jobs/to-finish.ts';
import { listTasks } from '../../src/services/jobs/tasks.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const toFinish = async () => NOTHING_TO_FINISH;
const tools = createToolRegistry({ testTools: TEST_TOOLS });
const UNITS = ['task', 'ligand', 'frame'] as const;
const LIBRARY = [
  { ligandId: 'lig-a', label: 'A', source: { kind: 'smiles', smiles: 'C' }, preparation: {} },
  { ligandId: 'lig-b', label: 'B', source: { kind: 'smiles', smiles: 'CC' }, preparation: {} },
];

/** What of an output every answer has, in the order of the answer. */
const OUTPUTS = {
  task: '{"name":"result.bin","kind":"result","frame":null,"taskIndex":0,"ligandId":null,',
  ligand: '{"name":"result.bin","kind":"result","frame":null,"taskIndex":0,"ligandId":"lig-a",',
  frame: '{"name":"result.bin","kind":"result","frame":0,"taskIndex":0,"ligandId":null,',
};
const LISTED = {
  task: '{"name":"result.bin","kind":"result","taskIndex":0,"frame":null,"ligandId":null,',
  ligand: '{"name":"result.bin","kind":"result","taskIndex":0,"frame":null,"ligandId":"lig-a",',
  frame: '{"name":"result.bin","kind":"result","taskIndex":0,"frame":0,"ligandId":null,',
};
const ITEMS = { task: ['0', '1'], ligand: ['lig-a', 'lig-b'], frame: ['0', '1'] };

describe('the items of a job', () => {
  const home = suiteHome();

  const admitted = (unit: (typeof UNITS)[number]): Partial<JobAdmission> => {
    const simulationParams = unit === 'ligand' ? { ligandLibrary: LIBRARY } : undefined;
    const request = {
      ...{ jobType: 'simulation', simulator: 'noop', taskCount: 2 },
      ...(simulationParams === undefined ? {} : { simulationParams }),
    } as unknown as SubmitJobRequest;
    const { plan } = admissionOf({ accountId: '', userId: '' });
    return { request, plan: { ...plan, unit, taskCount: 2 } };
  };

  for (const unit of UNITS) {
    it(`of unit ${unit} are answered with the same bytes as before`, async () => {
      const { jobId, accountId } = await runningJob(home, ['prepare'], admitted(unit));
      const deps = { db: home.db, store: home.store, tools, recorders: RECORDERS };
      const base = { jobId, execution: 1, slot: 0, generation: 1 };
      for (const kind of ['prepare', 'task'] as const) {
        await stage(home, jobId, kind, kind);
        await commitTasks(deps, { ...base, kind, reports: [reportOf('result.bin', kind)] });
      }
      await home.db.query(
        `update tasks set state = 'RUNNING', attempts = 1, slot = 0, generation = 1 where job_id = $1 and ordinal = 1`,
        [jobId],
      );
      const failed = { ordinal: 1, end: 'failed', code: 'NOOP_ERROR', message: 'no', seconds: 1 } as const;
      await commitTasks(deps, { ...base, kind: 'task', reports: [failed] });
      await writeManifest(deps, { jobId, isProven: true });
      const actor = ownerOf(accountId);

      const listed = await listOutputs(deps, actor, jobId, { limit: 10 });
      const [ofPrepare, manifest, ofTask] = ['prepare', 'finish', '0'].map((part) => {
        const found = listed.outputs.find(({ storageKey }) => storageKey.includes(`/${jobId}/${part}/`));
        const { artifactId, ...output } = found ?? expect.fail(`no output of ${part}`);
        expect(artifactId).to.be.a('string');
        return JSON.stringify(output);
      });
      expect(ofTask?.startsWith(OUTPUTS[unit]), ofTask).to.equal(true);
      const none = '"frame":null,"taskIndex":null,"ligandId":null,';
      expect(ofPrepare).to.include(`"name":"result.bin","kind":"result",${none}`);
      expect(manifest).to.include(`"name":"manifest.json","kind":"manifest",${none}`);

      const key = listed.manifest?.storageKey ?? expect.fail('no manifest');
      const text = Buffer.from((await readAtMost(home.store, key, 100_000)) ?? []).toString();
      expect(text).to.include(LISTED[unit]);
      expect(text).to.include(
        '{"name":"result.bin","kind":"result","taskIndex":null,"frame":null,"ligandId":null,',
      );

      const { tasks } = await listTasks(home.db, actor, jobId, { limit: 10 });
      const shown = tasks.map(({ index, id }) => ({ index, id }));
      expect(shown).to.deep.equal(ITEMS[unit].map((id, index) => ({ index, id })));
      const watch = createJobWatch(home.db);
      const queue = { placeOf: () => Promise.resolve(null) };
      const { status } = await jobStatus({ db: home.db, queue, watch, tools, toFinish }, actor, jobId, {});
      watch.close();
      expect(JSON.stringify(status.failures)).to.equal(
        `[{"index":1,"id":"${String(ITEMS[unit][1])}","code":"NOOP_ERROR","message":"no","attempts":1}]`,
      );
    });
  }
});

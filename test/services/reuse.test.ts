/** Docking only what is new: what is adopted, what it costs, and what is docked all the same. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { WorkKind } from '../../src/contracts/job.ts';
import { stagedKey } from '../../src/contracts/names.ts';
import type { JobAdmission } from '../../src/contracts/job.ts';
import { resultIdOf } from '../../src/domain/docking-ids.ts';
import { NO_RECORDS } from '../../src/services/execution/recorder.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { adoptVerified } from '../../src/services/execution/reuse/adopt.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { jobBill } from '../../src/services/jobs/bill.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { ReuseFacts } from '../../src/tools/tool.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { wrongRankCounts } from '../support/rank-counts.ts';
import { objectsOf, reportOf, runningJob } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { poses, preparation, reported } from '../tools/autodock-vina/outputs.ts';
import type { Written } from '../tools/autodock-vina/outputs.ts';
import { artifact, docking, ligand, LIMITS, without } from '../tools/autodock-vina/requests.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const vina = tools.find('autodock-vina');
const CPU = 'x86-64-v3';
const CHECKED = { checks: { passed: true, failed: [], notChecked: [] } };
const LIGANDS = 3;

type Reuse = 'verified' | 'never' | 'plain';

describe('reuse of verified results', () => {
  const home = suiteHome();
  let owner: Owner;
  beforeEach(async () => {
    owner = await newAccount(home.db, 100_000);
  });

  /** A docking of three ligands whose prepare step runs; no ligand has been sent to an instance. */
  const dockingJob = async (
    reuse: Reuse,
    {
      by = owner,
      seed = 42,
      name = 'l',
    }: { readonly by?: Owner; readonly seed?: number; readonly name?: string } = {},
  ): Promise<RunningJob> => {
    const receptorArtifact = artifact('pdb');
    const ligandLibrary = Array.from({ length: LIGANDS }, (_, n) =>
      ligand(`${name}${n}`, { kind: 'smiles', smiles: 'C'.repeat(n + 1) }),
    );
    const request = without(docking({ receptorArtifact, ligandLibrary }), 'receptorPdbId', 'ligandIdentity');
    const more: Partial<JobAdmission> = {
      ...{ accountId: by.accountId, userId: by.userId, simulator: 'autodock-vina', toolId: 'autodock-vina' },
      ...{ request, plan: vina.planning.plan(request, LIMITS), effectiveSeed: seed },
      inputs: [{ storageKey: receptorArtifact.storageKey, byteSize: 10, sha256: receptorArtifact.sha256 }],
    };
    const job = { ...(await runningJob(home, ['prepare'], more)), accountId: by.accountId };
    await openTasks(job.jobId);
    if (reuse !== 'plain') await addRun(job.jobId, by, reuse);
    return job;
  };
  /** No task has been sent to an instance. */
  const openTasks = (jobId: string): Promise<unknown> =>
    home.db.query(
      `update tasks set state = 'PENDING', attempts = 0, slot = null, generation = null where job_id = $1 and kind = 'task'`,
      [jobId],
    );
  const addRun = async (jobId: string, by: Owner, reuse: string): Promise<void> => {
    const batchId = randomUUID();
    await home.db.query(
      `insert into docking_batches (id, account_id, user_id, name, engine, receptor_identity, parameters, library_sha256, ligand_count, shard_size, reuse)
       values ($1, $2, $3, 'a batch', 'autodock-vina', '{}', '{}', $4, $5, 1, $6)`,
      [batchId, by.accountId, by.userId, 'ab'.repeat(32), LIGANDS, reuse],
    );
    await home.db.query(
      `insert into docking_runs (id, account_id, user_id, batch_id, number, job_id, request_id) values ($1, $2, $3, $4, 1, $5, 'r')`,
      [randomUUID(), by.accountId, by.userId, batchId, jobId],
    );
  };
  const commit = async (
    jobId: string,
    written: Written,
    {
      kind = 'task',
      ordinal = 0,
      summary = null,
    }: { kind?: WorkKind; ordinal?: number; summary?: object | null },
  ): Promise<unknown> => {
    for (const [name, { text, mediaType }] of Object.entries(written))
      await home.store.put(stagedKey(jobId, 0, 1, kind, ordinal, name), Buffer.from(text), mediaType);
    const report = { ordinal, end: 'done', seconds: 1, summary, outputs: reported(written) } as const;
    const deps = { db: home.db, store: home.store, tools, recorders: home.recorders };
    return commitTasks(deps, {
      ...{ jobId, execution: 1, slot: 0, generation: 1, kind },
      reports: [{ ...report, summary: summary as Record<string, unknown> | null }],
    });
  };
  const prepare = (jobId: string, cpuClass = CPU): Promise<unknown> =>
    commit(jobId, preparation(), { kind: 'prepare', summary: { cpuClass } });
  const dock = async (jobId: string, ordinal: number, name = 'l', made: object = {}): Promise<void> => {
    await home.db.query(
      `update tasks set state = 'RUNNING', attempts = 1, slot = 0, generation = 1 where job_id = $1 and kind = 'task' and ordinal = $2`,
      [jobId, ordinal],
    );
    const id = `${name}${String(ordinal)}`;
    const provenance = { cpuClass: CPU, toolchainSha256: vina.work.toolchainSha256(), ...made };
    await commit(jobId, poses(`ligands/${id}`, id, [-7.25, -6.5], { ...CHECKED, told: { provenance } }), {
      ordinal,
    });
  };
  /** A job of which so many ligands are docked. */
  const docked = async (count = LIGANDS, reuse: Reuse = 'verified'): Promise<RunningJob> => {
    const job = await dockingJob(reuse);
    await prepare(job.jobId);
    for (let ordinal = 0; ordinal < count; ordinal += 1) await dock(job.jobId, ordinal);
    return job;
  };
  const settle = (jobId: string) =>
    settleJob(home.db, {
      ...{ jobId, execution: 1, transition: 9, to: 'CANCELLED' },
      ...{ reason: null, pauseReason: null },
    });
  const adoptedOf = async (jobId: string): Promise<readonly number[]> => {
    const rows = await home.db.query<{ ordinal: number }[]>(
      `select ordinal from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED' and charged_in = 0 order by ordinal`,
      [jobId],
    );
    return rows.map(({ ordinal }) => ordinal);
  };
  const outputsOf = (jobId: string) =>
    home.db.query<{ name: string; sha256: string; storage_key: string }[]>(
      `select name, sha256, storage_key from artifacts where job_id = $1 and task_kind = 'task' order by name`,
      [jobId],
    );

  it('takes over files, records and poses, before any ligand is sent to an instance', async () => {
    const first = await docked(2);
    const again = await dockingJob('verified');
    await prepare(again.jobId);
    expect(await adoptedOf(again.jobId), 'the third was never docked').to.deep.equal([0, 1]);
    const [before, after] = [await outputsOf(first.jobId), await outputsOf(again.jobId)];
    expect(after.map(({ name, sha256 }) => [name, sha256])).to.deep.equal(
      before.map(({ name, sha256 }) => [name, sha256]),
    );
    const objects = await objectsOf(home, again);
    for (const { storage_key: key } of after) expect(objects, key).to.include(key);
    const results = await home.db.query(
      'select id, cached_from_result_id from docking_results where job_id = $1 order by ordinal',
      [again.jobId],
    );
    expect(results).to.deep.equal(
      [0, 1].map((ordinal) => ({
        id: resultIdOf(again.jobId, ordinal),
        cached_from_result_id: resultIdOf(first.jobId, ordinal),
      })),
    );
    const posesOf = (jobId: string) =>
      home.db.query(
        `select r.ordinal, p.mode, p.affinity_kcal_mol from docking_poses p join docking_results r on r.id = p.result_id
         where r.job_id = $1 order by r.ordinal, p.mode`,
        [jobId],
      );
    expect(await posesOf(again.jobId)).to.deep.equal(await posesOf(first.jobId));
    expect(await wrongRankCounts(home.db, again.jobId)).to.deep.equal([]);
    expect(await adoptVerified({ ...home, tools }, { jobId: again.jobId, execution: 1 }), 'again').to.equal(
      0,
    );
    const third = await dockingJob('verified');
    await prepare(third.jobId);
    const sources = await home.db.query(
      'select distinct cached_from_result_id as id from docking_results where job_id = $1 order by 1',
      [third.jobId],
    );
    expect(sources, 'what was adopted is no source').to.deep.equal(
      [0, 1].map((ordinal) => ({ id: resultIdOf(first.jobId, ordinal) })),
    );
  });

  it('takes over what was docked under another name, under the name of the ligand, with the bytes as they were verified', async () => {
    const first = await docked(2);
    const again = await dockingJob('verified', { name: 'renamed-' });
    await prepare(again.jobId);
    expect(await adoptedOf(again.jobId)).to.deep.equal([0, 1]);
    const results = await home.db.query(
      'select ligand_id, cached_from_result_id from docking_results where job_id = $1 order by ordinal',
      [again.jobId],
    );
    expect(results).to.deep.equal(
      [0, 1].map((ordinal) => ({
        ligand_id: `renamed-${String(ordinal)}`,
        cached_from_result_id: resultIdOf(first.jobId, ordinal),
      })),
    );
    const [before, after] = [await outputsOf(first.jobId), await outputsOf(again.jobId)];
    expect(after.map(({ name, sha256 }) => [name, sha256])).to.deep.equal(
      before.map(({ name, sha256 }) => [name.replace('ligands/l', 'ligands/renamed-'), sha256]),
    );
    const items = await home.db.query<{ item_id: string }[]>(
      `select distinct item_id from artifacts where job_id = $1 and task_kind = 'task' order by 1`,
      [again.jobId],
    );
    expect(items.map(({ item_id: item }) => item)).to.deep.equal(['renamed-0', 'renamed-1']);
    const objects = await objectsOf(home, again);
    for (const { storage_key: key, sha256 } of after) {
      expect(objects, key).to.include(key);
      expect((await home.store.hash(key))?.sha256, key).to.equal(sha256);
    }

    // Of two results of one content, the one of the same name comes first.
    const own = await dockingJob('never', { name: 'renamed-' });
    await prepare(own.jobId);
    for (const ordinal of [0, 1]) await dock(own.jobId, ordinal, 'renamed-');
    await docked(2, 'never');
    const third = await dockingJob('verified', { name: 'renamed-' });
    await prepare(third.jobId);
    const sources = await home.db.query(
      'select cached_from_result_id as id from docking_results where job_id = $1 order by ordinal limit 2',
      [third.jobId],
    );
    expect(sources).to.deep.equal([0, 1].map((ordinal) => ({ id: resultIdOf(own.jobId, ordinal) })));
  });

  it('charges the start fee alone for a job that is adopted as a whole, and only what was docked beside it otherwise', async () => {
    const first = await docked();
    const whole = await settle(first.jobId);
    const again = await dockingJob('verified');
    await prepare(again.jobId);
    expect(await adoptedOf(again.jobId)).to.deep.equal([0, 1, 2]);
    const settled = await settle(again.jobId);
    const bill = await jobBill(home.db, ownerOf(owner.accountId, owner.userId), again.jobId);
    const [billed] = bill.executions;
    expect(billed?.lines.map(({ kind }) => kind)).to.deep.equal(['start_fee']);
    expect(billed?.dueCents).to.equal(settled.chargedPence);
    expect(settled.verified).to.equal(LIGANDS);
    expect(settled.chargedPence).to.be.greaterThan(0).and.lessThan(whole.chargedPence);

    await home.db.query('update tasks set reuse_key = null where job_id = $1 and ordinal = 2', [first.jobId]);
    const partly = await dockingJob('verified');
    await prepare(partly.jobId);
    await dock(partly.jobId, 2);
    const part = await settle(partly.jobId);
    expect(part.chargedPence).to.be.greaterThan(settled.chargedPence).and.lessThan(whole.chargedPence);
    const { executions } = await jobBill(home.db, ownerOf(owner.accountId, owner.userId), partly.jobId);
    expect(executions[0]?.lines.find(({ kind }) => kind === 'tasks')?.tasks).to.equal(1);
  });

  it('takes nothing over that is of another account, seed or class of processors, nor where it was not asked for', async () => {
    await docked();
    const other = await newAccount(home.db, 100_000);
    const cases: readonly [string, () => Promise<RunningJob>, string][] = [
      ['never', () => dockingJob('never'), CPU],
      ['a plain job', () => dockingJob('plain'), CPU],
      ['another account', () => dockingJob('verified', { by: other }), CPU],
      ['another seed', () => dockingJob('verified', { seed: 43 }), CPU],
      ['another class of processors', () => dockingJob('verified'), 'x86-64-v4'],
    ];
    for (const [what, make, cpuClass] of cases) {
      const { jobId } = await make();
      await prepare(jobId, cpuClass);
      expect(await adoptedOf(jobId), what).to.deep.equal([]);
    }
  });

  it('takes nothing over from a result that tells other code or another processor than its task has', async () => {
    const { jobId } = await docked(0);
    await dock(jobId, 0, 'l', { cpuClass: 'x86-64-v4' });
    await dock(jobId, 1, 'l', { toolchainSha256: 'd'.repeat(64) });
    await dock(jobId, 2);
    const again = await dockingJob('verified');
    await prepare(again.jobId);
    expect(await adoptedOf(again.jobId)).to.deep.equal([2]);
  });

  it('takes over the verified tasks of any tool that gives them keys, whether or not anybody keeps records of them', async () => {
    const keys = (_request: unknown, { cpuClass, cacheKey }: ReuseFacts) =>
      Promise.resolve([`${cpuClass ?? ''}/${cacheKey ?? ''}`, null]);
    const outputName = (name: string): string => name;
    const tool = { ...noop, inputs: { ...noop.inputs, reuse: { keys, outputName } } };
    const deps = { ...home, tools: { ...tools, find: () => tool }, recorders: () => NO_RECORDS };
    const commitAs = async (jobId: string, kind: WorkKind, ordinal: number): Promise<void> => {
      await home.store.put(stagedKey(jobId, 0, 1, kind, ordinal, 'result.bin'), Buffer.from('bytes'), 'x/y');
      await home.db.query(
        `update tasks set state = 'RUNNING', attempts = 1, slot = 0, generation = 1 where job_id = $1 and kind = $2 and ordinal = $3`,
        [jobId, kind, ordinal],
      );
      const report = { ...reportOf('result.bin', 'bytes'), ordinal, summary: { cpuClass: CPU } };
      const of = { jobId, execution: 1, slot: 0, generation: 1, kind };
      expect(await commitTasks(deps, { ...of, reports: [report] })).to.include({ verified: 1 });
    };
    const started = async (): Promise<string> => {
      const { plan } = admissionOf({ accountId: '', userId: '' });
      const more = { plan: { ...plan, taskCount: 2 }, accountId: owner.accountId, userId: owner.userId };
      const { jobId } = await runningJob(home, ['prepare'], more);
      await openTasks(jobId);
      await commitAs(jobId, 'prepare', 0);
      return jobId;
    };
    const first = await started();
    for (const ordinal of [0, 1]) await commitAs(first, 'task', ordinal);
    const again = await started();
    expect(await adoptedOf(again)).to.deep.equal([0]);
    const [[output], [source]] = [await outputsOf(again), await outputsOf(first)];
    expect(output?.sha256).to.equal(source?.sha256);
    expect(output?.storage_key).to.not.equal(source?.storage_key);
  });

  it('docks anew what is gone or has changed in the store, and leaves no copy of it', async () => {
    const first = await docked();
    const [gone, changed] = await home.db.query<{ storage_key: string }[]>(
      `select storage_key from artifacts where job_id = $1 and kind = 'poses' and task_ordinal < 2 order by task_ordinal`,
      [first.jobId],
    );
    await home.store.remove([gone?.storage_key ?? '']);
    await home.store.put(changed?.storage_key ?? '', Buffer.from('other poses'), 'text/plain');
    const again = await dockingJob('verified');
    await prepare(again.jobId);
    expect(await adoptedOf(again.jobId)).to.deep.equal([2]);
    const keys = (await outputsOf(again.jobId)).map(({ storage_key: key }) => key);
    const objects = (await objectsOf(home, again)).filter((key) => key.includes('poses'));
    expect(objects.filter((key) => !keys.includes(key))).to.deep.equal([]);
  });
});

/** The inputs of a job are pinned before any task runs: announced files, long lists of files, fetched structures. */
import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { StructureFetch } from '../../src/adapters/structures/structures.ts';
import { requestKey } from '../../src/contracts/names.ts';
import { createFileTurns, NoTurnError } from '../../src/services/file-turns.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { pinInputs } from '../../src/services/execution/plan/pin-inputs.ts';
import type { PinResult } from '../../src/services/execution/plan/pin-inputs.ts';
import { planTasks } from '../../src/services/execution/plan/plan.ts';
import { composeStoredRequest, loadJob } from '../../src/services/job-records/request.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { fileWork } from '../support/file-work.ts';
import { suiteHome } from '../support/home.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

interface PinRow {
  readonly storage_key: string;
  readonly sha256: string;
  readonly name: string | null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const FAILURES = { absent: 'RECEPTOR_NOT_FOUND', unreachable: 'RECEPTOR_FETCH_FAILED' };
const NOT_FOUND = { ok: false, reason: 'absent', message: 'There is no such entry.' } as const;

describe('the inputs of a job', () => {
  const home = suiteHome();
  let fetches = 0;

  const pin = async (
    jobId: string,
    names: readonly string[] = [],
    answer: StructureFetch = NOT_FOUND,
  ): Promise<PinResult> => {
    const job = await loadJob(home.db, home.store, jobId);
    const fetch = (): Promise<StructureFetch> => {
      fetches += 1;
      return Promise.resolve(answer);
    };
    const structures = names.map((name) => ({ pdbId: '1a28', name, failures: FAILURES }));
    const { db, store } = home;
    return pinInputs({ db, store, structures: { fetch }, ...fileWork(db, store) }, job, structures);
  };
  const rows = (jobId: string): Promise<PinRow[]> =>
    home.db.query<PinRow[]>(
      'select storage_key, sha256, name from job_inputs where job_id = $1 order by storage_key',
      [jobId],
    );
  const entry = (text: string): StructureFetch => ({
    ok: true,
    body: Buffer.from(text),
    format: 'mmcif',
    mediaType: 'chemical/x-mmcif',
    sourceUrl: 'http://archive.example/1A28.cif',
  });

  it('wait for a turn of the account without the request being read again, and are pinned in one', async () => {
    const owner = await newAccount(home.db, 100);
    const key = `accounts/${owner.accountId}/uploads/9/a.pdb`;
    await home.store.put(key, Buffer.from('abc'), 'chemical/x-pdb');
    const admission = admissionOf(owner, { inputs: [{ storageKey: key, byteSize: 3, sha256: null }] });
    const { jobId, plan } = admission;
    await admitJob(home.db, admission, randomUUID());
    let looks = 0;
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    const counted = { ...tools, find: (id: string) => ((looks += 1), tools.find(id)) };
    const deps = {
      ...{
        db: home.db,
        store: home.store,
        tools: counted,
        recorders: RECORDERS,
        ...fileWork(home.db, home.store),
      },
      structures: { fetch: () => Promise.reject(new Error('nothing is fetched')) },
      turns: createFileTurns(home.db, { ofAccount: 1, inProcess: 8 }),
    };
    const attempt = (): Promise<unknown> =>
      planTasks(deps, { jobId, execution: 1, plan }).catch((error: unknown) => error);
    await deps.turns.during({ id: randomUUID(), accountId: owner.accountId }, async () => {
      for (let count = 0; count < 3; count += 1) expect(await attempt()).to.be.instanceOf(NoTurnError);
    });
    expect(looks).to.equal(1);
    const tasks = await home.db.query<unknown[]>('select 1 from tasks where job_id = $1', [jobId]);
    expect(tasks.length).to.equal(plan.taskCount + plan.steps.length);
    expect((await rows(jobId)).map((row) => row.sha256)).to.deep.equal([null]);
    expect(await attempt()).to.deep.equal({ ok: true });
    expect((await rows(jobId)).map((row) => row.sha256)).to.deep.equal([sha256('abc')]);
  });

  it('gives a digest to a file that nobody announced one for', async () => {
    const owner = await newAccount(home.db, 100);
    const key = `accounts/${owner.accountId}/uploads/1/a.pdb`;
    await home.store.put(key, Buffer.from('abc'), 'chemical/x-pdb');
    const admission = admissionOf(owner, { inputs: [{ storageKey: key, byteSize: 3, sha256: null }] });
    await admitJob(home.db, admission, randomUUID());
    expect(await pin(admission.jobId)).to.deep.equal({ ok: true });
    expect(await rows(admission.jobId)).to.deep.equal([
      { storage_key: key, sha256: sha256('abc'), name: null },
    ]);
  });

  it('is not looked at when the job ended before it was planned', async () => {
    const owner = await newAccount(home.db, 100);
    const key = `accounts/${owner.accountId}/uploads/1/a.pdb`;
    await home.store.put(key, Buffer.from('abc'), 'chemical/x-pdb');
    const admission = admissionOf(owner, { inputs: [{ storageKey: key, byteSize: 3, sha256: null }] });
    const { jobId, plan } = admission;
    await admitJob(home.db, admission, randomUUID());
    await home.db.query(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [jobId]);
    const structures = { fetch: () => Promise.reject(new Error('nothing is fetched')) };
    const deps = {
      db: home.db,
      store: home.store,
      structures,
      tools: createToolRegistry({ testTools: TEST_TOOLS }),
      recorders: RECORDERS,
      ...fileWork(home.db, home.store),
    };
    expect(await planTasks(deps, { jobId, execution: 1, plan })).to.deep.equal({ ok: true });
    const [input] = await rows(jobId);
    expect(input?.sha256).to.equal(null);
    expect(await home.db.query('select 1 from tasks where job_id = $1', [jobId])).to.deep.equal([]);
  });

  it('records that digest with the file, never in the place of another, and brings no removed file back', async () => {
    const owner = await newAccount(home.db, 1_000);
    const rowOf = async (key: string) => {
      const [row] = await home.db.query<{ state: string; sha256: string | null; etag: string | null }[]>(
        'select state, sha256, etag from stored_objects where storage_key = $1',
        [key],
      );
      return row;
    };
    /** A file with the bytes abc, with a state and a recorded digest; a job named it without a digest. */
    const pinned = async (state: string, recorded: string | null) => {
      const key = `accounts/${owner.accountId}/uploads/${randomUUID()}/a.pdb`;
      await home.store.put(key, Buffer.from('abc'), 'chemical/x-pdb');
      await home.db.query(
        `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, state, sha256)
         values ($1, $2, $3, 'a.pdb', 'chemical/x-pdb', 3, $4, $5)`,
        [key, owner.accountId, randomUUID(), state, recorded],
      );
      const admission = admissionOf(owner, { inputs: [{ storageKey: key, byteSize: 3, sha256: null }] });
      await admitJob(home.db, admission, randomUUID());
      const result = await pin(admission.jobId);
      return { result, row: await rowOf(key), etag: (await home.store.head(key))?.etag };
    };
    const fresh = await pinned('VERIFIED', null);
    expect(fresh.result).to.deep.equal({ ok: true });
    expect(fresh.row).to.deep.equal({ state: 'VERIFIED', sha256: sha256('abc'), etag: fresh.etag });
    const changed = await pinned('VERIFIED', sha256('abd'));
    expect(changed.result).to.include({ ok: false, code: 'INPUT_CHANGED' });
    expect(changed.row).to.deep.equal({ state: 'VERIFIED', sha256: sha256('abd'), etag: null });
    const removed = await pinned('DELETED', null);
    expect(removed.row).to.deep.equal({ state: 'DELETED', sha256: null, etag: null });
  });

  it('reads a list that is too long for the start of a workflow from the stored request', async () => {
    const owner = await newAccount(home.db, 100);
    const template = admissionOf(owner, { inputs: [], request: null });
    const key = requestKey(owner.accountId, template.jobId, 'f');
    const request = { jobType: 'simulation', simulator: 'noop', taskCount: 40 } as const;
    const pins = Array.from({ length: 10_000 }, (_, index) => ({
      storageKey: `accounts/${owner.accountId}/uploads/${String(index).padStart(5, '0')}/ligand.sdf`,
      byteSize: index,
      sha256: sha256(String(index)),
    }));
    await home.store.put(key, composeStoredRequest(request, pins), 'application/json');
    const admission = { ...template, requestKey: key };
    await admitJob(home.db, admission, randomUUID());
    expect((await loadJob(home.db, home.store, admission.jobId)).request).to.deep.equal(request);
    for (let time = 0; time < 2; time += 1) {
      expect(await pin(admission.jobId)).to.deep.equal({ ok: true });
      const found = await rows(admission.jobId);
      expect(found).to.have.length(pins.length);
      expect(found.at(-1)?.sha256).to.equal(pins.at(-1)?.sha256);
    }
  });

  it('keeps the structure that was fetched first, whatever the archive answers later', async () => {
    const owner = await newAccount(home.db, 100);
    const admission = admissionOf(owner, { inputs: [] });
    await admitJob(home.db, admission, randomUUID());
    fetches = 0;
    expect(await pin(admission.jobId, ['receptor/source'], entry('data_1A28 first'))).to.deep.equal({
      ok: true,
    });
    expect(await pin(admission.jobId, ['receptor/source'], entry('data_1A28 second'))).to.deep.equal({
      ok: true,
    });
    expect(fetches).to.equal(1);
    const [row] = await rows(admission.jobId);
    expect(row?.name).to.equal('receptor/source');
    expect(row?.sha256).to.equal(sha256('data_1A28 first'));
    expect(await home.store.hash(row?.storage_key ?? '')).to.deep.equal({
      byteSize: 'data_1A28 first'.length,
      sha256: sha256('data_1A28 first'),
    });
  });

  it('hands on why a structure cannot be had', async () => {
    const owner = await newAccount(home.db, 100);
    const admission = admissionOf(owner, { inputs: [] });
    await admitJob(home.db, admission, randomUUID());
    expect(await pin(admission.jobId, ['receptor/source'])).to.deep.equal({
      ok: false,
      code: FAILURES.absent,
      message: NOT_FOUND.message,
    });
    expect(await rows(admission.jobId)).to.deep.equal([]);
  });
});

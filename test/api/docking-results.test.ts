/** Results and exports of batches and runs over HTTP: what each filter answers, and how every value that is none is refused. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';

const BASE = 'molecular/docking';
const BOND = 'hydrogen_bond:A:GLN725';
const OTHER = 'hydrogen_bond:A:GLN718';

describe('results of docking over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let batch: DockedBatch;
  before(async () => {
    api = await testApi();
    owner = await api.account();
    batch = await endedBatch();
  });

  /** A batch of twelve ligands, four of them docked, one failed and the rest cancelled. */
  async function endedBatch(): Promise<DockedBatch> {
    const { accountId } = owner;
    const [user] = await api.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const made = await dockedBatch(api, 12, [2], { accountId, userId: user?.id ?? '' });
    const warnings = [{ code: 'STEREO_UNSPECIFIED', message: 'one of two' }];
    await dock(api.db, made.jobId, {
      0: dockedRecord([-7, -6], [[725], [718]], { ligandEfficiency: 0.1 }),
      1: dockedRecord([-9, -8], [[725, 718]], { ligandEfficiency: 0.2, warnings }),
      2: dockedRecord([-8], [[718]], { ligandEfficiency: 0.5 }),
      3: dockedRecord([-6.5], [[]], { ligandEfficiency: 0.3 }),
    });
    await api.db.query(
      `update tasks set state = case ordinal when 4 then 'FAILED' else 'CANCELLED' end, finished_at = now(),
         failure_code = case ordinal when 4 then 'LIGAND_EMBED_FAILED' end, failure_message = case ordinal when 4 then 'no shape' end
       where job_id = $1 and kind = 'task' and ordinal > 3`,
      [made.jobId],
    );
    await api.db.query(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [
      made.jobId,
    ]);
    return made;
  }

  const get = (path: string, key = owner.liveKey): Promise<Answer> => api.call(key, 'GET', `${BASE}/${path}`);
  const post = (path: string, body: object, key = owner.liveKey): Promise<Answer> =>
    api.call(key, 'POST', `${BASE}/${path}`, body);
  /** Where the results of the batch and those of its only run are. */
  const places = (): readonly string[] => [`batches/${batch.batchId}`, `runs/${batch.runId}`];
  const idsOf = async (place: string, query: string): Promise<readonly string[]> => {
    const { status, body } = await get(`${place}/results?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.results.map(({ ligand_id: id }: { ligand_id: string }) => id);
  };
  const refused = async (answers: Promise<Answer>): Promise<string> => {
    const { status, body } = await answers;
    return `${status} ${body.code}`;
  };

  const FILTERS: Readonly<Record<string, readonly string[]>> = {
    'status=SUCCEEDED': ['l1', 'l2', 'l2-again', 'l0', 'l3'],
    'status=FAILED': ['l4'],
    'status=CANCELLED&limit=2': ['l10', 'l11'],
    'status=RUNNING': [],
    'status=PENDING': [],
    'warning=STEREO_UNSPECIFIED': ['l1'],
    'label=Label%201': ['l1', 'l10', 'l11'],
    'label=Again': ['l2-again'],
    'affinityAtMost=-7': ['l1', 'l2', 'l2-again', 'l0'],
    'affinityAtMost=-100': [],
    [`interaction=${BOND}`]: ['l1', 'l0'],
    [`interaction=${BOND}&interaction=${OTHER}`]: ['l1'],
    [`interaction=${BOND}&interaction=${OTHER}&maxMissing=1`]: ['l1', 'l2', 'l2-again', 'l0'],
    [`interaction=${BOND}&affinityAtMost=-8&warning=STEREO_UNSPECIFIED&label=Label&status=SUCCEEDED`]: ['l1'],
    'sort=affinity&limit=3': ['l1', 'l2', 'l2-again'],
    'sort=efficiency&limit=3': ['l2', 'l2-again', 'l3'],
    'sort=ligandId&limit=3': ['l0', 'l1', 'l10'],
  };

  it('are those of each filter, each order and each size of a page, of a batch as of its run', async () => {
    for (const place of places())
      for (const [query, ids] of Object.entries(FILTERS))
        expect(await idsOf(place, query), `${place} ${query}`).to.deep.equal(ids);
  });

  it('follow each other by cursors, with any size of a page, and no cursor fits another query', async () => {
    for (const place of places()) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `sort=efficiency&limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { body }: Answer = await get(`${place}/results?${query}`);
        seen.push(...body.results.map(({ ligand_id: id }: { ligand_id: string }) => id));
        cursor = body.nextCursor;
      }
      expect(seen).to.deep.equal(await idsOf(place, 'sort=efficiency&limit=1000'));
      expect(seen).to.have.length(13);
    }
    const { nextCursor } = (await get(`${places()[0] ?? ''}/results?limit=1`)).body;
    for (const query of ['sort=ligandId', 'status=SUCCEEDED', `interaction=${BOND}`, 'label=L'])
      expect(await refused(get(`${places()[0] ?? ''}/results?${query}&cursor=${nextCursor}`))).to.equal(
        '400 VALIDATION_ERROR',
      );
    expect(await refused(get(`${places()[1] ?? ''}/results?cursor=${nextCursor}`))).to.equal(
      '400 VALIDATION_ERROR',
    );
    expect(await refused(get(`${places()[0] ?? ''}/failures?cursor=${nextCursor}`))).to.equal(
      '400 VALIDATION_ERROR',
    );
  });

  const WRONG = [
    ...['status=DONE', 'status=', 'warning=a%20b', 'warning=', 'label=', `label=${'x'.repeat(513)}`],
    ...['affinityAtMost=low', 'affinityAtMost=Infinity', 'affinityAtMost='],
    ...['interaction=GLN725', 'interaction=bond:A:GLN725', `interaction=${BOND}&interaction=`],
    ...[`interaction=${BOND}&maxMissing=1`, `interaction=${BOND}&interaction=${BOND}&maxMissing=1`],
    ...['maxMissing=1', `interaction=${BOND}&maxMissing=-1`, `interaction=${BOND}&maxMissing=0.5`],
    Array.from({ length: 8 }, (_, n) => `interaction=hydrophobic:A:LEU${n}`).join('&'),
    ...['sort=rank', 'limit=0', 'limit=1001', 'limit=many', 'cursor=bm90IG91cnM', 'cursor=', 'nothing=1'],
  ];

  it('are refused with what is wrong for each value that is none', async () => {
    for (const place of places())
      for (const query of WRONG) {
        const { status, body } = await get(`${place}/results?${query}`);
        expect(`${status} ${body.code}`, query).to.equal('400 VALIDATION_ERROR');
        const [name = ''] = /^[a-zA-Z]+/.exec(query) ?? [];
        expect(body.error, query).to.match(new RegExp(`${name}|maxMissing`));
      }
  });

  it('are of the own account alone, and of what there is', async () => {
    const stranger = await api.account();
    for (const place of [...places(), `batches/${randomUUID()}`, `runs/${randomUUID()}`]) {
      expect(await refused(get(`${place}/results`, stranger.liveKey)), place).to.equal('404 NOT_FOUND');
      expect(await refused(post(`${place}/export`, { format: 'csv' }, stranger.liveKey))).to.equal(
        '404 NOT_FOUND',
      );
    }
    const { results } = (await get(`${places()[0] ?? ''}/results?limit=1`)).body;
    for (const path of [`results/${results[0].id}`, `results/${results[0].id}/poses`]) {
      expect((await get(path)).status).to.equal(200);
      expect(await refused(get(path, stranger.liveKey))).to.equal('404 NOT_FOUND');
    }
  });

  it('are exported as they are filtered; of nothing there is no export, and its refusal says why', async () => {
    for (const place of places()) {
      const asked = await post(`${place}/export`, { format: 'csv', interaction: [BOND] });
      expect([asked.status, asked.body.export.result_count, asked.body.export.complete]).to.deep.equal([
        ...[202, 2, true],
      ]);
      const { status, body } = await post(`${place}/export`, { format: 'csv', affinityAtMost: -100 });
      expect([status, body.code]).to.deep.equal([409, 'NOTHING_TO_EXPORT']);
      expect(body.error).to.include('none passes the filters');
      expect(body.error).not.to.include('still going on');
    }
    const wrong: readonly object[] = [
      ...[{}, { format: 'xlsx' }, { format: 'csv', poses: 'all' }, { format: 'csv', topN: 0 }],
      ...[
        { format: 'csv', status: 'RUNNING' },
        { format: 'csv', maxMissing: 0 },
        { format: 'csv', more: 1 },
      ],
      ...[
        { format: 'csv', interaction: [] },
        { format: 'csv', interaction: ['GLN725'] },
      ],
    ];
    for (const body of wrong)
      expect(await refused(post(`${places()[0] ?? ''}/export`, body)), JSON.stringify(body)).to.equal(
        '400 VALIDATION_ERROR',
      );
  });

  it('are exported as a scene alone once an open share names its data, and name the package before', async () => {
    const address = `/api/v1/molecular/assets/${randomUUID()}`;
    const batch = await endedBatch();
    await api.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
       select $1::uuid, account_id, id, 'task', 1, $1, 'poses.sdf', 'poses', 'chemical/x-mdl-sdfile', 'sdf', 1, repeat('a', 64) from jobs where id = $2`,
      [address.slice(-36), batch.jobId],
    );
    const best = (await get(`runs/${batch.runId}/results?sort=affinity&limit=1`)).body;
    expect(best, JSON.stringify(best)).to.have.property('results');
    const resultId = String(best.results[0].id);
    const { poses } = (await get(`results/${resultId}/poses`)).body;
    const shown = [
      ...[`batches/${batch.batchId}`, `runs/${batch.runId}`, `results/${resultId}`],
      `poses/${String(poses[0].id)}`,
    ];
    const asScenes = (): Promise<Answer[]> =>
      Promise.all(shown.map((place) => get(`${place}/scene/export?format=mvsj`)));
    for (const { status, body } of await asScenes()) {
      expect([status, body.code]).to.deep.equal([422, 'EXPORT_NOT_PUBLIC']);
      expect(body.error).to.include(address).and.include('.mvsx');
    }
    const { body: scene } = await get(`${shown[3] ?? ''}/scene`);
    const keyed = { headers: { 'Idempotency-Key': randomUUID() } };
    const project = { name: 'best', content: { scene } };
    const made = await api.call(owner.liveKey, 'POST', 'molecular/projects', project, keyed);
    const shares = `molecular/projects/${String(made.body.id)}/shares`;
    const shared = await api.call(owner.liveKey, 'POST', shares, { expectedVersion: 1 }, keyed);
    for (const { status, body } of await asScenes()) {
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(JSON.stringify(body)).to.include(`/shared/${String(shared.body.share.token)}/assets/`);
    }
  });

  it('of a job that was submitted by itself have no table of their own, which the refusal says', async () => {
    const alone = await endedBatch();
    await api.db.query('delete from docking_runs where job_id = $1', [alone.jobId]);
    expect((await get(`runs/${alone.jobId}/results`)).status).to.equal(200);
    const { status, body } = await post(`runs/${alone.jobId}/export`, { format: 'csv' });
    expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND']);
    expect(body.error).to.include('its table and its poses are among its outputs');
  });

  it('of a batch that runs are exported as far as they are there, which the export says', async () => {
    const ligands = ['first', 'second'].map((ligandId, index) => ({
      ...{ ligandId, label: ligandId, preparation: {} },
      source: { kind: 'smiles', smiles: `${'C'.repeat(index + 1)}O` },
    }));
    const { body: made } = await post('batches', {
      ...{ name: 'running', engine: 'noop', ligands, metadata: { noop: { seconds: 600 } } },
    });
    const place = `batches/${made.batch.id}`;
    const none = await post(`${place}/export`, { format: 'csv' });
    expect([none.status, none.body.code]).to.deep.equal([409, 'NOTHING_TO_EXPORT']);
    expect(none.body.error).to.include('No ligand has ended yet').and.to.include('still going on');
    await api.reaches(owner.liveKey, made.jobId, 'RUNNING');
    await api.db.query(
      `update tasks set state = 'FAILED', failure_code = 'ENGINE_TIMEOUT', failure_message = 'late', finished_at = now()
       where job_id = $1 and kind = 'task' and ordinal = 0`,
      [made.jobId],
    );
    const some = await post(`${place}/export`, { format: 'parquet' });
    expect(some.body.export).to.include({ result_count: 1, complete: false });
    await post(`${place}/cancel`, {});
    await api.ends(owner.liveKey, made.jobId, 60);
  });
});

/**
 * Nothing that a kept revision names is swept: for each piece of the service that gives outputs up, one output that a revision names and
 * one that none names.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { withStoredContent } from '../../api/projects/content.ts';
import { exportPrefix, jobPrefix } from '../../src/contracts/names.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { checkCompleteness } from '../../src/services/execution/settle/completeness.ts';
import { missingObjects } from '../../src/services/execution/settle/listing.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { stopWhereDecided } from '../../src/services/execution/stop.ts';
import { sweepExports } from '../../src/services/docking/exports/sweep.ts';
import { sweepInspections } from '../../src/services/inspections/sweep.ts';
import { openAgain } from '../../src/services/jobs/resume.ts';
import { createProjects, sweepProjects } from '../../src/services/projects/index.ts';
import { createSecretBox } from '../../src/services/secret-box.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { sweepUploads } from '../../src/services/uploads/index.ts';
import { canonicalSha256 } from '../../src/tools/canonical.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { RECORDERS } from '../support/recorders.ts';
import { runningJob } from '../support/running-job.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { node, single } from '../unit/scenes/good-scenes.ts';

/** A file of the account. */
interface File {
  readonly id: string;
  readonly key: string;
}

describe('what a kept revision names', () => {
  const home = suiteHome();
  const tools = createToolRegistry({ testTools: TEST_TOOLS });
  let projects: ReturnType<typeof createProjects>;
  before(() => {
    projects = createProjects({
      db: home.db,
      box: createSecretBox(`a:${'0a'.repeat(32)}`),
      publicUrl: 'https://dockyard.example.org',
    });
  });

  const file = async (
    accountId: string,
    { jobId, kind, ordinal = 0 }: { jobId: string; kind: string; ordinal?: number },
  ): Promise<File> => {
    const [id, key] = [randomUUID(), `${jobPrefix(accountId, jobId)}${kind}/${randomUUID()}-a.pdb`];
    await home.store.put(key, Buffer.from('END\n'), 'chemical/x-pdb');
    await home.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256, item_id)
       values ($1, $2, $3, $4, $5, $6, 'a.pdb', 'poses', 'chemical/x-pdb', 'pdb', 4, repeat('a', 64), 'x')`,
      [id, accountId, jobId, kind, ordinal, key],
    );
    return { id, key };
  };
  const save = async (actor: KeyActor, ...files: readonly File[]): Promise<string> => {
    const scene = single(
      ...files.map(({ id }) =>
        node('download', { url: `/api/v1/molecular/assets/${id}` }, [node('parse', { format: 'pdb' })]),
      ),
    );
    const body = { name: 'kept', content: { scene } as unknown as JsonObject };
    const { value: ready, identity } = withStoredContent(body);
    const keyed = { body: ready, idempotencyKey: randomUUID(), fingerprint: canonicalSha256(identity) };
    return (await projects.create(actor, keyed)).project.id;
  };
  /** Which of the files are there, row and object. */
  const left = async (...files: readonly File[]): Promise<readonly (readonly [boolean, boolean])[]> =>
    Promise.all(
      files.map(async ({ id, key }) => {
        const rows = await home.db.query<unknown[]>('select from artifacts where id = $1', [id]);
        return [rows.length === 1, (await home.store.head(key)) !== null] as const;
      }),
    );
  const KEPT = [true, true] as const;
  const GONE = [false, false] as const;

  /** What gives an output of a job up, and the kind and place of the work that made the output. */
  const GIVEN_UP: Readonly<
    Record<string, { kind: string; ordinal?: number; by: (jobId: string, other: File) => Promise<unknown> }>
  > = {
    'a batch that stops before it': {
      kind: 'task',
      ordinal: 3,
      by: (jobId) =>
        inTransaction(home.db, async (tx) => {
          await tx.query(
            `update tasks set state = 'SUCCEEDED' where job_id = $1 and kind = 'task' and ordinal = 3`,
            [jobId],
          );
          const recorder = { decided: () => Promise.resolve(2), lost: () => Promise.resolve() };
          await stopWhereDecided(tx, recorder, jobId);
        }),
    },
    'a task that is done again, because another output of it is lost': {
      kind: 'task',
      ordinal: 3,
      by: async (jobId, other) => {
        await home.store.remove([other.key]);
        await home.db.query(
          `update tasks set state = 'SUCCEEDED' where job_id = $1 and kind = 'task' and ordinal = 3`,
          [jobId],
        );
        await home.db.query(
          `update jobs set status = 'FINALIZING', tasks_verified = tasks_verified + 1 where id = $1`,
          [jobId],
        );
        await checkCompleteness({ db: home.db, store: home.store, recorders: RECORDERS }, jobId);
      },
    },
    'a resume that merges anew': {
      kind: 'merge',
      by: async (jobId) => {
        await home.db.query(
          `insert into tasks (job_id, kind, ordinal, item_id, state) values ($1, 'merge', 0, 'merge', 'SUCCEEDED')`,
          [jobId],
        );
        await inTransaction(home.db, (tx) => openAgain(tx, jobId, 2));
      },
    },
    'a file of the end that is made anew': {
      kind: 'finish',
      by: async (jobId) => {
        const { accountId } = await accountOf(jobId);
        await file(accountId, { jobId, kind: 'task' });
        await writeManifest(
          { db: home.db, store: home.store, tools, recorders: RECORDERS },
          { jobId, isProven: true },
        );
      },
    },
  };
  const accountOf = async (jobId: string): Promise<{ accountId: string }> => {
    const [row] = await home.db.query<{ accountId: string }[]>(
      'select account_id as "accountId" from jobs where id = $1',
      [jobId],
    );
    return row ?? expect.fail('no such job');
  };

  for (const [what, { kind, ordinal, by }] of Object.entries(GIVEN_UP))
    it(`outlives ${what}`, async () => {
      const { jobId, accountId } = await runningJob(home);
      const of = { jobId, kind, ...(ordinal !== undefined && { ordinal }) };
      const [named, other] = [await file(accountId, of), await file(accountId, of)];
      await save(ownerOf(accountId), named);
      await by(jobId, other);
      await missingObjects({ db: home.db, store: home.store }, jobId);
      expect(await left(named, other)).to.deep.equal([KEPT, GONE]);
      const outputs = await home.db.query<{ readonly job_id: string; readonly task_kind: string | null }[]>(
        'select job_id, task_kind from artifacts where id = $1',
        [named.id],
      );
      expect(outputs, 'it is of that job, and none of its outputs').to.deep.equal([
        { job_id: jobId, task_kind: null },
      ]);
    });

  it('outlives the sweeps of uploads and of exports', async () => {
    const { accountId, userId } = await newAccount(home.db, 0);
    const actor = ownerOf(accountId, userId);
    const key = `accounts/${accountId}/uploads/${randomUUID()}/a.pdb`;
    await home.db.query(
      `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, state, sha256, expires_at, created_at, verified_at)
       values ($1, $2, gen_random_uuid(), 'a.pdb', 'chemical/x-pdb', 4, 'VERIFIED', repeat('a', 64), now() - interval '40 days', now() - interval '41 days', now() - interval '41 days')`,
      [key, accountId],
    );
    const upload = { id: randomUUID(), key };
    const exported = { id: randomUUID(), key: `${exportPrefix(accountId, randomUUID())}a.sdf` };
    for (const { id, key: at } of [upload, exported]) {
      await home.store.put(at, Buffer.from('END\n'), 'chemical/x-pdb');
      await home.db.query(
        `insert into artifacts (id, account_id, storage_key, name, kind, media_type, format, byte_size, sha256)
         values ($1, $2, $3, 'a.pdb', 'upload', 'chemical/x-pdb', 'pdb', 4, repeat('a', 64))`,
        [id, accountId, at],
      );
    }
    await save(actor, upload, exported);
    await sweepUploads({ db: home.db, store: home.store, isOpen: () => Promise.resolve(false) });
    await sweepExports({
      db: home.db,
      store: home.store,
      workflows: { startExport: () => Promise.reject(new Error('no export is open')) },
    });
    expect(await left(upload, exported)).to.deep.equal([KEPT, KEPT]);
  });

  it('outlives the month after which answers go that nobody asks for, as what other work names does', async () => {
    const { jobId: open, accountId } = await runningJob(home);
    const actor = ownerOf(accountId, (await newAccount(home.db, 0)).userId);
    const converted = async (): Promise<File & { question: string }> => {
      const [question, jobId] = [randomUUID(), randomUUID()];
      await home.db.query(
        `insert into inspections (id, account_id, cache_key, job_id, start_by, kind, created_at, used_at)
         values ($1::uuid, $2, $1::text, $3, now(), 'conversion', now() - interval '32 days', now() - interval '31 days')`,
        [question, accountId, jobId],
      );
      return { question, ...(await file(accountId, { jobId, kind: 'task' })) };
    };
    const none = await converted();
    const [named, input, receptor, registered] = [
      ...[await converted(), await converted(), await converted(), await converted()],
    ] as const;
    const project = await save(actor, named);
    await home.db.query('insert into job_inputs (job_id, storage_key, byte_size) values ($1, $2, 4)', [
      open,
      input.key,
    ]);
    await home.db.query(
      `insert into docking_experiments (id, account_id, user_id, name, receptor_artifact_id, ligand_identity, parameters)
       values ($1, $2, $3, 'e', $4, '{}', '{}')`,
      [randomUUID(), accountId, actor.userId, receptor.id],
    );
    await home.db.query(
      `insert into artifacts (id, account_id, storage_key, name, kind, media_type, format, byte_size, sha256)
       values ($1, $2, $3, 'a.pdb', 'upload', 'chemical/x-mmcif', 'mmcif', 4, repeat('a', 64))`,
      [randomUUID(), accountId, registered.key],
    );
    const files = [none, named, input, receptor, registered] as const;
    for (let round = 1; round <= 2; round += 1) {
      await sweepInspections(home);
      expect(await left(...files)).to.deep.equal([GONE, KEPT, KEPT, KEPT, KEPT]);
      const kept = await home.db.query<{ id: string }[]>('select id from inspections where account_id = $1', [
        accountId,
      ]);
      expect(kept.map(({ id }) => id)).to.have.members(files.slice(1).map(({ question }) => question));
    }
    await home.db.query(
      `update molecular_projects set deleted_at = now() - interval '31 days' where id = $1`,
      [project],
    );
    await sweepProjects(home.db);
    await home.db.query(`update inspections set used_at = now() - interval '31 days' where account_id = $1`, [
      accountId,
    ]);
    await sweepInspections(home);
    expect(await left(...files), 'nor when its project is gone for good').to.deep.equal([
      ...[GONE, GONE, KEPT, KEPT, KEPT],
    ]);
  });
});

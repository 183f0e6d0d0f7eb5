/**
 * Inspections in the database: which question has which job, how many run at once, and what no other account sees or
 * pays.
 */
import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { JobStart, StartOutcome } from '../../src/adapters/temporal/client.ts';
import type { JobAdmission } from '../../src/contracts/job.ts';
import { jobPrefix } from '../../src/contracts/names.ts';
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { ArtifactReference, InspectReceptorRequest } from '../../src/domain/requests.ts';
import { createInspections, LARGEST_RECEPTOR_BYTES } from '../../src/services/inspections/inspect.ts';
import type { InspectionDependencies } from '../../src/services/inspections/inspect.ts';
import { INSPECTION_ADMISSION } from '../../src/services/inspections/records.ts';
import { createByteBudget } from '../../src/services/stored-objects/byte-budget.ts';
import { sweepInspections } from '../../src/services/inspections/sweep.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { cancelJob } from '../../src/services/jobs/cancel.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { listJobs } from '../../src/services/jobs/list.ts';
import { readTaskLog } from '../../src/services/jobs/log.ts';
import { listOutputs } from '../../src/services/jobs/outputs.ts';
import { createJobWatch } from '../../src/services/events/job-watch.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import { NOTHING_TO_FINISH } from '../../src/services/jobs/to-finish.ts';
import { listTasks } from '../../src/services/jobs/tasks.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { INSPECTION } from '../../src/tools/receptor-inspect/report.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { newOwner } from '../support/actors.ts';
import { eventsOf } from '../support/events-of.ts';
import { suiteHome } from '../support/home.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';
import { inspectionReport } from '../tools/receptor-inspect/reports.ts';

const toFinish = async () => NOTHING_TO_FINISH;
const SETTINGS = {
  ...{ provider: 'local', instanceSlots: 2, instanceVcpus: 2, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
  ...{ admissionWaitSeconds: 20, admitBySeconds: 60, maxHistoryEvents: 8000, commitDelayMs: 50 },
  ...{ computeHeartbeatSeconds: 15, computePickupSeconds: 15, capacityPollSeconds: 10, noRoomSeconds: 60 },
  ...{ inspectionWaitSeconds: 0.01, accountInspections: 2 },
};
const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
const SILENT = { warn: () => undefined, info: () => undefined };

describe('inspections of receptors', () => {
  const home = suiteHome();
  let admissions: JobAdmission[] = [];
  beforeEach(() => (admissions = []));

  const admit = (one: JobAdmission) => admitJob(home.db, one, randomUUID(), [INSPECTION_ADMISSION]);
  const admitted = async ({ admission }: JobStart): Promise<StartOutcome> => {
    admissions.push(admission);
    return { kind: 'decided', decision: await admit(admission) };
  };
  const service = (
    startJob = admitted,
    more = {},
    reading: Partial<Pick<InspectionDependencies, 'db' | 'store' | 'reads'>> = {},
  ) =>
    createInspections({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store), workflows: { startJob } },
      ...{
        tools: createToolRegistry({ testTools: TEST_TOOLS }),
        quotes: createQuotes(loadPriceBook(), RATES),
      },
      ...{ settings: { ...SETTINGS, ...more }, log: SILENT },
      ...reading,
    });
  const entry = (pdbId: string): InspectReceptorRequest => ({ source: { kind: 'pdb', pdbId } });
  /** A file of the account that a job made, so that the test need not store its bytes. */
  const stored = async (actor: Actor, byteSize = 10, of = randomUUID()): Promise<InspectReceptorRequest> => {
    const sha256 = createHash('sha256').update(of).digest('hex');
    const [artifactId, storageKey] = [randomUUID(), `accounts/${actor.accountId}/jobs/x/${randomUUID()}`];
    await home.db.query(
      `insert into artifacts (id, account_id, job_id, storage_key, name, kind, media_type, format, byte_size, sha256)
       values ($1, $2, $3, $4, 'a.pdb', 'upload', 'chemical/x-pdb', 'pdb', $5, $6)`,
      [artifactId, actor.accountId, randomUUID(), storageKey, byteSize, sha256],
    );
    const schema = 'svc.docking.artifact/v1';
    const artifact: ArtifactReference = {
      ...{ schema, artifactId, storageKey, sha256, byteSize, mediaType: 'chemical/x-pdb', format: 'pdb' },
    };
    return { source: { kind: 'artifact', artifact } };
  };
  const refusalOf = async (work: Promise<unknown>): Promise<AppError> => {
    const error = await work.then(
      () => expect.fail('nothing was refused'),
      (thrown: unknown) => thrown,
    );
    if (error instanceof AppError) return error;
    throw error;
  };
  /** Ends the job of an inspection as its workflow does; a job with a report has succeeded. */
  const end = async (
    jobId: string,
    failure: { code: string; message: string } | null = null,
    report: object = inspectionReport(),
  ): Promise<void> => {
    const { accountId } = admissions.find((each) => each.jobId === jobId) ?? expect.fail('no such job');
    const state = failure === null ? 'SUCCEEDED' : 'FAILED';
    await home.db.query(
      `insert into tasks (job_id, kind, ordinal, item_id, state, failure_code, failure_message)
       values ($1, 'task', 0, 'receptor', $2, $3, $4)`,
      [jobId, state, failure?.code ?? null, failure?.message ?? null],
    );
    if (failure === null) {
      const body = Buffer.from(JSON.stringify(report));
      const key = `${jobPrefix(accountId, jobId)}0/inspection.json`;
      await home.store.put(key, body, 'application/json');
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
         values ($1, $2, $3, 'task', 0, $4, 'inspection.json', 'inspection_report', 'application/json', 'json', $5, $6)`,
        [randomUUID(), accountId, jobId, key, body.byteLength, 'e'.repeat(64)],
      );
    }
    await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [jobId]);
    const ending = {
      jobId,
      execution: 1,
      transition: 5,
      to: state,
      reason: null,
      pauseReason: null,
    } as const;
    expect(await settleJob(home.db, ending)).to.include({ chargedPence: 0, releasedPence: 0 });
  };
  const rowsOf = async (accountId: string): Promise<number> => {
    const [row] = await home.db.query<{ count: number }[]>(
      'select count(*)::int as count from inspections where account_id = $1',
      [accountId],
    );
    return row?.count ?? 0;
  };

  it('costs nothing, needs no credits, and leaves a ledger that adds up', async () => {
    const actor = await newOwner(home.db);
    const { status, inspectionId } = await service().inspect(actor, entry('1A28'));
    expect(status).to.equal('RUNNING');
    const [admission] = admissions;
    expect(admission).to.deep.include({ internal: true, simulator: 'receptor-inspect', inputs: [] });
    expect(admission?.quote).to.include({ heldPence: 0, estimatedMicro: 0 });
    await end(admission?.jobId ?? '');
    // The events tell of the inspection, once, and not of its job.
    expect(await eventsOf(home.db, actor.accountId, '')).to.deep.equal([
      { type: 'inspection.made', subject: inspectionId, payload: {} },
    ]);
    const transfers = await home.db.query<unknown[]>('select 1 from ledger_transfers where account_id = $1', [
      actor.accountId,
    ]);
    expect(transfers).to.deep.equal([]);
    expect(await verifyLedger(home.db)).to.deep.equal([]);
  });

  it('is no job of the customer: it is in no list, and none of its parts can be read or cancelled', async () => {
    const actor = await newOwner(home.db);
    await service().inspect(actor, entry('1A28'));
    const jobId = admissions[0]?.jobId ?? '';
    const { db, store } = home;
    const jobs = await listJobs({ db, canonicalSimulator: (name) => name }, actor, { limit: 100 });
    expect(jobs.jobs).to.deep.equal([]);
    const queue = { placeOf: () => Promise.resolve(null) };
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    const watch = createJobWatch(db);
    const cancel = {
      ...{ db, workflows: { cancel: () => Promise.resolve(true) }, log: SILENT },
      takeUp: () => Promise.resolve(false),
    };
    for (const [name, work] of Object.entries({
      status: () => jobStatus({ db, queue, watch, tools, toFinish }, actor, jobId, {}),
      poll: () =>
        jobStatus({ db, queue, watch, tools, toFinish }, actor, jobId, { knownVersion: 'x', waitSeconds: 1 }),
      tasks: () => listTasks(db, actor, jobId, { limit: 1 }),
      outputs: () => listOutputs({ db, store }, actor, jobId, { limit: 1 }),
      log: () => readTaskLog({ db, store }, actor, jobId, 0, { start: 0 }),
      cancel: () => cancelJob(cancel, actor, jobId, {}),
    })) {
      expect((await refusalOf(work())).code, name).to.equal('NOT_FOUND');
    }
    watch.close();
  });

  it('is one job for 50 equal questions at once, whose report all get', async () => {
    const actor = await newOwner(home.db);
    const wanted = await stored(actor);
    const many = Array.from({ length: 50 }, () => service().inspect(actor, wanted));
    const ids = new Set((await Promise.all(many)).map(({ inspectionId }) => inspectionId));
    expect([ids.size, admissions.length]).to.deep.equal([1, 1]);
    await end(admissions[0]?.jobId ?? '');
    const again = await service().inspect(actor, wanted);
    expect(again.status).to.equal('SUCCEEDED');
    expect(again.report).to.deep.equal(inspectionReport());
    expect(await service().get(actor, [...ids][0] ?? '')).to.deep.equal(again);
    expect(admissions.length, 'no second job').to.equal(1);
  });

  it('is waited for as long as the setting says, and answered as running after that', async () => {
    const actor = await newOwner(home.db);
    const waiting = service(admitted, { inspectionWaitSeconds: 20 }).inspect(actor, entry('1A28'));
    const isAdmitted = async (): Promise<boolean> =>
      (await home.db.query<unknown[]>('select 1 from jobs where id = $1', [admissions[0]?.jobId ?? null]))
        .length > 0;
    await until('the job is admitted', isAdmitted);
    await end(admissions[0]?.jobId ?? '');
    expect((await waiting).report).to.deep.equal(inspectionReport());

    const askedAt = performance.now();
    const running = await service(admitted, { inspectionWaitSeconds: 0.6 }).inspect(actor, entry('1HPV'));
    expect([running.status, running.report]).to.deep.equal(['RUNNING', null]);
    expect(performance.now() - askedAt).to.be.within(590, 10_000);
  });

  it('says how far it is while it runs: the step, and what it waits for', async () => {
    const actor = await newOwner(home.db);
    const told: (string | null)[] = [(await service().inspect(actor, entry('1A28'))).message];
    const [inspection] = await home.db.query<{ id: string; job_id: string }[]>(
      'select id, job_id from inspections where account_id = $1',
      [actor.accountId],
    );
    const read = async (): Promise<unknown> =>
      told.push((await service().get(actor, inspection?.id ?? '')).message);
    for (const status of ['QUEUED', 'RUNNING']) {
      await home.db.query('update jobs set status = $2, status_reason = $3 where id = $1', [
        ...[inspection?.job_id, status, status === 'QUEUED' ? 'NO_CAPACITY' : null],
      ]);
      await read();
    }
    await end(inspection?.job_id ?? '');
    await read();
    expect(told).to.deep.equal([
      'The inspection is about to start.',
      'The inspection waits for a machine. Nobody has an instance of the kind that the job needs now.',
      'The receptor is being read.',
      null,
    ]);
  });

  it('is read for 20 requests at once in no more memory than the process has for reports', async () => {
    const actor = await newOwner(home.db);
    const { inspectionId } = await service().inspect(actor, entry('1UBQ'));
    await end(admissions[0]?.jobId ?? expect.fail('no job was started'));
    const byteSize = Buffer.byteLength(JSON.stringify(inspectionReport()));
    const reads = createByteBudget(2 * INSPECTION.memoryBytes(byteSize));
    let [open, most] = [0, 0];
    const areTwo = Promise.withResolvers<null>();
    const store = {
      ...home.store,
      read: async (key: string) => {
        open += 1;
        most = Math.max(most, open);
        if (open === 2) areTwo.resolve(null);
        await areTwo.promise;
        const object = await home.store.read(key);
        object?.stream.once('end', () => (open -= 1));
        return object;
      },
    };
    const { get } = service(admitted, {}, { store, reads });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(actor, inspectionId)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set(['SUCCEEDED']));
    expect(most).to.equal(2);
  });

  it('starts two of 50 different ones at once, and refuses the others until one has ended', async () => {
    const actor = await newOwner(home.db);
    const files = await Promise.all(Array.from({ length: 50 }, () => stored(actor)));
    const answers = await Promise.all(
      files.map((wanted) =>
        service()
          .inspect(actor, wanted)
          .catch((error: unknown) => error),
      ),
    );
    const refused = answers.filter((answer) => answer instanceof AppError);
    expect([refused.length, admissions.length]).to.deep.equal([48, 2]);
    for (const { code, status, retryAfterSeconds } of refused)
      expect([code, status, retryAfterSeconds]).to.deep.equal(['INSPECTION_LIMIT', 429, 5]);
    await end(admissions[0]?.jobId ?? '');
    const isOpen = (answer: unknown): boolean => !(answer instanceof AppError);
    const left = files.filter((_, index) => !isOpen(answers[index]));
    expect((await service().inspect(actor, left[0] ?? expect.fail())).status).to.equal('RUNNING');
    expect((await refusalOf(service().inspect(actor, left[1] ?? expect.fail()))).code).to.equal(
      'INSPECTION_LIMIT',
    );
    const other = await newOwner(home.db);
    expect((await service().inspect(other, entry('1A28'))).status, 'another account').to.equal('RUNNING');
  });

  it('tells of a failure with its code, and does not take it for an answer', async () => {
    const actor = await newOwner(home.db);
    const wanted = await stored(actor);
    const failures = [
      ['RECEPTOR_UNREADABLE', 'The file is neither PDB nor mmCIF.', 'RECEPTOR_UNREADABLE', /neither/],
      ['ENGINE_CRASHED', 'The tool died.', 'INSPECTION_FAILED', /died.*ENGINE_CRASHED/],
      ['OUTPUT_UNVERIFIED', 'inspection.json is no report.', 'INSPECTION_FAILED', /no report/],
    ] as const;
    for (const [code, message, told, words] of failures) {
      const { inspectionId } = await service().inspect(actor, wanted);
      await end(admissions.at(-1)?.jobId ?? '', { code, message });
      const failure = await refusalOf(service().get(actor, inspectionId));
      expect([failure.code, failure.status]).to.deep.equal([told, 422]);
      expect(failure.publicMessage).to.match(words);
    }
    expect(admissions.length, 'each question was asked anew').to.equal(failures.length);
  });

  it('knows of no inspection of another account', async () => {
    const [one, other] = [await newOwner(home.db), await newOwner(home.db)];
    const { inspectionId } = await service().inspect(one, entry('1A28'));
    for (const id of [inspectionId, randomUUID(), 'x'])
      expect((await refusalOf(service().get(other, id))).code).to.equal('NOT_FOUND');
    await service().inspect(other, entry('1A28'));
    expect(admissions.length, 'each has its own').to.equal(2);
  });

  it('refuses a file of 300 MB before anything is noted', async () => {
    const actor = await newOwner(home.db);
    const refused = await refusalOf(service().inspect(actor, await stored(actor, 300_000_000)));
    expect([refused.code, refused.status]).to.deep.equal(['PAYLOAD_TOO_LARGE', 413]);
    expect(refused.publicMessage).to.include('256 MiB');
    expect([admissions.length, await rowsOf(actor.accountId)]).to.deep.equal([0, 0]);
    await service().inspect(actor, await stored(actor, LARGEST_RECEPTOR_BYTES));
    expect(admissions.length).to.equal(1);
  });

  it('refuses a file that is not there, of another account, or that differs from its reference', async () => {
    const [actor, other] = [await newOwner(home.db), await newOwner(home.db)];
    const foreign = await stored(other);
    expect((await refusalOf(service().inspect(actor, foreign))).code).to.equal('INPUT_NOT_FOUND');
    const wanted = await stored(actor);
    if (wanted.source.kind !== 'artifact') expect.fail();
    const artifact = { ...wanted.source.artifact, sha256: 'f'.repeat(64) };
    const wrong = await refusalOf(service().inspect(actor, { source: { kind: 'artifact', artifact } }));
    expect(wrong.code).to.equal('ARTIFACT_MISMATCH');
    expect(await rowsOf(actor.accountId)).to.equal(0);
  });

  it('is forgotten when its job could not be started, and given up when it never was', async () => {
    const actor = await newOwner(home.db);
    const away = async (): Promise<StartOutcome> => ({ kind: 'unreachable', cause: 'away' });
    expect((await refusalOf(service(away).inspect(actor, entry('1A28')))).code).to.equal(
      'SERVICE_UNAVAILABLE',
    );
    expect(await rowsOf(actor.accountId)).to.equal(0);

    const undecided = async (): Promise<StartOutcome> => ({ kind: 'undecided', cause: 'slow' });
    const lost = await service(undecided).inspect(actor, entry('1A28'));
    expect(lost.status).to.equal('RUNNING');
    await home.db.query(`update inspections set start_by = now() - interval '1 second' where id = $1`, [
      lost.inspectionId,
    ]);
    expect((await refusalOf(service().get(actor, lost.inspectionId))).code).to.equal('SERVICE_UNAVAILABLE');
    const next = await service().inspect(actor, entry('1A28'));
    expect(next.inspectionId).to.not.equal(lost.inspectionId);
  });

  it('leaves nothing when its job is refused after the wait, and whoever still waits is told so', async () => {
    const actor = await newOwner(home.db);
    const held: JobAdmission[] = [];
    const undecided = async ({ admission }: JobStart): Promise<StartOutcome> => {
      held.push(admission);
      return { kind: 'undecided', cause: 'slow' };
    };
    const { inspectionId } = await service(undecided).inspect(actor, entry('1A28'));
    const joined = Promise.withResolvers<null>();
    // The first statement outside the transaction that joins is the look at the inspection that was joined.
    const db = Object.create(home.db) as typeof home.db;
    db.query = (async (text: string, values?: unknown[]) => {
      joined.resolve(null);
      return home.db.query<unknown>(text, values);
    }) as typeof db.query;
    const waiting = refusalOf(
      service(undecided, { inspectionWaitSeconds: 20 }, { db }).inspect(actor, entry('1A28')),
    );
    await joined.promise;
    await home.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [actor.accountId]);
    const decision = await admit(held[0] ?? expect.fail());
    expect(decision).to.include({ kind: 'refused', code: 'ACCOUNT_SUSPENDED' });
    expect(await rowsOf(actor.accountId)).to.equal(0);
    expect((await waiting).code).to.equal('SERVICE_UNAVAILABLE');
    expect((await refusalOf(service().get(actor, inspectionId))).code).to.equal('NOT_FOUND');
    expect(held.length, 'the second question joined the first').to.equal(1);
  });

  it('of an entry is asked for again after a day, of a file after a month, when the sweep has taken it', async () => {
    const actor = await newOwner(home.db);
    const wanted = await stored(actor);
    const ask = (request: InspectReceptorRequest) => service().inspect(actor, request);
    const first = await ask(wanted);
    await end(admissions[0]?.jobId ?? '');
    const entryFirst = await ask(entry('1A28'));
    await end(admissions[1]?.jobId ?? '');
    const older = `update inspections i set (created_at, used_at) = (created_at - $2::interval, used_at - $2::interval) where account_id = $1`;
    const age = (interval: string) => home.db.query(older, [actor.accountId, interval]);
    await age('25 hours');
    expect((await ask(wanted)).inspectionId).to.equal(first.inspectionId);
    const entryNext = await ask(entry('1A28'));
    expect(entryNext.inspectionId).to.not.equal(entryFirst.inspectionId);
    await sweepInspections(home);
    expect(await rowsOf(actor.accountId), 'nothing is old enough').to.equal(3);
    await age('28 days');
    expect((await ask(wanted)).inspectionId, 'asked for again').to.equal(first.inspectionId);
    await age('29 days').then(() => sweepInspections(home));
    expect(await rowsOf(actor.accountId), 'an entry is gone').to.equal(2);
    await age('30 days').then(() => sweepInspections(home)); // The inspection whose job still runs stays.
    expect(await rowsOf(actor.accountId)).to.equal(1);
    const left: string[] = [];
    for (const { jobId } of admissions.slice(0, 2))
      for await (const page of home.store.list(jobPrefix(actor.accountId, jobId)))
        left.push(...page.map(({ key }) => key));
    expect(left).to.deep.equal([]);
    expect((await refusalOf(service().get(actor, first.inspectionId))).code).to.equal('NOT_FOUND');
    expect((await ask(wanted)).status, 'inspected anew').to.equal('RUNNING');
  });
});

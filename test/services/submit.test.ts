/** What a submit does with fields that its job does not use, and with the decision of a workflow that it joined. */
import { expect } from 'chai';

import type { JobStart } from '../../src/adapters/temporal/client.ts';
import type { AdmissionDecision, JobAdmission } from '../../src/contracts/job.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { ArtifactReference, LigandIdentity, SubmitJobRequest } from '../../src/domain/requests.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { createDatabaseCatalogue } from '../../src/services/databases/catalogue.ts';
import { composeJob } from '../../src/services/jobs/compose.ts';
import { REQUEST_ROOT } from '../../src/contracts/names.ts';
import type { ComposeSettings, JobDraft } from '../../src/services/jobs/compose.ts';
import { createSubmit } from '../../src/services/jobs/submit.ts';
import { placeHold } from '../../src/services/ledger/index.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolOffers } from '../../src/services/tools/offers.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { give, newHold } from '../support/ledger.ts';
import { suiteHome } from '../support/home.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';
import type { SubmitJobResponse } from '../../src/domain/answers.ts';

const SETTINGS = {
  ...{
    provider: 'local',
    instanceSlots: 2,
    instanceVcpus: 2,
    instanceMemoryMib: 0,
    instanceDiskMib: 0,
    maxInstancesPerJob: 1,
    taskTimeoutSeconds: 60,
  },
  ...{ admissionWaitSeconds: 20, admitBySeconds: 60, maxHistoryEvents: 8000, commitDelayMs: 50 },
  ...{ computeHeartbeatSeconds: 15, computePickupSeconds: 15, capacityPollSeconds: 10, noRoomSeconds: 60 },
};

const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
const confirmations = createConfirmations('0'.repeat(64));
const quoteTokens = createQuoteTokens('0'.repeat(64));
const NOBODYS: ArtifactReference = {
  ...{ schema: 'svc.docking.artifact/v1', artifactId: 'none', storageKey: 'nobody/has/this' },
  ...{ sha256: 'a'.repeat(64), byteSize: 1, mediaType: 'text/plain', format: 'pdb' },
};
const LIGAND: LigandIdentity = {
  ...{ ligandId: 'a', label: 'a', source: { kind: 'artifact', artifact: NOBODYS } },
  preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
};

describe('a submit that joins another’s', () => {
  const home = suiteHome();

  /** A workflow whose decision comes when `askers` submits have asked; `meanwhile` happens just before the decision. */
  const workflowsOf = (askers: number, meanwhile: () => Promise<unknown>) => {
    let asked = 0;
    let decision: Promise<AdmissionDecision> | null = null;
    const decide = async (start: JobStart): Promise<AdmissionDecision> => {
      await until('all have asked', () => asked === askers);
      await meanwhile();
      return admitJob(home.db, start.admission, 'run');
    };
    return {
      asked: () => asked,
      async startJob(start: JobStart) {
        asked += 1;
        decision ??= decide(start);
        return { kind: 'decided', decision: await decision } as const;
      },
    };
  };
  /** The submit of an API process of its own. */
  const processOf = (workflows: ReturnType<typeof workflowsOf>) => {
    const book = loadPriceBook();
    return createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store), workflows },
      ...{ tools: createToolRegistry({ testTools: TEST_TOOLS }), quotes: createQuotes(book, RATES) },
      offers: createToolOffers(home.db),
      catalogue: createDatabaseCatalogue(home.db),
      ...{
        settings: SETTINGS,
        confirmations,
        quoteTokens,
        log: { warn: () => undefined, info: () => undefined },
      },
    });
  };
  const bodyOf = (taskCount: number) => ({
    body: { jobType: 'simulation', simulator: 'noop', taskCount } as const,
    fingerprint: String(taskCount).padStart(64, '0'),
    idempotencyKey: 'one-key-for-all',
  });
  const answerOf = (
    work: Promise<SubmitJobResponse>,
  ): Promise<SubmitJobResponse | { code: string; message: string }> =>
    work.catch((error: unknown) => error as { code: string; message: string });

  it('gets its refusal when it asks for the same, and never that of another body', async () => {
    const owner = await newAccount(home.db, 100);
    const { accountId } = owner;
    const actor = ownerOf(accountId, owner.userId);
    // The credits are enough for each job when it is checked; before the first decision another job takes them.
    const workflows = workflowsOf(3, () => placeHold(home.db, newHold(accountId, 90)));
    const first = answerOf(processOf(workflows)(actor, bodyOf(40)));
    await until('the first has asked', () => workflows.asked() === 1);
    const [refused, equal, other] = await Promise.all([
      first,
      answerOf(processOf(workflows)(actor, bodyOf(40))),
      answerOf(processOf(workflows)(actor, bodyOf(50))),
    ]);
    expect(refused).to.include({ code: 'INSUFFICIENT_CREDITS' });
    expect(equal).to.include({ code: 'INSUFFICIENT_CREDITS', message: messageOf(refused) });
    expect(other).to.include({ code: 'IDEMPOTENCY_KEY_REUSED' });

    await give(home.db, accountId, 100);
    const accepted = await answerOf(processOf(workflowsOf(1, async () => undefined))(actor, bodyOf(50)));
    expect(accepted, 'a refusal takes no key').to.include({ status: 'SUBMITTED', heldCents: 52 });
  });

  it('is told that it is a replay when an equal one made the job, and the maker is not', async () => {
    const owner = await newAccount(home.db, 100);
    const actor = ownerOf(owner.accountId, owner.userId);
    const workflows = workflowsOf(3, async () => undefined);
    const submits = Array.from({ length: 3 }, () => answerOf(processOf(workflows)(actor, bodyOf(40))));
    const answers = await Promise.all(submits);
    expect(answers.filter((answer) => !('idempotentReplay' in answer))).to.have.length(1);
    const plain = answers.map((answer) => ({ ...answer, idempotentReplay: undefined }));
    for (const answer of plain) expect(answer).to.deep.equal(plain[0]);
  });
});

describe('a composed admission', () => {
  const home = suiteHome();

  it('holds and starts nothing, and a workflow that admits it later makes the job that a submit would make', async () => {
    const owner = await newAccount(home.db, 100);
    const actor = ownerOf(owner.accountId, owner.userId);
    const { compose, draft } = composer(home, 'b1c9d6a0-7a52-4b53-9f0e-3f5b8a1d2c10');
    const admission = await compose(actor, draft(40));
    const rows = (table: string): Promise<unknown[]> =>
      home.db.query(`select 1 from ${table} where account_id = $1`, [owner.accountId]);
    for (const table of ['jobs', 'holds']) expect(await rows(table), table).to.deep.equal([]);

    const decision = await admitJob(home.db, admission, 'run');
    expect(decision).to.deep.include({ kind: 'admitted', response: admission.response });
    expect(admission.response).to.include({ jobId: admission.jobId, status: 'SUBMITTED' });
    expect(admission.response.heldCents, 'the price is composed').to.equal(admission.quote.heldPence);
    for (const table of ['jobs', 'holds']) expect(await rows(table), table).to.have.lengthOf(1);
  });

  it('is refused for credits that are not there, and nothing is stored', async () => {
    const owner = await newAccount(home.db, 100);
    const { compose, draft } = composer(home, 'b1c9d6a0-7a52-4b53-9f0e-3f5b8a1d2c11');
    const poor = { ...draft(40), facts: { ...draft(40).facts, availablePence: 1 } };
    const refused = await compose(ownerOf(owner.accountId, owner.userId), poor).catch(
      (error: unknown) => error,
    );
    expect(refused).to.include({ code: 'INSUFFICIENT_CREDITS' });
    expect(await home.db.query('select 1 from jobs where id = $1', [poor.jobId])).to.deep.equal([]);
  });
});

/** Composes admissions as a workflow does that starts jobs of its own. */
function composer(home: ReturnType<typeof suiteHome>, jobId: string) {
  return {
    compose: (actor: Actor, draft: JobDraft) =>
      composeJob(
        {
          ...{ db: home.db, store: home.store, digests: createDigestReader(home.store), confirmations },
          ...{
            tools: createToolRegistry({ testTools: TEST_TOOLS }),
            quotes: createQuotes(loadPriceBook(), RATES),
          },
          ...{ offers: createToolOffers(home.db), catalogue: createDatabaseCatalogue(home.db) },
          settings: SETTINGS,
        },
        actor,
        draft,
      ),
    draft: (taskCount: number): JobDraft => ({
      ...{ jobId, body: { jobType: 'simulation', simulator: 'noop', taskCount } },
      ...{ fingerprint: '0'.repeat(64), idempotencyKey: null, quoted: null },
      facts: {
        admitBy: new Date(Date.now() + 60_000).toISOString(),
        availablePence: 100,
        owedPence: 0,
      },
    }),
  };
}

describe('a submit', () => {
  const home = suiteHome();

  const refusedWith = async (settings: Partial<ComposeSettings>, vcpus: number): Promise<Error> => {
    const owner = await newAccount(home.db, 100);
    const submit = createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store) },
      ...{
        tools: createToolRegistry({ testTools: TEST_TOOLS }),
        quotes: createQuotes(loadPriceBook(), RATES),
      },
      offers: createToolOffers(home.db),
      catalogue: createDatabaseCatalogue(home.db),
      workflows: { startJob: () => Promise.reject(new Error('no job may be started')) },
      settings: { ...SETTINGS, ...settings },
      ...{ confirmations, quoteTokens, log: { warn: () => undefined, info: () => undefined } },
    });
    const body = {
      // So large a request would be stored as an object.
      ...({ jobType: 'simulation', simulator: 'noop', jobName: 'x'.repeat(1000) } as const),
      metadata: { noop: { vcpus }, note: 'x'.repeat(100_000) },
    };
    const command = { body, fingerprint: 'f'.repeat(64), idempotencyKey: null };
    const refused = await submit(ownerOf(owner.accountId, owner.userId), command).catch(
      (error: unknown) => error,
    );
    for (const table of ['jobs', 'holds'])
      expect(
        await home.db.query(`select 1 from ${table} where account_id = $1`, [owner.accountId]),
        table,
      ).to.deep.equal([]);
    for await (const page of home.store.list(`${REQUEST_ROOT}${owner.accountId}/`))
      expect(page).to.deep.equal([]);
    return refused as Error;
  };

  it('whose task fits on no instance is refused by the field, and nothing is started, held or stored', async () => {
    const refused = await refusedWith({}, 3);
    expect(refused).to.include({ code: 'VALIDATION_ERROR' });
    expect(messageOf(refused)).to.contain('metadata.noop.vcpus: a task would need 3 vCPUs');
  });

  it('of which one instance is more than a limit of capacity is refused, and nothing is started, held or stored', async () => {
    const refused = await refusedWith({ capacityLimits: { totalVcpus: 8, accountVcpus: 1 } }, 1);
    expect(refused).to.include({ code: 'CAPACITY_LIMIT_EXCEEDED' });
    expect(messageOf(refused)).to.equal(
      'One instance of this job has 2 vCPUs, and an account of this plan may have 1 vCPUs at once, so the job would wait for ever.',
    );
  });

  it('of a render looks up, pins, plans and stores nothing of a simulation', async () => {
    const owner = await newAccount(home.db, 100);
    const started: JobAdmission[] = [];
    const render: Tool = { ...noop, about: { ...noop.about, id: 'render', jobType: 'render' } };
    const registry = createToolRegistry({ testTools: TEST_TOOLS });
    const submit = createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store) },
      tools: { ...registry, resolve: () => ({ tool: render, simulator: null }) },
      quotes: createQuotes(loadPriceBook(), RATES),
      offers: createToolOffers(home.db),
      catalogue: createDatabaseCatalogue(home.db),
      workflows: {
        async startJob({ admission }) {
          started.push(admission);
          return { kind: 'decided', decision: await admitJob(home.db, admission, 'run') };
        },
      },
      ...{
        settings: SETTINGS,
        confirmations,
        quoteTokens,
        log: { warn: () => undefined, info: () => undefined },
      },
    });
    const body = {
      jobType: 'render',
      frameStart: 1,
      frameStep: 1,
      simulator: 'vina',
      taskCount: 7,
      simulationParams: { receptorArtifact: NOBODYS, ligandLibrary: [LIGAND, { ...LIGAND, ligandId: 'b' }] },
    } as const satisfies SubmitJobRequest;
    const command = { body, fingerprint: 'f'.repeat(64), idempotencyKey: null };
    const answer = await submit(ownerOf(owner.accountId, owner.userId), command);

    const paths = ['simulator', 'taskCount', 'simulationParams'];
    expect(answer.message).to.contain(`This job does not use ${paths.join(', ')}.`);
    const [admission] = started;
    expect(admission).to.deep.include({
      request: { jobType: 'render', frameStart: 1, frameStep: 1 },
      inputs: [],
      fingerprint: command.fingerprint,
      simulator: null,
    });
    expect(admission?.plan).to.include({ taskCount: 1, unit: 'task' });
    expect(answer.heldCents, 'one task and the start fee').to.equal(3);
    const [job] = await home.db.query<{ warnings: { code: string; message: string }[] }[]>(
      'select warnings from jobs where id = $1',
      [answer.jobId],
    );
    expect(job?.warnings.map(({ message }) => message.split(' ')[0])).to.deep.equal(paths);
  });
});

function messageOf(answer: object): unknown {
  return 'message' in answer ? answer.message : undefined;
}

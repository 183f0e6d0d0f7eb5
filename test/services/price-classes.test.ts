/** Price classes from the offer to the settlement: what is decided at the submit is stored with each task and charged. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { planTasks } from '../../src/services/execution/plan/plan.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { offerFor } from '../../src/services/jobs/offer.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { InputSizes, Tool } from '../../src/tools/tool.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { fileWork } from '../support/file-work.ts';
import { suiteHome } from '../support/home.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const RATES = { current: async () => ({ rateMicro: 790_000 }) };
const deps = {
  ...{ tools, quotes: createQuotes(loadPriceBook(), RATES as never) },
  settings: {
    instanceSlots: 2,
    instanceVcpus: 2,
    instanceMemoryMib: 0,
    instanceDiskMib: 0,
    maxInstancesPerJob: 1,
    taskTimeoutSeconds: 3600,
  },
};

describe('price classes of tasks', () => {
  const home = suiteHome();
  const offerOf = (
    request: SubmitJobRequest,
    tool: Tool = noop,
    pinned: Parameters<typeof offerFor>[2] = new Map(),
  ) =>
    offerFor(deps, { tool, simulator: 'noop', request, unused: [], warnings: [] }, pinned, {
      accountPlan: null,
    });

  it('are stored with the tasks, and each verified task is charged what its class costs', async () => {
    const owner = await newAccount(home.db, 100);
    const request = {
      ...({ jobType: 'simulation', simulator: 'noop', taskCount: 5 } as const),
      metadata: { noop: { pence: [1, 1, 7] } },
    };
    const { plan, quote: offer } = await offerOf(request);
    expect(plan.classes).to.deep.equal({ names: ['1', '7'], runs: [0, 2, 1, 1, 0, 2] });
    expect(offer.heldPence).to.equal(13);
    const admission = admissionOf(owner, { request, plan, quote: offer, inputs: [] });
    const { jobId } = admission;
    await admitJob(home.db, admission, randomUUID());
    const structures = { fetch: () => Promise.reject(new Error('no structure is named')) };
    const planned = {
      db: home.db,
      store: home.store,
      tools,
      recorders: RECORDERS,
      structures,
      ...fileWork(home.db, home.store),
    };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await planTasks(planned, { jobId, execution: 1, plan: JSON.parse(JSON.stringify(plan)) });
    const stored = await home.db.query<{ price_class: string }[]>(
      'select price_class from tasks where job_id = $1 order by ordinal',
      [jobId],
    );
    expect(stored.map(({ price_class }) => price_class)).to.deep.equal(['1', '1', '7', '1', '1']);
    for (const [index, to] of (['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING'] as const).entries())
      await recordState(home.db, { jobId, transition: index + 1, to, reason: null });
    await home.db.query(
      `update tasks set state = case when ordinal in (1, 2) then 'SUCCEEDED' else 'FAILED' end where job_id = $1`,
      [jobId],
    );
    const ending = { jobId, execution: 1, transition: 9, to: 'PARTIALLY_SUCCEEDED' as const };
    const settled = await settleJob(home.db, { ...ending, reason: null, pauseReason: null });
    expect(settled).to.include({ chargedPence: 1 + 7 + 2, releasedPence: 3, verified: 2 });
    expect(await settleJob(home.db, { ...ending, reason: null, pauseReason: null })).to.deep.equal(settled);
    expect(await verifyLedger(home.db)).to.deep.equal([]);
  });

  it('are left out of the plan of a job whose tasks all have one price', async () => {
    const { plan } = await offerOf({ jobType: 'simulation', simulator: 'noop', taskCount: 3 });
    expect(plan).to.not.have.property('classes');
  });

  it('follow the bytes of the inputs at a submit; at an estimate the sent size, or what the tool states', async () => {
    const seen: InputSizes[] = [];
    const sized = (defaultInputBytes: number | null): Tool => ({
      ...noop,
      planning: {
        ...noop.planning,
        defaultInputBytes,
        price: (request, plan, book, inputs) => {
          seen.push(inputs);
          return noop.planning.price(request, plan, book, inputs);
        },
      },
    });
    const request = { jobType: 'simulation', simulator: 'noop', metadata: { totalSizeGB: 2 } } as const;
    const file = { ...request, sceneFile: 'accounts/x/uploads/1/a' };
    await offerOf(file, sized(7), new Map([['accounts/x/uploads/1/a', { byteSize: 30 }]]));
    await offerOf(request, sized(7), null);
    await offerOf({ ...request, metadata: {} }, sized(7), null);
    await offerOf({ ...request, metadata: { totalSizeGB: 1e300 } }, sized(7), null);
    await offerOf(request, sized(null), null);
    expect(seen).to.deep.equal([
      { bytes: new Map([['0-a', 30]]), totalBytes: 30 },
      { bytes: null, totalBytes: 2e9 },
      { bytes: null, totalBytes: 7 },
      { bytes: null, totalBytes: 1e15 },
      { bytes: new Map(), totalBytes: 0 },
    ]);
  });

  it('that are not those of the price are a fault of the tool, and no offer', async () => {
    const wrong = { ...noop, planning: { ...noop.planning, classes: () => ['1', '5', '5'] } };
    const asked = { jobType: 'simulation', simulator: 'noop', taskCount: 3 } as const;
    const failed = await offerOf({ ...asked, metadata: { noop: { pence: [1, 5] } } }, wrong).catch(
      (error: unknown) => error,
    );
    expect(String(failed)).to.contain('not those of the price');
  });
});

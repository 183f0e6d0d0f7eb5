// Which tools customers are offered: what providers said in the last ten minutes decides, at estimate as at submit.
import { expect } from 'chai';

import type { ToolReport } from '../../src/domain/availability.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createDatabaseCatalogue } from '../../src/services/databases/catalogue.ts';
import { createEstimate } from '../../src/services/jobs/estimate.ts';
import { createSubmit } from '../../src/services/jobs/submit.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { createToolOffers, recordTools } from '../../src/services/tools/offers.ts';
import { listSimulators } from '../../src/services/tools/simulators.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { newOwner } from '../support/actors.ts';
import { suiteHome } from '../support/home.ts';
import { refusalOf } from '../support/refusals.ts';

const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
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

const PACK = {
  ...{ name: 'toy', version: '1.0', title: 'Toy', programs: ['toy'], libraries: [], way: null },
  ...{ licence: { name: 'MIT', url: 'https://example.org' }, pythonLock: null },
  prove: () => Promise.resolve({ version: '1.0' }),
} as const;
const BODY = { jobType: 'simulation', simulator: 'pk', taskCount: 1 } as const;
const packed: Tool = {
  ...noop,
  about: { ...noop.about, id: 'packed', aliases: ['pk'], audience: 'customers' },
  pack: PACK,
};
const HERE: ToolReport = {
  ...{
    toolId: 'packed',
    variant: null,
    available: true,
    reason: null,
    version: '1.0',
    digest: 'a'.repeat(64),
  },
};
const AWAY: ToolReport = {
  ...{
    toolId: 'packed',
    variant: null,
    available: false,
    reason: 'PACK_NOT_INSTALLED',
    version: null,
    digest: null,
  },
};

describe('a tool with a pack', () => {
  const home = suiteHome();
  const registry = createToolRegistry({ testTools: '', tools: [noop, packed] });
  const report = (name: 'local' | 'inprocess', ...tools: ToolReport[]) =>
    recordTools(home.db, { name, tools: () => Promise.resolve(tools) });
  const age = (minutes: number) =>
    home.db.query(`update tool_offers set seen_at = seen_at - make_interval(mins => $1)`, [minutes]);
  /** As a process that has asked nothing yet. */
  const offers = () => createToolOffers(home.db);
  const isOffered = async () => (await offers().of(packed)).available;
  beforeEach(() => home.db.query('delete from tool_offers'));

  it('is not offered before a provider has it', async () => {
    expect(await offers().of(packed)).to.include({ available: false, reason: 'MACHINES_NOT_READY' });
    const early = await refusalOf(offers().require(packed, BODY));
    expect(Reflect.get(Object(early), 'publicMessage')).to.match(
      /just started.*MACHINES_NOT_READY.*again in a minute/,
    );
    await report('local', AWAY);
    expect(await offers().of(packed)).to.include({ available: false, reason: 'PACK_NOT_INSTALLED' });
    expect(await isOffered()).to.equal(false);
    await report('local', HERE);
    expect(await offers().of(packed)).to.include({ available: true, reason: null, version: '1.0' });
  });

  it('is offered while one of two providers has it', async () => {
    await report('local', HERE);
    await report('inprocess', AWAY);
    expect(await isOffered()).to.equal(true);
    await report('local', AWAY);
    expect(await isOffered()).to.equal(false);
  });

  it('is refused with what is missing besides a pack, also when it has none', async () => {
    const bare: Tool = { ...packed, pack: null, lacks: () => Promise.resolve('GPU_REQUIRED') };
    await report('local', { ...AWAY, reason: 'GPU_REQUIRED' });
    expect(await offers().of(bare)).to.include({ available: false, reason: 'GPU_REQUIRED' });
    const error = await refusalOf(offers().require(bare, BODY));
    expect(error).to.include({ code: 'UNSUPPORTED_SIMULATOR' });
    expect(Reflect.get(Object(error), 'publicMessage')).to.match(/it needs a GPU.*GPU_REQUIRED/);
    await report('local', HERE);
    expect(await refusalOf(offers().require(bare, BODY))).to.equal(null);
  });

  it('is offered by variant: a request gets the one that it names, or reads which there are', async () => {
    const variant = { field: 'parameters.physics', of: () => asked };
    const varied: Tool = { ...packed, request: { ...packed.request, variant } };
    let asked: string | null = 'st4';
    const build = (name: string): ToolReport => ({ ...HERE, variant: name, version: `2.0 ${name}` });
    const refusal = async () =>
      Reflect.get(Object(await refusalOf(offers().require(varied, BODY))), 'publicMessage') as unknown;
    await report('local', AWAY);
    expect(await refusal()).to.match(/cannot be run here now: its programs are not installed/);
    await report('local', build('st6'), build('propagation'));
    expect(await refusal()).to.match(/in the variant st4 .*parameters\.physics may name: propagation, st6\./);
    asked = null;
    expect(await refusal()).to.match(/without a variant .*may name: propagation, st6\./);
    asked = 'st6';
    expect(await refusal()).to.equal(undefined);
    expect(await offers().of(varied)).to.deep.include({
      ...{ available: true, version: null, reason: null },
      variants: [build('propagation'), build('st6')].map(({ variant: name, version, digest }) => ({
        ...{ name, version, digest },
      })),
    });
    await report('local', build('propagation'), HERE);
    expect(await refusal(), 'a variant that was taken away').to.match(/in the variant st6/);
    asked = null;
    expect(await refusal()).to.equal(undefined);
  });

  it('stays offered while its provider is away for less than ten minutes', async () => {
    await report('local', HERE);
    const away = { name: 'local', tools: () => Promise.reject(new Error('away')) } as const;
    await recordTools(home.db, away).catch(() => undefined);
    await age(9);
    expect(await isOffered()).to.equal(true);
    await age(2);
    expect(await isOffered()).to.equal(false);
  });

  it('is seen by a running process within seconds of its install', async function () {
    this.timeout(120_000);
    await report('local', AWAY);
    const running = offers();
    expect((await running.of(packed)).available).to.equal(false);
    await report('local', HERE);
    const startedAt = performance.now();
    while (!(await running.of(packed)).available) {
      expect(performance.now() - startedAt).to.be.lessThan(15_000);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  it('that cannot be run is refused in words, at estimate as at submit, and without a pack never', async () => {
    await report('local', AWAY);
    const common = {
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store), tools: registry },
      quotes: createQuotes(loadPriceBook(), RATES),
      confirmations: { check: () => Promise.resolve() },
      quoteTokens: createQuoteTokens('0'.repeat(64)),
      log: { warn: () => undefined, info: () => undefined },
      settings: SETTINGS,
      workflows: { startJob: () => Promise.reject(new Error('No job may be started.')) },
      offers: offers(),
      catalogue: createDatabaseCatalogue(home.db),
    };
    const { estimate, submit } = { estimate: createEstimate(common), submit: createSubmit(common) };
    const owner = await newOwner(home.db);
    for (const ask of [
      () => estimate(owner, BODY),
      () => submit(owner, { body: BODY, fingerprint: '0'.repeat(64), idempotencyKey: null }),
    ]) {
      const error = await ask().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof AppError)) throw new Error(String(error));
      expect(error.code).to.equal('UNSUPPORTED_SIMULATOR');
      expect(error.publicMessage).to.match(/packed.*programs are not installed.*PACK_NOT_INSTALLED/);
    }
    expect(await offers().of(noop)).to.include({ available: true });
    expect((await offers().require(noop, BODY), true)).to.equal(true);
  });

  it('stands in the list of simulators with its reason, version, unit, price model and fields', async () => {
    await report('local', AWAY);
    const before = await listSimulators(registry, offers());
    expect(before.simulators.map(({ id }) => id)).to.deep.equal(['packed']);
    expect(before.simulators[0]).to.include({
      available: false,
      reason: 'PACK_NOT_INSTALLED',
      version: null,
    });
    await report('local', HERE);
    const { simulators } = await listSimulators(registry, offers());
    expect(simulators[0]).to.deep.include({ aliases: ['pk'], available: true, version: '1.0', unit: 'task' });
    expect(simulators[0]).to.include({ priceModel: 'fixed', jobType: 'simulation', packDigest: HERE.digest });
  });
});

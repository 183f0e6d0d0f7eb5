/**
 * Exchange rates: one activity fetches them over HTTP into PostgreSQL, and whoever prices reads there. The sources of these
 * tests are servers on the loopback.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { Registry } from 'prom-client';

import { createRateActivities } from '../../activities/rates.ts';
import { AuditEntryEntity } from '../../entities/audit.ts';
import { StoredFxRateEntity } from '../../entities/rates.ts';
import { createHttpRates } from '../../src/adapters/rates/http-source.ts';
import { registerRateMetrics } from '../../src/bin/process/rate-metrics.ts';
import { createDatabase } from '../../src/adapters/database.ts';
import { oneClass } from '../../src/domain/pricing.ts';
import type { TaskPricing } from '../../src/domain/pricing.ts';
import { operator } from '../../src/services/audit/index.ts';
import {
  acceptRate,
  createStoredRates,
  listRates,
  rateOfBook,
  recordRate,
} from '../../src/services/prices/fx-rates.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const BOOK = loadPriceBook();
const BOOK_RATE = rateOfBook(BOOK);
const DAY_MS = 86_400_000;
const PRICE: TaskPricing = {
  ...{ model: 'fixed', currency: 'USD', startFeeMicro: 0, softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
  ...{ licenceNames: [], classes: oneClass(1, 1_000_000) },
};
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const ecb = (day: string, usd: string, gbp: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns="x"><Cube><Cube time='${day}'>
   <Cube currency='USD' rate='${usd}'/><Cube currency='JPY' rate='176.1'/><Cube currency='GBP' rate='${gbp}'/></Cube></Cube></gesmes:Envelope>`;

describe('exchange rates', () => {
  let test: TestDatabase;
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const said: string[] = [];
  before(async () => {
    test = await openTestDatabase();
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/daily`;
  });
  beforeEach(async () => {
    said.length = 0;
    await test.tamper('truncate fx_rates');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await test.close();
  });

  const answers = (body: string, status = 200): void => {
    answer = (_request, response) => response.writeHead(status).end(body);
  };
  const fetchRate = (limitMs = 5000): Promise<void> => {
    const silent = (): void => undefined;
    const error = (message: string): void => void said.push(message);
    const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error };
    const rateSource = createHttpRates({ url, limitMs });
    const activities = createRateActivities({ db: test.db, rateSource, bookRate: BOOK_RATE });
    return new MockActivityEnvironment({}, { logger }).run(() => activities.fetchFxRate());
  };
  const current = () => createStoredRates(test.db, BOOK_RATE).current();
  const states = async () => (await listRates(test.db)).map(({ state, rateMicro }) => [state, rateMicro]);

  it('are read from the XML of the European Central Bank and from { rate }, with source and date', async () => {
    const { host } = new URL(url);
    answers(ecb(dayAgo(1), '1.1000', '0.8800'));
    await fetchRate();
    expect(await current()).to.deep.equal({ rateMicro: 800_000, source: host, date: dayAgo(1) });
    answers(JSON.stringify({ rate: 0.81, date: dayAgo(2) }));
    await fetchRate();
    expect(await current()).to.deep.equal({ rateMicro: 810_000, source: host, date: dayAgo(2) });
    answers('{"rate":0.82}');
    await fetchRate();
    await fetchRate();
    expect(await current()).to.deep.equal({ rateMicro: 820_000, source: host, date: dayAgo(0) });
    expect(await states()).to.deep.equal([820_000, 810_000, 800_000].map((rate) => ['ACCEPTED', rate]));
  });

  it('that are no rates are stored nowhere', async () => {
    const bodies = [
      '',
      'free',
      '{"rate":"0.8"}',
      '{"rate":-1}',
      '{"rate":1e9}',
      '{"rate":0.8,"date":"soon"}',
    ];
    const days = [`{"rate":0.8,"date":"${dayAgo(-3)}"}`, '{"rate":0.8,"date":"2026-02-31x"}'];
    const xml = ['<html></html>', ecb(dayAgo(0), '0', '0.88'), ecb('', '1.1', '0.88'), 'x'.repeat(300_000)];
    for (const body of [...bodies, ...days, ...xml]) {
      answers(body);
      expect(await fetchRate().catch((error: unknown) => error), body.slice(0, 60)).to.be.instanceOf(Error);
    }
    answers('{"rate":0.8}', 503);
    expect(await fetchRate().catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await states()).to.deep.equal([]);
    expect(await current()).to.deep.equal(BOOK_RATE);
  });

  it('are quoted at once while the source hangs', async () => {
    let asked = 0;
    answer = () => void (asked += 1);
    const hanging = fetchRate(1_000).catch((error: unknown) => error);
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
    const offer = await createQuotes(BOOK, createStoredRates(test.db, BOOK_RATE)).offer(() => PRICE, 1);
    expect(offer).to.include({ fxRateMicro: BOOK_RATE.rateMicro, fxDate: BOOK_RATE.date });
    let isOver = false;
    void hanging.then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).to.equal(false);
    expect(await hanging).to.be.instanceOf(Error);
    expect(await states()).to.deep.equal([]);
  });

  it('that jump by more than 5 percent, as an inverted one does, wait for an operator', async () => {
    answers('{"rate":0.79}');
    await fetchRate();
    answers('{"rate":1.27}');
    await fetchRate();
    await fetchRate();
    expect((await current()).rateMicro).to.equal(790_000);
    expect(await states()).to.deep.equal([
      ['PENDING', 1_270_000],
      ['ACCEPTED', 790_000],
    ]);
    expect(said).to.have.length(2);
    const [waiting] = await listRates(test.db);
    await acceptRate(test.db, waiting?.id ?? 0, operator('ada'));
    await acceptRate(test.db, waiting?.id ?? 0, operator('ada'));
    expect((await current()).rateMicro).to.equal(1_270_000);
    const audits = await test.db.getRepository(AuditEntryEntity).findBy({ action: 'fx-rate.accepted' });
    expect(audits.map(({ authorId, after }) => [authorId, after])).to.deep.equal([
      ['ada', { rateMicro: 1_270_000, source: new URL(url).host, date: dayAgo(0) }],
    ]);
  });

  it('that wait give way to a later rate, and cannot be accepted then; 5 percent is no jump', async () => {
    await recordRate(test.db, { rateMicro: 800_000, source: 's', date: dayAgo(3) }, BOOK_RATE);
    const jumped = await recordRate(test.db, { rateMicro: 840_001, source: 's', date: dayAgo(2) }, BOOK_RATE);
    expect(jumped).to.include({ state: 'PENDING', acceptedAt: null });
    await recordRate(test.db, { rateMicro: 840_000, source: 's', date: dayAgo(1) }, BOOK_RATE);
    expect((await current()).rateMicro).to.equal(840_000);
    const refused = await acceptRate(test.db, jumped.id, operator(null)).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'NOT_FOUND' });
    expect(await test.db.getRepository(StoredFxRateEntity).countBy({ state: 'SUPERSEDED' })).to.equal(1);
  });

  describe('that creep', () => {
    let fetches = 0;
    const store = (rateMicro: number) =>
      recordRate(test.db, { rateMicro, source: `s${String((fetches += 1))}`, date: dayAgo(1) }, BOOK_RATE);
    /** Lets a rate grow at each fetch until one waits or there were 20. @returns how many were accepted. */
    const creep = async (from: number, part: number, hours: number): Promise<number> => {
      let rate = from;
      for (let taken = 0; taken < 20; taken += 1) {
        await test.tamper(`update fx_rates set accepted_at = accepted_at - make_interval(hours => ${hours})`);
        rate = Math.round(rate * part);
        if ((await store(rate)).state === 'PENDING') return taken;
      }
      return 20;
    };

    it('by 4.9 percent an hour are stopped at the second step, however old the first rate is', async () => {
      await store(790_000);
      expect(await creep(790_000, 1.049, 1)).to.equal(1);
      await test.tamper(`truncate fx_rates`);
      await store(790_000);
      await test.tamper(`update fx_rates set accepted_at = now() - interval '30 days'`);
      expect(await creep(790_000, 1.049, 1)).to.equal(1);
    });

    it('by 0.8 percent a day are stopped in a week, and by what a market may do are not', async () => {
      await store(790_000);
      expect(await creep(790_000, 1.008, 24)).to.equal(6);
      await test.tamper(`truncate fx_rates`);
      await store(790_000);
      expect(await creep(790_000, 1.006, 24)).to.equal(20);
    });

    it('go on from what an operator has accepted, and no further than 5 percent from there', async () => {
      await store(790_000);
      const { id } = await store(900_000);
      await acceptRate(test.db, id, operator('ada'));
      expect((await store(920_000)).state).to.equal('ACCEPTED');
      expect((await store(945_001)).state).to.equal('PENDING');
    });
  });

  it('are the same in two processes, and after a restart while the source is away', async () => {
    answers('{"rate":0.77}');
    await fetchRate();
    answers('', 500);
    await fetchRate().catch(() => undefined);
    const other = await createDatabase(test.url, { poolSize: 1 });
    try {
      const offers = await Promise.all(
        [test.db, other].map((db) =>
          createQuotes(BOOK, createStoredRates(db, BOOK_RATE)).offer(() => PRICE, 1),
        ),
      );
      const named = { fxRateMicro: 770_000, fxSource: new URL(url).host, fxDate: dayAgo(0), heldPence: 77 };
      for (const offer of offers) expect(offer).to.include(named);
    } finally {
      await other.destroy();
    }
  });

  it('that are more than five days old raise an alarm in the log and in the metrics, also while the source is away', async () => {
    const registry = new Registry();
    registerRateMetrics(registry, test.db, BOOK_RATE);
    await recordRate(test.db, { rateMicro: 790_000, source: 's', date: dayAgo(5) }, BOOK_RATE);
    answers('', 500);
    await fetchRate().catch(() => undefined);
    expect(said).to.deep.equal([]);
    await test.tamper('update fx_rates set rate_date = rate_date - 1');
    await fetchRate().catch(() => undefined);
    expect(said).to.deep.equal(['the exchange rate is old']);
    await recordRate(test.db, { rateMicro: 1_270_000, source: 's', date: dayAgo(0) }, BOOK_RATE);
    const text = await registry.metrics();
    expect(text)
      .to.match(/^dockyard_fx_rate_age_days 6$/m)
      .and.to.match(/^dockyard_fx_rates_waiting 1$/m);
  });
});

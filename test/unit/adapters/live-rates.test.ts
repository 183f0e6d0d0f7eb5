import { expect } from 'chai';

import { createLiveRates } from '../../../src/adapters/rates/live-rates.ts';

describe('live exchange rate', () => {
  const source = (answers: (number | string | Error)[]) => {
    let now = 0;
    let calls = 0;
    const rates = createLiveRates({
      url: 'http://rates.example',
      fallback: { rateMicro: 790_000, date: '2026-11-01' },
      log: { warn: () => undefined },
      clock: () => now,
      fetch: async () => {
        const answer = answers[Math.min(calls, answers.length - 1)];
        calls += 1;
        if (answer instanceof Error) throw answer;
        return new Response(JSON.stringify({ rate: answer }));
      },
    });
    return { rates, calls: () => calls, advance: (seconds: number) => void (now += seconds * 1000) };
  };

  it('is asked once an hour, however many ask at once', async () => {
    const { rates, calls, advance } = source([0.75, 0.76]);
    const first = await Promise.all([rates.current(), rates.current(), rates.current()]);
    expect(first.map((rate) => rate.rateMicro)).to.deep.equal([750_000, 750_000, 750_000]);
    advance(3_599);
    expect(await rates.current()).to.deep.equal({ rateMicro: 750_000, origin: 'live', ageSeconds: 3_599 });
    expect(calls()).to.equal(1);
    advance(2);
    expect(await rates.current()).to.include({ rateMicro: 760_000, origin: 'live' });
  });

  it('keeps the last good value with its age while the source fails, and asks again after a minute', async () => {
    const { rates, calls, advance } = source([0.75, new Error('away'), 0.8]);
    await rates.current();
    advance(3_700);
    expect(await rates.current()).to.deep.equal({ rateMicro: 750_000, origin: 'stale', ageSeconds: 3_700 });
    await rates.current();
    expect(calls()).to.equal(2);
    advance(61);
    expect(await rates.current()).to.include({ rateMicro: 800_000, origin: 'live' });
  });

  it('falls back to the dated rate of the price book, also when the source answers nonsense', async () => {
    for (const nonsense of [new Error('away'), 'free', -1, 0, 1e9]) {
      expect(await source([nonsense]).rates.current()).to.include({ rateMicro: 790_000, origin: 'book' });
    }
    const none = createLiveRates({
      url: '',
      fallback: { rateMicro: 790_000, date: '2026-11-01' },
      log: { warn: () => undefined },
    });
    expect(await none.current()).to.include({ rateMicro: 790_000, origin: 'book' });
  });
});

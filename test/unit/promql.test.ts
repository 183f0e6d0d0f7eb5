/** The evaluator of alerts says what Prometheus says; the expected values are those of its documentation and of its own tests. */
import { expect } from 'chai';

import { evaluate } from '../support/promql/evaluate.ts';
import { parseExposition, Scrapes } from '../support/promql/scrapes.ts';

/** Two targets at three times, a minute apart. */
function scraped(): Scrapes {
  const scrapes = new Scrapes();
  for (const [index, at] of [0, 60, 120].entries()) {
    for (const instance of ['one', 'two'])
      scrapes.add(
        { instance },
        at,
        [
          '# TYPE jobs gauge',
          `jobs{state="RUNNING"} ${String(3 + index)}`,
          `jobs{state="PAUSED",reason="A \\"b\\""} 1`,
          `calls_total{status="500",operation="submit"} ${String(index * 30)}`,
          `calls_total{status="200",operation="submit"} ${String(index * 600)}`,
          `restarted_total ${String([100, 10, 20][index])}`,
          'boots_bucket{le="1"} 50',
          'boots_bucket{le="10"} 90',
          'boots_bucket{le="+Inf"} 100',
          'limit 4',
          '',
        ].join('\n'),
      );
  }
  return scrapes;
}

const at = (expression: string, time = 120): unknown => evaluate(expression, scraped(), time);

describe('expressions of alerts', () => {
  it('select series by their labels, as the newest scrape of each target has them', () => {
    expect(at('max(jobs{state="RUNNING"})')).to.deep.equal([{ labels: {}, value: 5 }]);
    expect(at('max(jobs{state="RUNNING"})', 61)).to.deep.equal([{ labels: {}, value: 4 }]);
    expect(at('count(jobs{state=~"RUN.*|X"}) by (instance)')).to.deep.equal([
      { labels: { instance: 'one' }, value: 1 },
      { labels: { instance: 'two' }, value: 1 },
    ]);
    expect(at('count(jobs{state!="RUNNING"})')).to.deep.equal([{ labels: {}, value: 2 }]);
    expect(at('count(jobs{state!~"RUN"})')).to.deep.equal([{ labels: {}, value: 4 }]);
    expect(at('jobs', 120 + 300), 'a target that is away for five minutes is gone').to.deep.equal([]);
  });

  it('rate counters over a window, also over a restart', () => {
    // From the first to the last point there are 60; the window of three minutes begins where the counter was zero.
    expect(at('sum(increase(calls_total{status="500",instance="one"}[3m]))')).to.deep.equal([
      { labels: {}, value: 60 },
    ]);
    expect(at('sum(rate(calls_total{status=~"5.."}[2m])) by (operation)')).to.deep.equal([
      { labels: { operation: 'submit' }, value: 1 },
    ]);
    // 100, 10, 20: the counter began anew and came to 20, which half a distance before the first point makes 25.
    expect(at('sum(increase(restarted_total{instance="one"}[5m]))')).to.deep.equal([
      { labels: {}, value: 25 },
    ]);
    expect(at('increase(calls_total[1m])'), 'one point is no increase').to.deep.equal([]);
  });

  it('compare, combine and aggregate', () => {
    expect(at('sum(max(jobs) by (state)) > 5')).to.deep.equal([{ labels: {}, value: 6 }]);
    expect(at('sum(max(jobs) by (state)) > 6')).to.deep.equal([]);
    expect(at('max(jobs) - max(limit) > 0.2 * max(limit)')).to.deep.equal([{ labels: {}, value: 1 }]);
    expect(at('(max(limit) + 2) / 3 == 2')).to.deep.equal([{ labels: {}, value: 2 }]);
    expect(at('max(jobs) > 9 or max(limit) > 3')).to.deep.equal([{ labels: {}, value: 4 }]);
    expect(at('max(jobs) and max(missing)')).to.deep.equal([]);
    expect(at('min(jobs) unless max(missing)')).to.deep.equal([{ labels: {}, value: 1 }]);
  });

  it('take quantiles of histograms', () => {
    expect(at('histogram_quantile(0.7, sum(boots_bucket) by (le))')).to.deep.equal([
      { labels: {}, value: 5.5 },
    ]);
    expect(at('histogram_quantile(0.99, sum(boots_bucket) by (le))')).to.deep.equal([
      { labels: {}, value: 10 },
    ]);
    expect(at('histogram_quantile(0.9, sum(rate(boots_bucket[2m])) by (le)) > 1')).to.deep.equal([]);
  });

  it('are refused where they are anything else', () => {
    for (const expression of [
      ...['avg(jobs)', 'sum(jobs) without (state)', 'jobs offset 5m', 'jobs and on(state) limit', '-jobs'],
      ...[
        'sum(delta(jobs[5m]))',
        'topk(1, jobs)',
        'max(jobs) > bool 1',
        'jobs @ 0',
        '1 > 2',
        'max(jobs) ^ 2',
      ],
      ...['jobs{state="\\\\d"}', 'max_over_time(jobs[5m:1m])', 'max(jobs) >', '{state="RUNNING"}'],
    ])
      expect(() => at(expression), expression).to.throw();
    expect(() => at('1')).to.throw('a number');
  });

  it('read what Prometheus could read, and nothing else', () => {
    expect(parseExposition('a{b="x,\\"y\\"",c="z"} +Inf\nd NaN 1700000000000\n')).to.deep.equal([
      { name: 'a', labels: { b: 'x,"y"', c: 'z' }, value: Infinity },
      { name: 'd', labels: {}, value: NaN },
    ]);
    for (const text of ['a{b=x} 1', 'a one', 'a{b="x" c="y"} 1'])
      expect(() => parseExposition(text), text).to.throw('no ');
  });
});

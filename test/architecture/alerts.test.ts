/** Alerts, metrics and the runbook name each other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot } from '../../src/stack/tools.ts';
import { alertRules } from '../support/promql/alerts.ts';
import { isMetric, namesIn, ownMetrics } from '../support/promql/names.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('alerts', () => {
  const rules = alertRules();
  const metrics = ownMetrics();

  it('are expressions that Prometheus can read, over metrics that there are', () => {
    expect(rules.length).to.be.greaterThan(10);
    for (const { alert, expr } of rules) {
      const names = namesIn(expr);
      expect(names, alert).to.not.deep.equal([]);
      for (const name of names) expect(isMetric(name, metrics), `${alert} asks for ${name}`).to.equal(true);
    }
    expect(() => namesIn('max(dockyard_jobs{state=}) >')).to.throw(/wrong at/);
  });

  it('have a severity, a summary, and a paragraph in the runbook, and no paragraph is left over', () => {
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations.summary, alert).to.match(/\.$/);
    }
    const paragraphs = read('docs/runbook.md').split(/^## /m).slice(1);
    expect(paragraphs.map((text) => text.split('\n')[0])).to.deep.equal(rules.map(({ alert }) => alert));
    for (const text of paragraphs)
      expect(text).to.include('**Means**').and.to.include('**Look**').and.to.include('**Do**');
  });

  it('and documents name no metric that there is not, and every metric is told', () => {
    const operations = read('docs/operations.md');
    const untold = [...metrics].filter((name) => !operations.includes(`\`${name}\``));
    expect(untold).to.deep.equal([]);
    const named = [...`${operations}${read('docs/runbook.md')}`.matchAll(/\b(dockyard_[a-z_]+[a-z])\b/g)];
    const unknown = named
      .map(([, name = '']) => name.replace(/_(count|sum|bucket)$/, ''))
      .filter((name) => !metrics.has(name));
    expect([...new Set(unknown)]).to.deep.equal([]);
  });
});

/** Alerts, metrics and the runbook name each other. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse } from 'yaml';

import { projectRoot } from '../../src/stack/tools.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
/** Of Node and of the process, which the library of metrics has by itself. */
const OF_LIBRARY = /^(nodejs|process)_/;

function namesIn(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      expect(node.type.isError, `${expression}: wrong at ${String(node.from)}`).to.equal(false);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector')
        names.push(expression.slice(node.from, node.to));
    },
  });
  return names;
}

describe('alerts', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
    groups: { name: string; rules: Rule[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const sources = globSync('src/**/*.ts', { cwd: projectRoot }).map(read);
  /** The names that metrics are made with: the first word of a call or of a row, or a field `name`. */
  const metrics = new Set(
    sources
      .filter((text) => text.includes("from 'prom-client'"))
      .flatMap((text) => [...text.matchAll(/(?:name: |of\(|\[\s*)'(dockyard_[a-z_]+)'/g)])
      .map(([, name = '']) => name),
  );

  it('are expressions that Prometheus can read, over metrics that there are', () => {
    expect(rules.length).to.be.greaterThan(10);
    for (const { alert, expr } of rules) {
      const names = namesIn(expr);
      expect(names, alert).to.not.deep.equal([]);
      for (const name of names) {
        const base = name.replace(/_(count|sum|bucket)$/, '');
        if (!OF_LIBRARY.test(name)) expect(metrics.has(base), `${alert} asks for ${name}`).to.equal(true);
      }
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

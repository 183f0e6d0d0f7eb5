/** The metrics that expressions ask for, and those that the processes have. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parser } from '@prometheus-io/lezer-promql';

import { SDK_METRICS } from '../../../src/bin/process/temporal-metrics.ts';
import { projectRoot } from '../../../src/stack/tools.ts';

/** Of Node and of the process, which the library of metrics has by itself, and what Prometheus says of its own reading. */
const OF_LIBRARY = /^(nodejs|process)_|^up$/;

/** The names of the metrics in an expression. @throws where the expression is no PromQL. */
export function namesIn(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`${expression}: wrong at ${String(node.from)}`);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector')
        names.push(expression.slice(node.from, node.to));
    },
  });
  return names;
}

/** The names that metrics of ours are made with: the first word of a call or of a row, or a field `name`. */
export function ownMetrics(): ReadonlySet<string> {
  const sources = globSync('src/**/*.ts', { cwd: projectRoot }).map((path) =>
    readFileSync(join(projectRoot, path), 'utf8'),
  );
  return new Set(
    sources
      .filter((text) => text.includes("from 'prom-client'"))
      .flatMap((text) => [...text.matchAll(/(?:name: |of\(|\[\s*)'(dockyard_[a-z_]+)'/g)])
      .map(([, name = '']) => name),
  );
}

/** Whether a process answers a metric of this name: one of ours, of the library, or of Temporal's SDK. */
export function isMetric(name: string, own: ReadonlySet<string>): boolean {
  const base = name.replace(/_(count|sum|bucket)$/, '');
  return own.has(base) || OF_LIBRARY.test(name) || SDK_METRICS.includes(base);
}

/** The alerts of `deploy/prometheus/alerts.yml`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { projectRoot } from '../../../src/stack/tools.ts';

/** One alert. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

/** All alerts in the order of the file. */
export function alertRules(): readonly AlertRule[] {
  const text = readFileSync(join(projectRoot, 'deploy/prometheus/alerts.yml'), 'utf8');
  const { groups } = parse(text) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

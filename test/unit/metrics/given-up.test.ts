import { expect } from 'chai';
import { Registry } from 'prom-client';

import { createGivenUpMetrics } from '../../../src/metrics/given-up.ts';

describe('metrics of tasks that are given up', () => {
  it('count by cause, and show every cause before the first of it', async () => {
    const registry = new Registry();
    const count = createGivenUpMetrics(registry);
    count('instance_lost', 2);
    count('instance_lost', 1);
    count('tool_fault', 0);
    const lines = (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
    expect(lines).to.include.members([
      'dockyard_tasks_given_up_total{cause="instance_lost"} 3',
      'dockyard_tasks_given_up_total{cause="tool_killed"} 0',
      'dockyard_tasks_given_up_total{cause="outputs_unverified"} 0',
      'dockyard_tasks_given_up_total{cause="tool_fault"} 0',
    ]);
  });
});

import { expect } from 'chai';
import { Registry } from 'prom-client';

import { createCommitMetrics } from '../../../src/services/execution/commit/bad-outputs.ts';

describe('metrics of commits', () => {
  it('count bad outputs by cause, and show every cause before it happens', async () => {
    const registry = new Registry();
    const metrics = createCommitMetrics(registry);
    metrics.bad('unverified');
    metrics.bad('unverified');
    metrics.bad('size');
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('dockyard_commits_bad_total{'));
    expect(lines).to.deep.equal([
      'dockyard_commits_bad_total{cause="not_staged"} 0',
      'dockyard_commits_bad_total{cause="changed"} 0',
      'dockyard_commits_bad_total{cause="size"} 1',
      'dockyard_commits_bad_total{cause="too_large"} 0',
      'dockyard_commits_bad_total{cause="unverified"} 2',
      'dockyard_commits_bad_total{cause="report"} 0',
    ]);
  });
});

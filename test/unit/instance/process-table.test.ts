import { spawn } from 'node:child_process';

import { expect } from 'chai';

import { readProcesses, recentProcesses, residentBytesOf } from '../../../src/instance/process-table.ts';
import { until } from '../../support/until.ts';

describe('the processes of this machine', () => {
  it('are read once for all sessions that ask at the same time, and anew a moment later', async () => {
    const first = recentProcesses();
    expect(recentProcesses()).to.equal(first);
    await until('they are read anew', () => recentProcesses() !== first);
  });

  it('of a tool are counted together: itself, and what it has started', async () => {
    const alone = residentBytesOf(process.pid, readProcesses());
    expect(alone).to.be.greaterThan(0);
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    try {
      await until('the child is seen', () => readProcesses().some(({ pid }) => pid === child.pid));
      const all = readProcesses();
      const own = all.find(({ pid }) => pid === process.pid)?.residentBytes ?? Number.NaN;
      const started = all.find(({ pid }) => pid === child.pid)?.residentBytes ?? Number.NaN;
      expect(residentBytesOf(process.pid, all)).to.be.at.least(own + started);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

/** A test run that is interrupted leaves nothing: neither the processes of its stacks nor their folders. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { until } from '../support/until.ts';

const folder = join(repositoryRoot, '.cache', `interrupted-${String(process.pid)}`);

interface Started {
  readonly home: string;
  readonly pids: readonly number[];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an interrupted test run', function () {
  this.timeout(120_000);
  before(() => mkdirSync(folder, { recursive: true }));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A suite that starts the servers of a stack, says which, and goes on for long. */
  const suiteOf = (said: string): string => `
    import { writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { startTestStack } from ${JSON.stringify(join(repositoryRoot, 'test/support/stack.ts'))};
    it('goes on', async () => {
      const stack = await startTestStack({ roles: [] });
      const pids = stack.processes().map(({ pid }) => pid);
      writeFileSync(${JSON.stringify(said)}, JSON.stringify({ home: stack.home, pids }));
      await sleep(600_000);
    });`;

  const cases = [
    { what: 'SIGINT to its suite', signal: 'SIGINT', entry: 'node_modules/mocha/bin/mocha.js' },
    { what: 'SIGTERM to the runner', signal: 'SIGTERM', entry: 'scripts/test.ts' },
  ] as const;
  for (const [index, { what, signal, entry }] of cases.entries())
    it(`by ${what} leaves no process and no folder of its stack`, async () => {
      const said = join(folder, `said-${String(index)}.json`);
      const file = join(folder, `long-${String(index)}.test.ts`);
      writeFileSync(file, suiteOf(said));
      const run = spawn(process.execPath, [entry, relative(repositoryRoot, file)], {
        ...{ cwd: repositoryRoot, stdio: 'ignore', detached: true },
        env: { ...process.env, NODE_ENV: 'test' },
      });
      const ended = once(run, 'exit');
      await until('the stack serves', () => existsSync(said) && readFileSync(said).length > 0, 90_000);
      const { home, pids } = JSON.parse(readFileSync(said, 'utf8')) as Started;
      expect(pids).to.have.length(3);
      run.kill(signal);
      expect(await ended).to.deep.equal([130, null]);
      await until('its processes are gone', () => !pids.some(isAlive));
      expect(existsSync(home)).to.equal(false);
    });
});

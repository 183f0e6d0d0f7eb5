/**
 * Two stacks on one machine. Each is started as people start it, in the same second and with the default ports; then each process of the one
 * is killed while another program takes its port. `test/integration/supervisor.test.ts` has the short case.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createDatabase } from '../../src/adapters/database.ts';
import { createClient } from '../../src/client/index.ts';
import { loadConfig } from '../../src/config.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { loadState, readStackEnvironment } from '../../src/stack/state.ts';
import { waitForPort } from '../support/port-thief.ts';
import { removeHome, Supervisor } from '../support/supervisor.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';

const NOOP = { jobType: 'simulation', simulator: 'noop', taskCount: 2, metadata: { noop: {} } } as const;

describe('two stacks on one machine', function () {
  this.timeout(300_000);
  const stacks: Supervisor[] = [];
  const keys = new Map<Supervisor, string>();
  before(async () => {
    for (const name of ['one', 'other'])
      stacks.push(
        new Supervisor(mkdtempSync(join(tmpdir(), `dockyard-${name}-`)), 'entry', {
          DOCKYARD_TEST_TOOLS: TEST_TOOLS,
        }),
      );
    await Promise.all(stacks.map((stack) => stack.says('Dockyard is up.')));
    for (const stack of stacks) {
      const { databaseUrl } = loadConfig('cli', readStackEnvironment(stack.home));
      const database = await createDatabase(databaseUrl, { poolSize: 1 });
      const account = await createAccount(database, { email: 'ada@example.org', creditsPence: 500 });
      keys.set(stack, account.liveKey);
      await database.destroy();
    }
  });
  after(() => Promise.all(stacks.map((stack) => removeHome(stack.home, [stack]))));

  const runsAJob = async (stack: Supervisor): Promise<void> => {
    const { apiUrl } = stack.endpoints();
    const client = createClient({ apiUrl, apiKey: keys.get(stack) ?? '', userAgent: 'two-stacks' });
    const { jobId } = await client.submit(NOOP);
    expect((await client.waitForEnd(jobId)).status).to.equal('SUCCEEDED');
  };

  it('have nothing in common, and each does its own jobs', async () => {
    const [one, other] = stacks.map((stack) => Object.values(loadState(stack.home).ports));
    expect(other?.filter((port) => one?.includes(port))).to.deep.equal([]);
    await Promise.all(stacks.map(runsAJob));
  });

  for (const name of ['api', 'gateway', 'compute', 'storage', 'temporal', 'postgres'])
    it(`go on when another program takes the port of the ${name} of one`, async () => {
      const [one] = stacks;
      if (one === undefined) throw new Error('no stack');
      const before = loadState(one.home).ports[name] ?? 0;
      const thief = waitForPort(before);
      try {
        process.kill(one.pidOf(name) ?? 0, 'SIGKILL');
        await thief.taken;
        await one.says(`port ${String(before)} is taken by another program; ${name} has port `);
        expect(loadState(one.home).ports[name]).to.not.equal(before);
        await one.says(`${name} is up`);
        await until('all addresses are proved', () => 'apiUrl' in one.endpoints());
        await Promise.all(stacks.map(runsAJob));
      } finally {
        thief.close();
      }
    });
});

/** Instances whose bearers live for seconds: the work goes on over many of them, and no tool comes to know one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { INSTANCE_MARKER, TASK_MARKER } from '../../src/contracts/local-host.ts';
import { reaches, submitNoop } from '../support/faults/jobs.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

/** What every bearer and every credential begins with. */
const SECRETS = /dk[ib]1\./;

describe('bearers that live for seconds', function () {
  this.timeout(180_000);
  let world: FaultWorld;
  before(async () => {
    world = await openFaultWorld({ settings: tuned({ gatewayTokenMinutes: 0.2 }) });
  });
  after(() => endTestStack(world.stack));

  /** Environments and command lines of the processes of this stack's instances that have a variable. */
  const environments = (variable: string): string[] => {
    const ids = readdirSync(join(world.computeFolder, 'instances'));
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      })
      .filter((text) => ids.some((id) => text.includes(`${variable}=${id}`)));
  };

  it('carry a job past the end of the first ones, and are in no environment and no file of a tool', async () => {
    const job = await submitNoop(world, { tasks: 2, seconds: 30 });
    await until('a tool runs', () => environments(TASK_MARKER).length > 0, 60_000);
    const instances = environments(INSTANCE_MARKER);
    expect(instances.length).to.be.greaterThan(0);
    for (const text of [...environments(TASK_MARKER), ...instances]) {
      expect(text).not.to.match(SECRETS);
      expect(text).not.to.contain('DOCKYARD_TEMPORAL');
      expect(text).not.to.contain(world.stack.temporalAddress);
    }
    const files = readdirSync(world.computeFolder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile()))
      expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.to.match(SECRETS);
    await reaches(world, job, 'SUCCEEDED');
    expect(await world.rows('select cause from recoveries where job_id = $1', [job.jobId])).to.deep.equal([]);
    const [row] = await world.rows<{ launches: number; seconds: number }>(
      `select count(*)::int as launches, extract(epoch from max(last_contact_at) - min(launched_at))::float8 as seconds
       from instances where job_id = $1`,
      [job.jobId],
    );
    expect(row?.launches).to.equal(1);
    expect(row?.seconds).to.be.greaterThan(24);
  });
});

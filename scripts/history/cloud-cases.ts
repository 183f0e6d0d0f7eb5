/**
 * Cases of jobs on the simulated EC2 to record: a first candidate without room, and an instance that boots for longer than a job
 * looks at it without a pause; no candidate with room; and a launch that the provider refuses for good.
 */
import type { SimulatedEc2 } from '../../test/support/ec2/simulated-ec2.ts';
import { ended, insist, job, reaches, submit } from './cases.ts';
import type { Case } from './cases.ts';
import { holdsText } from './history-text.ts';
import { until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** Longer than the first look. */
const BOOT_SECONDS = 6;

/** The names of the cases, so that no cloud is opened for none of them. */
export const CLOUD_CASES = ['candidate-fallback', 'no-capacity', 'launch-refused'] as const;

async function valueOf({ db }: Recorder, statement: string, jobId: string): Promise<string | null> {
  const [row] = await db.query<{ value: string | null }[]>(statement, [jobId]);
  return row?.value ?? null;
}

type CloudCase = Case & { readonly name: (typeof CLOUD_CASES)[number] };

/** Jobs on a cloud that lacks room or refuses. */
export function cloudCases(cloud: SimulatedEc2): readonly CloudCase[] {
  return [fallback(cloud), withoutRoom(cloud), refused(cloud)];
}

function fallback(cloud: SimulatedEc2): CloudCase {
  return {
    name: 'candidate-fallback',
    async run(recorder) {
      const makeRoom = cloud.faults.fill({ type: 'c7i.xlarge' });
      cloud.bootSeconds = BOOT_SECONDS;
      try {
        const jobId = await submit(recorder, job(2, { seconds: 0 }));
        const histories = await ended(recorder, jobId, 'SUCCEEDED');
        const type = 'select instance_type as value from instances where job_id = $1';
        insist((await valueOf(recorder, type, jobId)) === 'm7i.xlarge', 'the second candidate');
        insist(holdsText(histories, 'instanceHeard'), 'a call of the instance');
        return histories;
      } finally {
        makeRoom();
        cloud.bootSeconds = 0;
      }
    },
  };
}

function withoutRoom(cloud: SimulatedEc2): CloudCase {
  return {
    name: 'no-capacity',
    async run(recorder) {
      const makeRoom = cloud.faults.fill({});
      try {
        const jobId = await submit(recorder, job(2, { seconds: 0 }));
        const reason = 'select status_reason as value from jobs where id = $1';
        await until(
          'the job queues again',
          async () => (await valueOf(recorder, reason, jobId)) === 'NO_CAPACITY',
        );
        makeRoom();
        const histories = await ended(recorder, jobId, 'SUCCEEDED');
        insist(holdsText(histories, 'exhausted'), 'candidates without room');
        insist(holdsText(histories, 'returnCapacity'), 'capacity that is given back');
        return histories;
      } finally {
        makeRoom();
      }
    },
  };
}

function refused(cloud: SimulatedEc2): CloudCase {
  return {
    name: 'launch-refused',
    async run(recorder) {
      const allow = cloud.faults.refuse('UnauthorizedOperation');
      try {
        const jobId = await submit(recorder, job(2, { seconds: 0 }));
        await reaches(recorder, jobId, 'PAUSED');
        const histories = await ended(recorder, jobId, 'PAUSED');
        insist(holdsText(histories, 'LAUNCH_REFUSED'), 'the cause of the pause');
        insist(holdsText(histories, '"pauseReason":"OPERATOR"'), 'a pause for the operator');
        return histories;
      } finally {
        allow();
      }
    },
  };
}

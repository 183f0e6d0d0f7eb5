import { expect } from 'chai';

import { launchInstance } from '../../src/services/execution/instances/launch.ts';
import { quotaUsersOf } from '../../src/services/execution/instances/quota-users.ts';
import { ec2On, ec2OptionsOn, ec2Spec } from '../support/ec2.ts';
import { answeringWay, failure } from '../support/ec2/way.ts';
import { suiteHome } from '../support/home.ts';
import { openMoto } from '../support/moto.ts';
import type { Moto } from '../support/moto.ts';
import { runningJob } from '../support/running-job.ts';

/** The codes of the issue, and others of the same meaning. */
const NO_ROOM = [
  'InsufficientInstanceCapacity',
  'InsufficientFreeAddressesInSubnet',
  'MaxSpotInstanceCountExceeded',
  'SpotMaxPriceTooLow',
  'Unsupported',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
];
const FOR_GOOD = [
  'InvalidAMIID.NotFound',
  'InvalidAMIID.Malformed',
  'InvalidAMIID.Unavailable',
  'InvalidSubnetID.NotFound',
  'InvalidGroup.NotFound',
  'InvalidSecurityGroupID.NotFound',
  'UnauthorizedOperation',
  'OptInRequired',
  'IdempotentParameterMismatch',
  'AuthFailure',
  'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
  'InvalidParameterValue',
  'PendingVerification',
];
const BY_QUOTA = ['VcpuLimitExceeded', 'InstanceLimitExceeded'];

const NOTHING_LISTED = `<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet/></DescribeInstancesResponse>`;

describe('launches of EC2 that are refused', function () {
  this.timeout(120_000);
  let moto: Moto;
  before(async () => {
    moto = await openMoto();
  });
  after(() => moto.close());

  const answered = async (code: string, status = 400): Promise<unknown> => {
    const way = await answeringWay(
      (action) => (action === 'RunInstances' ? failure(code, status) : null),
      moto.url,
    );
    const asked = await ec2On(moto.url, { endpoint: way.url });
    const answer = await asked.ensure(await ec2Spec(asked)).catch(() => ({ state: 'unknown' }));
    await way.close();
    return answer;
  };

  it('for want of room go on with the next candidate', async () => {
    for (const code of NO_ROOM) expect(await answered(code), code).to.include({ state: 'capacity' });
  });

  it('for good are for an operator, with the words of EC2', async () => {
    for (const code of [...FOR_GOOD, ...BY_QUOTA]) {
      const answer = await answered(code);
      expect(answer, code).to.include({ state: 'never' });
      expect(answer, code).to.have.property('cause').that.includes(code).and.includes('why of it');
    }
  });

  describe('by a quota', () => {
    const need = {
      cpu: { instanceClass: 'cpu', gpus: 0 },
      gpu: { instanceClass: 'gpu', gpus: 1 },
    } as const;
    /** What a launch is answered by a quota, while an instance of ours runs that the same or another process has launched. */
    const refusedBeside = async (
      running: Parameters<typeof ec2Spec>[1],
      asked: Parameters<typeof ec2Spec>[1],
      code = 'VcpuLimitExceeded',
    ): Promise<string> => {
      const options = await ec2OptionsOn(moto.url);
      const way = await answeringWay(
        (action) => (action === 'RunInstances' ? failure(code, 400) : null),
        moto.url,
      );
      const plain = await ec2On(moto.url, options);
      expect(await plain.ensure(await ec2Spec(plain, running))).to.include({ state: 'launched' });
      const refused = await ec2On(moto.url, { ...options, endpoint: way.url });
      const { state } = await refused.ensure(await ec2Spec(refused, asked));
      await way.close();
      return state;
    };

    it('that instances of ours use up wait for room', async () => {
      for (const code of BY_QUOTA)
        expect(await refusedBeside(need.cpu, need.cpu, code), code).to.equal('capacity');
      expect(await refusedBeside(need.gpu, need.gpu)).to.equal('capacity');
    });

    it('of 0 are for an operator, whatever runs of other families', async () => {
      expect(await refusedBeside(need.cpu, need.gpu)).to.equal('never');
      expect(await refusedBeside(need.gpu, need.cpu)).to.equal('never');
    });

    it('of 0 on one market are for an operator, whatever runs on the other', async () => {
      const spot = { ...need.cpu, market: 'SPOT' } as const;
      expect(await refusedBeside(need.cpu, spot)).to.equal('never');
      expect(await refusedBeside(spot, need.cpu)).to.equal('never');
      expect(await refusedBeside(spot, spot)).to.equal('capacity');
    });

    describe('beside another control worker', () => {
      const home = suiteHome();
      let jobs: string[] = [];
      afterEach(async () => {
        // What a launch of one test uses is not to be seen by the next test.
        await home.db.query('delete from instances where job_id = any($1)', [jobs]);
        jobs = [];
      });

      /** Two control workers with a provider each, on the same database. No listing shows an instance; quotas refuse once it is said. */
      const twoWorkers = async () => {
        let refuses = false;
        let loses = false;
        const way = await answeringWay(
          (action) => {
            if (action === 'DescribeInstances') return { status: 200, body: NOTHING_LISTED };
            return action === 'RunInstances' && refuses ? failure('VcpuLimitExceeded', 400) : null;
          },
          moto.url,
          (action) => action === 'RunInstances' && loses,
        );
        const options = await ec2OptionsOn(moto.url, {
          endpoint: way.url,
          quotaUsers: (token) => quotaUsersOf(home.db, { provider: 'ec2', token }),
        });
        const worker = async () => {
          const provider = await ec2On(moto.url, options);
          return async (instanceClass: 'cpu' | 'gpu', jobId?: string): Promise<string> => {
            const job = jobId ?? (await newJob());
            const gpus = instanceClass === 'gpu' ? 1 : 0;
            const request = { jobId: job, slot: 0, generation: 2, provider: 'ec2', vcpus: 4, toolSlots: 4 };
            const asked = launchInstance({ db: home.db, secret: '0'.repeat(64) }, provider, {
              ...request,
              ...{ instanceClass, gpus },
            });
            return asked.then(
              ({ state }) => state,
              () => 'no answer',
            );
          };
        };
        return {
          ...{ one: await worker(), other: await worker(), close: () => way.close() },
          refuse: () => (refuses = true),
          lose: (isLost: boolean) => (loses = isLost),
        };
      };
      const newJob = async (): Promise<string> => {
        const { jobId } = await runningJob(home);
        await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
        jobs.push(jobId);
        return jobId;
      };

      it('that its instance uses, which no listing shows yet, wait for room', async () => {
        const { one, other, refuse, close } = await twoWorkers();
        expect(await one('cpu')).to.equal('asked');
        refuse();
        expect(await other('cpu')).to.equal('exhausted');
        expect(await one('cpu'), 'of the same worker').to.equal('exhausted');
        expect(await other('gpu'), 'of other families').to.equal('never');
        await close();
      });

      it('that its instance used until a moment ago wait for room', async () => {
        const { one, other, refuse, close } = await twoWorkers();
        expect(await one('cpu')).to.equal('asked');
        refuse();
        const end = (ago: string): Promise<unknown> =>
          home.db.query(
            `update instances set state = 'TERMINATED', terminated_at = now() - $1::interval where job_id = $2 and generation = 2`,
            [ago, jobs[0]],
          );
        await end('30 seconds');
        expect(await other('cpu')).to.equal('exhausted');
        await end('2 minutes');
        expect(await other('cpu')).to.equal('never');
        await close();
      });

      it('are not judged before its launch is answered that was asked for earlier, and that launch waits for nobody', async () => {
        const { one, other, refuse, lose, close } = await twoWorkers();
        const [first, second] = [await newJob(), await newJob()];
        lose(true);
        expect(await one('cpu', first)).to.equal('no answer');
        lose(false);
        refuse();
        expect(await other('cpu', second)).to.equal('no answer');
        expect(await one('cpu', first), 'the earlier one').to.equal('never');
        expect(await other('cpu', second), 'once it is answered').to.equal('never');
        await close();
      });

      it('are judged after a minute, whatever is still to be answered', async () => {
        const { one, other, refuse, lose, close } = await twoWorkers();
        const [first, second] = [await newJob(), await newJob()];
        lose(true);
        expect(await one('cpu', first)).to.equal('no answer');
        lose(false);
        refuse();
        await home.db.query(
          `update instances set asked_at = now() - interval '61 seconds' where job_id = $1`,
          [first],
        );
        expect(await other('cpu', second)).to.equal('never');
        await close();
      });
    });
  });

  it('without a definite answer are asked for again', async () => {
    for (const [code, status] of [
      ...([
        ['RequestLimitExceeded', 503],
        ['Throttling', 400],
        ['InternalError', 500],
      ] as const),
      ...([
        ['Unavailable', 503],
        ['ServiceUnavailable', 503],
        ['RequestExpired', 400],
      ] as const),
      ['SomethingNew', 400] as const,
    ])
      expect(await answered(code, status), code).to.deep.equal({ state: 'unknown' });
  });

  it('because the instance of the token has ended need another token', async () => {
    expect(await answered('IdempotentInstanceTerminated')).to.deep.equal({ state: 'ended' });
  });
});

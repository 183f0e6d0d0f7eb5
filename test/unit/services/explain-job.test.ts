import { expect } from 'chai';

import type {
  CapacityView,
  InstanceView,
  JobPage,
  WorkflowRun,
  WorkflowView,
} from '../../../src/domain/job-view.ts';
import { tellLacks } from '../../../src/services/execution/capacity/lacks.ts';
import { Usage } from '../../../src/domain/capacity-pools.ts';
import type { CapacityLimits } from '../../../src/domain/capacity-pools.ts';
import { explainJob, lengthText } from '../../../src/services/operations/explain-job.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

const PAGE: JobPage = {
  ...{ jobId: 'JOB', accountId: 'ACCOUNT', toolId: 'noop', provider: 'local', recoveryMode: 'standard' },
  ...{ status: 'RUNNING', statusAt: ago(120), now: NOW, statusReason: null, pauseReason: null },
  ...{ cancelRequestedAt: null, submittedAt: ago(300), finishedAt: null, execution: 1, recoveries: 0 },
  tasks: { total: 10, verified: 4, failed: 0, running: 2 },
  ...{ duePence: 6, heldPence: 12, chargedPence: 0, executions: [], capacity: null },
  ...{ instances: [], losses: [], failures: [], changes: [] },
};
const RUN: WorkflowRun = {
  ...{ kind: 'run', workflowId: 'job/JOB', status: 'RUNNING', buildId: null, startedAt: ago(300) },
  ...{ closedAt: null, historyEvents: 40, parts: 1, failure: null, failingTasks: [], pending: [] },
  takenUp: null,
};

function explained(change: Partial<JobPage>, workflow: WorkflowView = RUN): { why: string; next: string } {
  const { why, next } = explainJob({ ...PAGE, ...change }, workflow);
  return { why: why.join('\n'), next: next.join('\n') };
}

describe('the explanation of a job', () => {
  it('says of a job that goes on how it stands, and the advice of its state', () => {
    expect(explained({})).to.deep.equal({
      why: 'For 2 min RUNNING: At least one task is in progress.',
      next: 'Follow the progress; outputs of finished tasks can be downloaded already.',
    });
  });

  it('says why a job waits, is paused or has failed, in the words of the codes, and how to go on', () => {
    const capacity: CapacityView = {
      state: 'WAITING',
      ...{ vcpus: 4, wantedVcpus: null, reason: 'ACCOUNT_LIMIT' },
      ...{ requestedAt: ago(120), grantedAt: null, lacks: [] },
    };
    const queued = explained({ status: 'QUEUED', statusReason: 'ACCOUNT_LIMIT', capacity });
    expect(queued.why).to.include('Waits: ACCOUNT_LIMIT: The account uses all').and.to.include('4 vCPUs');
    expect(queued.next).to.include('starts when another job of the account ends');
    const changes = [{ action: 'job.pause-requested', at: ago(60), by: 'operator ada', reason: null }];
    const paused = explained({ status: 'PAUSED', pauseReason: 'OPERATOR', changes }, { kind: 'gone' });
    expect(paused.why).to.include('Paused by OPERATOR:').and.to.include('operator ada asked for the pause');
    expect(paused.why).to.not.include('workflow');
    expect(paused.next).to.include('Resume the job when the cause is mended');
    expect(paused.next).to.include('6 tasks that are missing: admin jobs resume JOB --reason TEXT');
    const failures = [{ cause: 'ENGINE_TIMEOUT', count: 3, lastAt: null }];
    const partial = explained({ status: 'PARTIALLY_SUCCEEDED', failures });
    expect(partial.why).to.include('3 tasks or steps failed with ENGINE_TIMEOUT: The tool did not end');
    expect(partial.next).to.include('Split the input').and.to.include('admin jobs resume');
    expect(explained({ status: 'PAUSED', pauseReason: 'OPERATOR', statusReason: 'NEW_CODE' }).why).to.include(
      'Reason: NEW_CODE.',
    );
  });

  const WAITING: CapacityView = {
    ...{ state: 'WAITING', vcpus: 8, wantedVcpus: null, reason: 'CAPACITY' },
    ...{ requestedAt: ago(120), grantedAt: null, lacks: [] },
  };
  const lacksOf = (own: Partial<Parameters<typeof tellLacks>[0]>, limits: Partial<CapacityLimits>) => {
    const used = new Usage();
    const request = {
      account_id: 'A',
      plan: 'pro',
      class: 'gpu-l4',
      licence: 'maya',
      vcpus: 8,
      step_vcpus: 8,
      step_gpus: 1,
    };
    used.take({ ...request, account_id: 'B' }, { vcpus: 8, gpus: 2, seats: 2 });
    used.take({ ...request, class: 'cpu' }, { vcpus: 4, gpus: 0, seats: 0 });
    return tellLacks({ ...request, ...own }, { totalVcpus: 99, accountVcpus: 99, ...limits }, used);
  };
  const queuedFor = (lacks: CapacityView['lacks']) =>
    explained({ status: 'QUEUED', statusReason: 'CAPACITY', capacity: { ...WAITING, lacks } });

  it('names the limits that are in the way of a job, and their settings alone', () => {
    for (const [lacks, why, settings] of [
      [
        lacksOf({}, { totalVcpus: 16 }),
        'takes 8 vCPUs; the whole service uses 12 of 16.',
        ['CAPACITY_VCPUS'],
      ],
      [
        lacksOf({}, { accountVcpus: 8 }),
        'takes 8 vCPUs; its account uses 4 of 8.',
        ['ACCOUNT_CAPACITY_VCPUS'],
      ],
      [lacksOf({}, { totalGpus: 2 }), 'takes 1 GPUs; the whole service uses 2 of 2.', ['CAPACITY_GPUS']],
      [lacksOf({}, { accountGpus: 0 }), 'takes 1 GPUs; its account uses 0 of 0.', ['ACCOUNT_CAPACITY_GPUS']],
      [lacksOf({}, { plans: { pro: { gpus: 2 } } }), 'the plan pro uses 2 of 2.', ['CAPACITY_PLANS']],
      [lacksOf({}, { plans: { pro: { accountVcpus: 4 } } }), 'its account uses 4 of 4.', ['CAPACITY_PLANS']],
      [
        lacksOf({}, { seats: { maya: 2 } }),
        'takes 1 seats; the licence maya uses 2 of 2.',
        ['CAPACITY_SEATS'],
      ],
      [
        lacksOf({}, { classes: { 'gpu-l4': { vcpus: 15 } } }),
        'takes 8 vCPUs; the class gpu-l4 uses 8 of 15.',
        ['CAPACITY_CLASSES'],
      ],
      [
        lacksOf({}, { totalGpus: 2, classes: { 'gpu-l4': { gpus: 1 } } }),
        'takes 1 GPUs; the class gpu-l4 uses 2 of 1.',
        ['CAPACITY_GPUS', 'CAPACITY_CLASSES'],
      ],
    ] as const) {
      const said = queuedFor(lacks);
      expect(said.why).to.include(why);
      expect(said.next.match(/DOCKYARD_\w+/g), why).to.deep.equal(settings.map((name) => `DOCKYARD_${name}`));
    }
  });

  it('raises nothing for a job that waits for its turn, or for its provider', () => {
    const turn = queuedFor(lacksOf({}, {}));
    expect(turn.why).to.include('No limit is in its way: others come first.');
    expect(turn.next).to.include('queue.position').and.to.not.include('DOCKYARD_');
    for (const capacity of [null, { ...WAITING, state: 'RELEASED' as const, reason: null }]) {
      const { why, next } = explained({ status: 'QUEUED', statusReason: 'NO_CAPACITY', capacity });
      expect(why).to.include('Waits: NO_CAPACITY: Nobody has an instance of the kind');
      expect(next).to.include('asks again by itself').and.to.include('admin instances --all');
      expect(next).to.not.include('DOCKYARD_');
      expect(why).to.not.include('Reason: NO_CAPACITY');
    }
    // It asks again, and now a limit is in its way.
    const again = { ...WAITING, lacks: lacksOf({}, { totalGpus: 2 }) };
    const { next } = explained({ status: 'QUEUED', statusReason: 'NO_CAPACITY', capacity: again });
    expect(next).to.include('DOCKYARD_CAPACITY_GPUS').and.to.not.include('admin instances');
  });

  it('says what no code can: a workflow that stands still, has failed, is gone or is not known', () => {
    const failing = { ...RUN, failingTasks: [{ workflowId: 'job/JOB', attempts: 8, since: ago(600) }] };
    expect(explained({}, failing).why).to.include('is at attempt 8 since 2026-11-23T11:50:00.000Z');
    expect(explained({}, failing).next).to.include('build before').and.to.include('admin jobs end JOB');
    const activity = {
      ...{ workflowId: 'job/JOB', name: 'launchInstance', state: 'SCHEDULED', attempt: 5 },
      ...{ scheduledAt: ago(100), startedAt: null, nextAttemptAt: null, lastFailure: 'no quota' },
    };
    expect(explained({}, { ...RUN, pending: [activity] }).why).to.include(
      'launchInstance is at attempt 5; the last one ended with: no quota.',
    );
    const fresh = { ...activity, attempt: 1, lastFailure: null };
    expect(explained({}, { ...RUN, pending: [fresh] }).why).to.include('worker that takes: launchInstance');
    const failed = explained({}, { ...RUN, status: 'FAILED', failure: 'broken' });
    expect(failed.why).to.include('The workflow of the job failed: broken.');
    expect(failed.next).to.include('admin jobs end JOB --reason TEXT --yes');
    expect(explained({}, { ...RUN, status: 'TERMINATED' }).next).to.include(
      "Start it again from the job's rows: admin jobs resume JOB --reason TEXT",
    );
    expect(explained({}, { kind: 'gone' }).why).to.include('no history');
    const away = { kind: 'unreachable', address: 'there:1', cause: 'refused' } as const;
    for (const status of ['RUNNING', 'SUCCEEDED'] as const)
      expect(explained({ status }, away).why).to.include('Temporal at there:1 does not answer (refused)');
  });

  it('says that a pause is pending and who asked for it, and what the provider has said that refused an instance', () => {
    const changes = [{ action: 'job.pause-requested', at: ago(60), by: 'operator ada', reason: null }];
    const pending = explained({ pauseReason: 'OPERATOR', changes });
    expect(pending.why)
      .to.include('About to pause by OPERATOR:')
      .and.to.include('operator ada asked for the pause')
      .and.to.include('It pauses when the 2 tasks that run have ended.');
    const refused: InstanceView = {
      ...{ slot: 0, generation: 1, state: 'TERMINATED', launchedAt: ago(300), lastContactAt: null },
      ...{ fencedAt: ago(290), fenceCause: 'LAUNCH_REFUSED', silentSeconds: null, market: 'ON_DEMAND' },
      refusal: 'UnauthorizedOperation: You are not authorized to perform this operation.',
    };
    for (const page of [
      { pauseReason: 'OPERATOR', instances: [refused] },
      { status: 'PAUSED', pauseReason: 'OPERATOR', statusReason: 'LAUNCH_REFUSED', instances: [refused] },
    ] as const)
      expect(explained(page).why).to.include('The provider has said: UnauthorizedOperation: You are not');
  });

  it('says which message has started a workflow again that was lost', () => {
    const takenUp = { by: 'resume', at: '2026-11-23T11:59:00.000Z' } as const;
    expect(explained({}, { ...RUN, takenUp }).why).to.include(
      "No workflow worked on the job, so a resume started it again from the job's rows at 2026-11-23T11:59:00.000Z.",
    );
  });

  it('says which instances are silent, and why others were lost', () => {
    const instance = {
      ...{ slot: 0, generation: 2, state: 'RUNNING', launchedAt: ago(300), lastContactAt: ago(240) },
      ...{
        fencedAt: null,
        fenceCause: null,
        refusal: null,
        silentSeconds: 240,
        market: 'ON_DEMAND' as const,
      },
    };
    const unheard = { ...instance, slot: 1, lastContactAt: null, silentSeconds: 300 };
    const losses = [{ cause: 'INSTANCE_GONE', count: 2, lastAt: ago(400) }];
    const { why, next } = explained({ instances: [instance, unheard], losses, recoveries: 3 });
    expect(why).to.include('1 of 2 instances were launched and have never been heard of');
    expect(why).to.include('1 of 2 instances are silent, for up to 5 min');
    expect(why).to.include('Most of its 3 recoveries: INSTANCE_GONE: An instance does not exist any more.');
    expect(next).to.include('replaced by themselves').and.to.not.include('Follow the progress');
  });

  it('says which instances wait for the spot market, and takes those for silent no more', () => {
    const waiting = {
      ...{ slot: 0, generation: 1, state: 'LAUNCHING', launchedAt: ago(300), lastContactAt: null },
      ...{ fencedAt: null, fenceCause: null, refusal: null, silentSeconds: 300, market: 'SPOT' as const },
    };
    const { why } = explained({ instances: [waiting, { ...waiting, slot: 1, state: 'RUNNING' }] });
    expect(why).to.include('1 of 2 instances wait for the spot market');
    expect(why).to.include('1 of 2 instances were launched and have never been heard of');
  });

  it('tells lengths of time as people do', () => {
    expect([0, 89, 90, 5_400, 200_000].map(lengthText)).to.deep.equal([
      '0 s',
      '89 s',
      '2 min',
      '1.5 h',
      '2 days',
    ]);
  });
});

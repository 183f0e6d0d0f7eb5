/**
 * What log lines say of the work around them; `test/faults/log-ids.test.ts` judges the lines of whole stacks.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../../src/contracts/instance.ts';
import { createGatewayApp } from '../../../src/gateway/app.ts';
import { logFields, outsideOfWork, withLogFields } from '../../../src/tracing/log-context.ts';
import type { LogFields } from '../../../src/tracing/log-context.ts';
import { tracedActivities } from '../../../src/tracing/temporal.ts';
import { NO_TRACING } from '../../../src/tracing/tracing.ts';
import { workIdsOf } from '../../../src/tracing/work-ids.ts';
import { JOB_ID } from '../api/fake-services.ts';
import { TestApp } from '../api/test-app.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the work that a log line is of', () => {
  it('is what its beginning has named, with the work around it, however much runs at once', async () => {
    const line = async (ordinal: number): Promise<LogFields | null> =>
      withLogFields({ ordinal }, async () => {
        await sleep(1);
        return logFields();
      });
    const lines = await withLogFields({ jobId: 'j', ordinal: 0 }, () => Promise.all([line(1), line(2)]));
    expect(lines).to.deep.equal([
      { jobId: 'j', ordinal: 1 },
      { jobId: 'j', ordinal: 2 },
    ]);
    expect(logFields()).to.deep.equal({});
  });

  it('has what becomes known while it runs, and is none outside', () => {
    let named: LogFields = { requestId: 'r' };
    withLogFields(
      () => named,
      () => {
        named = { ...named, jobId: 'j' };
        expect(logFields()).to.deep.equal({ requestId: 'r', jobId: 'j' });
        expect(outsideOfWork(() => logFields())).to.equal(null);
        outsideOfWork(() =>
          withLogFields({ jobId: 'k' }, () => expect(logFields()).to.deep.equal({ jobId: 'k' })),
        );
      },
    );
  });

  it('is the request that the API answers, with its caller and its job, also after the answer', async () => {
    const seen: (LogFields | null)[] = [];
    const note = (): void => void seen.push(logFields());
    const app = await new TestApp().start();
    try {
      const { jobs } = app.fakes.services;
      const status = jobs.status.bind(jobs);
      Object.assign(jobs, {
        status: async (...parameters: Parameters<typeof status>) => {
          note();
          setTimeout(note, 50);
          return status(...parameters);
        },
      });
      await app.call('GET', `/api/v1/jobs/${JOB_ID}/status`, { headers: { 'x-request-id': 'r-1' } });
      await sleep(100);
    } finally {
      await app.stop();
    }
    const request = { requestId: 'r-1', operation: 'getJobStatus', accountId: 'account', jobId: JOB_ID };
    expect(seen).to.deep.equal([request, request]);
  });

  it('is the call that the gateway answers, with the instance and its tasks, also where the call fails', async () => {
    const seen: (LogFields | null)[] = [];
    const note = (): never => {
      seen.push(logFields());
      throw new Error('refused by the test');
    };
    const claims = { jobId: ID, slot: 1, generation: 2, expiresAt: 0 };
    const service = { verify: () => Promise.resolve(claims), claim: note, storeLog: note };
    const app = createGatewayApp(service as never, () => void seen.push(logFields()));
    const server = http.createServer((request, response) => void app.callback()(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const call = (path: string, type: string, body: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`, {
        ...{ method: 'POST', body },
        headers: {
          ...{ authorization: 'Bearer b', 'content-type': type },
          [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
        },
      });
    try {
      const claim = { execution: 1, kind: 'task', ordinals: [3, 4] };
      const answer = await call('/v1/tasks/claim', 'application/json', JSON.stringify(claim));
      const instance = { jobId: ID, slot: 1, generation: 2 };
      const requestId = answer.headers.get('x-request-id');
      const tasks = { execution: 1, kind: 'task', ordinals: [3, 4], taskCount: 2 };
      const first = { requestId, operation: 'claimTasks', ...instance, ...tasks };
      expect(seen.splice(0).map((each) => JSON.parse(JSON.stringify(each)))).to.deep.equal([first, first]);
      await call('/v1/tasks/task/7/log?attempt=1&from=0', 'application/octet-stream', 'x');
      expect(seen[0]).to.include({ operation: 'storeLog', kind: 'task', ordinal: 7, ...instance });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('is the activity that runs, with the job of its workflow and its tasks, in the lines of the SDK, too', async () => {
    const [factory] = tracedActivities(NO_TRACING).interceptors?.activity ?? [];
    const info = {
      workflowExecution: { workflowId: `job/${ID}/1/part/0.1` },
      activityType: 'commitTasks',
      attempt: 2,
    };
    const { inbound, outbound } = factory?.({ info } as never) ?? {};
    let seen: LogFields | null = null;
    const args = [
      { jobId: ID, execution: 1, slot: 0, generation: 1, kind: 'task', reports: [{ ordinal: 5 }] },
    ];
    await inbound?.execute?.({ args, headers: {} }, async () => void (seen = logFields()));
    const named = {
      ...{ workflowId: info.workflowExecution.workflowId, activityType: 'commitTasks', attempt: 2 },
      ...{ jobId: ID, execution: 1, slot: 0, generation: 1, kind: 'task', ordinal: 5 },
    };
    expect(seen).to.deep.equal(named);
    expect(outbound?.getLogAttributes?.({ taskQueue: 'control' }, (all) => all)).to.deep.equal({
      ...{ taskQueue: 'control' },
      ...named,
    });
  });

  it('has of a message only what has the form of an id or of a number', () => {
    const texts = {
      jobId: 'Aspirin',
      accountId: ID,
      kind: 'a name',
      slot: '0',
      ordinal: 1.5,
      name: 'CC(=O)O',
    };
    expect(workIdsOf(texts)).to.deep.equal({ accountId: ID });
    expect(workIdsOf(['Aspirin'])).to.deep.equal({});
    const ordinals = Array.from({ length: 200 }, (_, n) => n);
    expect(workIdsOf({ ordinals })).to.deep.equal({ ordinals: ordinals.slice(0, 10), taskCount: 200 });
    expect(
      workIdsOf({
        files: [
          { ordinal: 4, name: 'a' },
          { ordinal: 4, name: 'b' },
        ],
      }),
    ).to.deep.equal({ ordinal: 4 });
  });
});

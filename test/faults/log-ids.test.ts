/**
 * Every warning and error that is written within a request, an activity or a task says which: faults are caused in every role, and
 * then each line of all logs is judged by one rule. A line without ids is let through only where the list of what processes
 * do by themselves has its words, so a new place that writes without ids fails here.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { jobIdOf } from '../../src/contracts/names.ts';
import { openCollector } from '../support/collector.ts';
import type { Collector } from '../support/collector.ts';
import { ended, instanceOf, submitNoop, untilRunning } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

type Line = Readonly<Record<string, unknown>>;

const WARN = 40;
/** What processes tell of themselves, outside of all work. */
const BY_THEMSELVES = new Set([
  ...['a database connection was lost', 'no capacity could be granted', 'a job was taken up from its rows'],
  ...['waiting jobs could not be looked after', 'spans could not be sent', 'an instance failed'],
  // Lines of an instance have its ids, because the whole process works for it.
  ...['Temporal is out of reach; tools go on', 'the gateway gave no bearer'],
]);
/** Activities that are about tasks. */
const OF_TASKS = new Set(['commitTasks', 'coverTasks', 'runShard']);
const GATEWAY_OF_TASKS = new Set(['claimTasks', 'meterTask', 'signInputs', 'signUploads', 'storeLog']);

const has = (line: Line, ...names: readonly string[]): readonly string[] =>
  names.filter((name) => line[name] === undefined);
const taskOf = (line: Line): readonly string[] =>
  line['ordinal'] === undefined && line['ordinals'] === undefined ? ['ordinal'] : [];

/** The ids that a line lacks. */
function lacking(line: Line): readonly string[] {
  const { name, msg, workflowId, activityType, operation } = line;
  if (name === 'instance')
    return [
      ...has(line, 'instanceId', 'jobId', 'slot', 'generation'),
      ...(OF_TASKS.has(String(activityType)) ? [...has(line, 'traceId'), ...taskOf(line)] : []),
    ];
  if (typeof workflowId === 'string') {
    const jobId = jobIdOf(workflowId);
    const ofJob =
      jobId === null ? [] : [...has(line, 'traceId'), ...(line['jobId'] === jobId ? [] : ['jobId'])];
    return [...ofJob, ...(OF_TASKS.has(String(activityType)) ? taskOf(line) : [])];
  }
  // What has no workflow is of the SDK itself, or of the process.
  const isOfWorker = ['core', 'worker'].includes(String(line['sdkComponent']));
  if (BY_THEMSELVES.has(String(msg)) || isOfWorker) return [];
  if (name === 'control') return ['workflowId'];
  const ofGateway = name === 'gateway' ? has(line, 'jobId', 'slot', 'generation') : [];
  const ofTask = GATEWAY_OF_TASKS.has(String(operation)) ? [...has(line, 'traceId'), ...taskOf(line)] : [];
  const ofApi = name === 'api' ? has(line, 'traceId', 'accountId') : [];
  return [...has(line, 'requestId', 'operation'), ...ofGateway, ...ofTask, ...ofApi];
}

describe('log lines', function () {
  this.timeout(240_000);
  let collector: Collector;
  let world: FaultWorld;
  before(async () => {
    collector = await openCollector();
    world = await openFaultWorld({
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
    });
  });
  after(async () => {
    await endTestStack(world.stack);
    await collector.close();
  });

  const lines = async (): Promise<readonly Line[]> => {
    const folder = join(world.stack.home, 'logs');
    const texts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((text) => text.startsWith('{"level"'))
      .map((text): Line => JSON.parse(text));
  };
  const seen = (what: string, is: (line: Line) => boolean): Promise<void> =>
    until(`a line: ${what}`, async () => (await lines()).some(is), 30_000);
  /** Has every change of a task to a state refused, as a database with a fault would. */
  const refusing = async (state: string, work: () => Promise<unknown>): Promise<void> => {
    await world.rows(`create function test_refused() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await world.rows(`create trigger test_refused before update on tasks for each row
      when (new.state = '${state}' and new.kind = 'task') execute function test_refused()`);
    await work();
    await world.rows('drop function test_refused cascade');
  };

  it('have the ids of the request, the activity or the task within which they are written', async () => {
    let job: FaultJob | null = null;
    await refusing('RUNNING', async () => {
      job = await submitNoop(world, { tasks: 4, seconds: 1, fail: [{ index: 1, kind: 'exit' }] });
      await seen('a claim fails', ({ name, operation }) => name === 'gateway' && operation === 'claimTasks');
    });
    if (job === null) throw new Error('unreachable');
    await refusing('SUCCEEDED', async () => {
      await seen('a commit fails', ({ activityType }) => activityType === 'commitTasks');
    });
    await untilRunning(world, job);
    world.stack.kill(await instanceOf(world, job));
    expect((await ended(world, job)).status).to.equal('PARTIALLY_SUCCEEDED');
    await seen(
      'a task fails',
      ({ name, ordinal, traceId, msg }) =>
        name === 'instance' && ordinal === 1 && traceId !== undefined && msg === 'a tool failed its task',
    );

    const long = await submitNoop(world, { tasks: 2, seconds: 30 });
    await untilRunning(world, long);
    await world.stack.stopChild('temporal', 'SIGKILL');
    const address = `${world.stack.apiUrl}/api/v1/jobs/${long.jobId}/cancel`;
    const headers = { authorization: `Bearer ${long.customer.key}`, 'x-request-id': 'refused-by-temporal' };
    expect((await fetch(address, { method: 'POST', headers })).status).to.equal(503);
    await world.stack.startChild('temporal');
    await long.customer.client.cancel(long.jobId);
    expect((await ended(world, long)).status).to.equal('CANCELLED');

    const all = await lines();
    const refused = all.filter(({ requestId }) => requestId === 'refused-by-temporal');
    expect(refused.map(({ msg }) => msg)).to.have.members([
      ...['a cancel request was not taken by Temporal', 'request failed', 'request'],
    ]);
    for (const line of refused)
      expect(line).to.include({
        jobId: long.jobId,
        accountId: long.customer.accountId,
        operation: 'cancelJob',
      });
    const judged = all.filter(({ level }) => Number(level) >= WARN);
    for (const role of ['api', 'gateway', 'control', 'instance'])
      expect(judged.filter(({ name }) => name === role).length, role).to.be.above(0);
    const faults = judged.flatMap((line) => {
      const missing = lacking(line);
      return missing.length === 0 ? [] : [{ missing, line }];
    });
    expect(faults).to.deep.equal([]);
  });
});

/** One trace shows a job from the submit to the staging of its outputs, over all processes; and no job depends on traces. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { noopJob, openTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { openCollector } from '../support/collector.ts';
import type { CollectedSpan, Collector } from '../support/collector.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** What a job of one task leaves at least, by process. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'dockyard-api': ['POST.submitJob', 'updateWithStart.admitted'],
  'dockyard-control': [
    ...['admitJob', 'planTasks', 'launchInstance', 'awaitInstance', 'commitTasks', 'settleJob'],
    ...['run.jobPart', 'run.job'],
  ],
  'dockyard-gateway': [
    ...['claimTasks', 'signUploads', 'PollActivityTaskQueue', 'RespondActivityTaskCompleted'],
  ],
  'dockyard-instance': ['runShard', 'claim', 'tool', 'stage'],
};

interface Ran {
  readonly jobId: string;
  readonly toolLog: string;
}

async function runJob(api: TestApi, headers: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { liveKey: key } = await api.account();
  const submitted = await api.call(key, 'POST', 'jobs/submit', noopJob(), { headers });
  expect(submitted.status).to.equal(200);
  const { jobId } = submitted.body;
  const ended = await api.ends(key, jobId, 30);
  expect(ended.body.status).to.equal('SUCCEEDED');
  const log = await api.call(key, 'GET', `jobs/${jobId}/tasks/0/log`);
  return { jobId, toolLog: String(log.body) };
}

async function linesOf(api: TestApi, process: string, text: string): Promise<Record<string, unknown>[]> {
  const log = await readFile(join(api.stack.home, 'logs', `${process}.log`), 'utf8');
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(text))
    .map((line) => JSON.parse(line));
}

describe('traces', function () {
  this.timeout(240_000);
  let collector: Collector;
  let api: TestApi;

  before(async () => {
    collector = await openCollector();
    api = await openTestApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k%3D1',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      DOCKYARD_LOG_LEVEL: 'debug',
    });
  });
  after(async () => {
    await endTestStack(api.stack);
    await collector.close();
  });

  it('show a job from the submit to the staging of its outputs, and the tool knows its trace', async () => {
    const caller = 'c'.repeat(32);
    const { jobId, toolLog } = await runJob(api, { traceparent: `00-${caller}-${'d'.repeat(16)}-01` });
    const ofJob = (): CollectedSpan[] => {
      const all = collector.spans();
      const root = all.find(
        ({ name, attributes }) => name === 'POST.submitJob' && attributes['dockyard.job.id'] === jobId,
      );
      return all.filter(({ traceId }) => traceId === root?.traceId);
    };
    const missing = (): string[] =>
      Object.entries(EXPECTED).flatMap(([service, names]) =>
        names.filter((name) => !ofJob().some((span) => span.service === service && span.name === name)),
      );
    await until('every process has sent its spans', () => missing().length === 0, 8_000).catch(
      () => undefined,
    );
    expect(missing()).to.deep.equal([]);

    const spans = ofJob();
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const chain: string[] = [];
    for (let at = spans.find(({ name }) => name === 'tool'); at !== undefined; at = byId.get(at.parentSpanId))
      chain.push(at.name);
    expect(chain).to.deep.equal([
      ...['tool', 'runShard', 'run.jobPart', 'run.job', 'updateWithStart.admitted', 'POST.submitJob'],
    ]);
    expect(spans.filter(({ parentSpanId }) => parentSpanId !== '' && !byId.has(parentSpanId))).to.deep.equal(
      [],
    );
    expect(spans.filter(({ isFailed }) => isFailed)).to.deep.equal([]);
    const tool = spans.find(({ name }) => name === 'tool');
    expect(tool?.attributes).to.deep.equal({
      ...{ 'dockyard.task.kind': 'task', 'dockyard.task.ordinal': 0, 'dockyard.task.attempt': 1 },
      ...{ 'dockyard.tool.id': 'noop', 'dockyard.task.outcome': 'done' },
    });
    const own = `00-${tool?.traceId ?? ''}-${tool?.spanId ?? ''}-01`;
    expect(toolLog).to.contain(`trace of the task ${own}, of the session ${own}`);

    expect(JSON.stringify(spans), 'the trace of a caller').to.not.contain(caller);
    const keys = collector.headers.map((headers) => headers['x-key']);
    expect(keys, 'guests have no headers').to.include('k=1').and.to.include(undefined);

    const [line] = await linesOf(api, 'api', '"operation":"submitJob"');
    expect(line).to.include({ jobId, traceId: tool?.traceId }).and.to.include.keys('requestId', 'spanId');
    const completed = await linesOf(api, 'control', 'Activity completed');
    const committed = completed.find(({ activityType }) => activityType === 'commitTasks');
    expect(committed).to.include({ jobId, traceId: tool?.traceId });
  });

  it('disturb no job when their collector hangs or is gone, and the log says so', async () => {
    collector.hang();
    await runJob(api);
    await collector.close();
    await runJob(api);
    await until(
      'the loss is told',
      async () => (await linesOf(api, 'api', 'spans could not be sent')).length > 0,
    );
  });
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { createTracing } from '../../../src/tracing/opentelemetry.ts';
import { NO_TRACING } from '../../../src/tracing/tracing.ts';
import type { SpanStart, Tracing } from '../../../src/tracing/tracing.ts';
import { openCollector } from '../../support/collector.ts';
import type { CollectedSpan, Collector } from '../../support/collector.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const inside = (name: string): SpanStart => ({ name, kind: 'inside' });
const root = (name: string): SpanStart => ({ name, kind: 'server', isRoot: true, parent: null });

describe('tracing', () => {
  let collector: Collector;
  let tracing: Tracing;
  let lost = 0;

  beforeEach(async () => {
    lost = 0;
    collector = await openCollector();
    tracing = open();
  });
  afterEach(async () => {
    await tracing.close();
    await collector.close();
  });

  function open(tracesRatio = 1): Tracing {
    const settings = {
      tracesEndpoint: `${collector.url}/`,
      tracesServiceName: '',
      tracesRatio,
      tracesDelayMs: 10,
    };
    return createTracing('test', settings, (spans) => (lost += spans));
  }
  async function sent(): Promise<CollectedSpan[]> {
    await tracing.close();
    return collector.spans();
  }

  it('makes spans below the one around them, and none where there is none around', async () => {
    await tracing.inSpan(inside('alone'), async () => expect(tracing.traceparent()).to.equal(null));
    await tracing.inSpan(root('outer'), () =>
      Promise.all([
        tracing.inSpan(inside('one'), () => sleep(1)),
        tracing.inSpan(inside('two'), () => sleep(1)),
      ]),
    );
    const spans = await sent();
    const outer = spans.find(({ name }) => name === 'outer');
    expect(spans.map(({ name }) => name)).to.have.members(['outer', 'one', 'two']);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === outer?.spanId)).to.have.length(2);
    expect(spans.every(({ service }) => service === 'dockyard-test')).to.equal(true);
  });

  it('says nothing but ids and words: no text, and of an error its code alone', async () => {
    const facts = { jobId: 'CC(=O)Oc1ccccc1', requestId: 'a name', toolId: 'x'.repeat(129), ordinal: 3 };
    const failing = (error: Error): Promise<unknown> =>
      tracing.inSpan({ ...root('outer'), facts }, () => Promise.reject(error)).catch(() => null);
    await failing(new AppError('NOT_FOUND', 'There is no aspirin.'));
    await failing(new TypeError('aspirin'));
    const spans = await sent();
    const hidden = '[not shown]';
    expect(spans.map(({ attributes }) => attributes)).to.deep.equal(
      ['NOT_FOUND', 'TypeError'].map((type) => ({
        ...{ 'dockyard.request.id': hidden, 'dockyard.job.id': hidden, 'dockyard.tool.id': hidden },
        ...{ 'dockyard.task.ordinal': 3, 'error.type': type },
      })),
    );
    expect(spans.every(({ isFailed }) => isFailed)).to.equal(true);
    expect(collector.texts.join()).to.not.contain('aspirin');
  });

  it('carries a trace that is not recorded without recording any of it', async () => {
    const recorded = tracing;
    tracing = open(0);
    let told: string | null = null;
    await tracing.inSpan(root('outer'), async () => void (told = tracing.traceparent()));
    expect(told).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    await recorded.inSpan({ ...inside('below'), parent: told }, () => Promise.resolve());
    await recorded.close();
    expect(await sent()).to.deep.equal([]);
  });

  it('records a span that was measured elsewhere under its own id', async () => {
    const [traceId, spanId, parentSpanId] = ['a'.repeat(32), 'b'.repeat(16), 'c'.repeat(16)];
    const times = { startMs: 1, endMs: 2, hasFailed: true, facts: { workflowType: 'job' } };
    tracing.record({ traceId, spanId, parentSpanId, name: 'run.job', ...times });
    await tracing.inSpan(root('other'), () => Promise.resolve());
    const [span, other] = await sent();
    expect(span).to.include({ traceId, spanId, parentSpanId, name: 'run.job', isFailed: true });
    expect(other?.spanId).to.not.equal(spanId);
  });

  it('tells of spans that a collector did not take, and ends soon although the collector hangs', async () => {
    collector.hang();
    await tracing.inSpan(root('outer'), () => Promise.resolve());
    const startedAt = performance.now();
    await tracing.close();
    // An export alone may take five seconds before it is given up.
    expect(performance.now() - startedAt).to.be.lessThan(4_900);
    await collector.close();
    tracing = open();
    await tracing.inSpan(root('outer'), () => Promise.resolve());
    await tracing.close();
    expect(NO_TRACING.isOn).to.equal(false);
    expect(lost).to.be.at.most(2);
  });

  it('loads no library of spans where no collector is named', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
      const files = ['api/app', 'src/gateway/app', 'src/instance/instance', 'src/adapters/temporal/client'];
      for (const file of files) await import('${ROOT}/' + file + '.ts');
      const { openTracing } = await import('${ROOT}/src/tracing/open.ts');
      const settings = { tracesServiceName: '', tracesRatio: 1, tracesDelayMs: 10 };
      // The client of Prometheus loads the names of the API by itself.
      const spans = () => loaded.filter((name) => /^@opentelemetry.(?!api$)/.test(name)).length;
      await openTracing('test', { ...settings, tracesEndpoint: '' }, () => undefined);
      const off = spans();
      await openTracing('test', { ...settings, tracesEndpoint: 'http://127.0.0.1:9' }, () => undefined);
      console.log(JSON.stringify({ off, isOnSeen: spans() > 0 }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout || `"${stderr}"`)).to.deep.equal({ off: 0, isOnSeen: true });
  });
});

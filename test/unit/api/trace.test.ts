// What the traceparent of a caller is: nothing unless an operator says so.
import { expect } from 'chai';

import type { RequestTraces } from '../../../api/http/trace.ts';
import { createTracing } from '../../../src/tracing/opentelemetry.ts';
import { openCollector } from '../../support/collector.ts';
import type { CollectedSpan } from '../../support/collector.ts';
import { TestApp } from './test-app.ts';

const CALLER = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };

/** The spans of a request with the traceparent of a caller, and of one whose traceparent is none. */
async function spansOf(ofCallers: RequestTraces['ofCallers'], flags = '01'): Promise<CollectedSpan[]> {
  const collector = await openCollector();
  const settings = {
    tracesEndpoint: collector.url,
    tracesServiceName: '',
    tracesRatio: 1,
    tracesDelayMs: 10,
  };
  const tracing = createTracing('api', settings, () => undefined);
  const app = await new TestApp({ traces: { tracing, ofCallers } }).start();
  try {
    for (const traceparent of [`00-${CALLER.traceId}-${CALLER.spanId}-${flags}`, 'Aspirin CC(=O)O'])
      await app.call('GET', '/api/v1/simulators', { headers: { traceparent, 'x-request-id': 'r-1' } });
    await app.call('GET', '/healthz', { key: null });
    await tracing.close();
    return collector.spans();
  } finally {
    await app.stop();
    await collector.close();
  }
}

describe('spans of requests', () => {
  it('begin traces of their own, name the operation, and say ids alone', async () => {
    const spans = await spansOf('ignore');
    expect(spans.map(({ name }) => name)).to.deep.equal(['GET.listSimulators', 'GET.listSimulators']);
    for (const { traceId, parentSpanId, links, attributes } of spans) {
      expect(traceId).to.not.equal(CALLER.traceId);
      expect({ parentSpanId, links }).to.deep.equal({ parentSpanId: '', links: [] });
      expect(attributes).to.include({ 'dockyard.request.id': 'r-1', 'http.response.status_code': 200 });
      expect(attributes).to.have.all.keys([
        ...['dockyard.request.id', 'dockyard.account.id', 'dockyard.operation'],
        ...['http.request.method', 'http.response.status_code'],
      ]);
    }
  });

  it('are linked to the trace of a caller where the operator says so', async () => {
    const [first, second] = await spansOf('link');
    expect(first).to.deep.include({ parentSpanId: '', links: [CALLER.traceId] });
    expect(second).to.deep.include({ parentSpanId: '', links: [] });
  });

  it('are below the span of a caller where the operator says so, who then decides what is recorded', async () => {
    const [first, second] = await spansOf('parent');
    expect(first).to.deep.include({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId });
    expect(second).to.deep.include({ parentSpanId: '' });
    expect(await spansOf('parent', '00')).to.have.length(1);
  });
});

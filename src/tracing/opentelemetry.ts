/**
 * Tracing by the library of OpenTelemetry, over OTLP as JSON. Nothing global is set, so no other library of the process
 * begins to make spans. Work never waits for the collector: ended spans wait in a queue of bounded length, what does not
 * fit is dropped, and what could not be sent is told to `onLost`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanContext, SpanOptions } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVICE_NAME,
} from '@opentelemetry/semantic-conventions';

import { formatTraceparent, parseTraceparent } from '../domain/traceparent.ts';
import { errorTypeOf, NO_SPAN } from './tracing.ts';
import type { OnLost, OpenSpan, SpanFacts, SpanStart, TraceSettings, Tracing } from './tracing.ts';

const NAMES: Readonly<Record<keyof SpanFacts, string>> = {
  requestId: 'dockyard.request.id',
  accountId: 'dockyard.account.id',
  jobId: 'dockyard.job.id',
  execution: 'dockyard.job.execution',
  slot: 'dockyard.instance.slot',
  generation: 'dockyard.instance.generation',
  kind: 'dockyard.task.kind',
  ordinal: 'dockyard.task.ordinal',
  taskCount: 'dockyard.task.count',
  attempt: 'dockyard.task.attempt',
  toolId: 'dockyard.tool.id',
  outcome: 'dockyard.task.outcome',
  operation: 'dockyard.operation',
  method: ATTR_HTTP_REQUEST_METHOD,
  status: ATTR_HTTP_RESPONSE_STATUS_CODE,
  workflowType: 'temporal.workflow.type',
  runId: 'temporal.run.id',
  activityType: 'temporal.activity.type',
};
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  inside: SpanKind.INTERNAL,
} as const;
/** The form of every text that a span may say; other texts are not shown. */
const WORD = /^[\w.:/-]{1,128}$/;
const NOT_SHOWN = '[not shown]';
const QUEUED_SPANS = 4096;
const EXPORT_MS = 5_000;
const CLOSE_MS = 1_000;

/** Opens tracing; the collector is called when the first spans have ended. */
export function createTracing(role: string, settings: TraceSettings, onLost: OnLost): Tracing {
  const ids = new GivenIds();
  const contexts = new AsyncLocalStorage<Context>();
  // The queue is sent from within whatever span has begun it, to which the loss does not belong.
  const provider = providerOf(role, settings, ids, (spans) =>
    contexts.run(ROOT_CONTEXT, () => onLost(spans)),
  );
  const tracer = provider.getTracer('dockyard');
  const active = (): Context => contexts.getStore() ?? ROOT_CONTEXT;
  const around = (): SpanContext | null => trace.getSpanContext(active()) ?? null;

  return {
    isOn: true,
    inSpan(start, work) {
      const parent = start.parent === undefined ? active() : contextOf(start.parent);
      if (start.isRoot !== true && trace.getSpanContext(parent) === undefined) return work(NO_SPAN);
      const span = tracer.startSpan(start.name, optionsOf(start), parent);
      return contexts.run(trace.setSpan(parent, span), () => within(span, work));
    },
    traceparent() {
      const place = around();
      return place === null ? null : textOf(place);
    },
    logFields() {
      const place = around();
      return place === null ? {} : { traceId: place.traceId, spanId: place.spanId };
    },
    record(ended) {
      const parent = contextOf(
        textOf({ ...ended, spanId: ended.parentSpanId, traceFlags: TraceFlags.SAMPLED }),
      );
      ids.next = ended.spanId;
      const options = {
        kind: SpanKind.CONSUMER,
        startTime: ended.startMs,
        attributes: attributesOf(ended.facts),
      };
      const span = tracer.startSpan(ended.name, options, parent);
      if (ended.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(ended.endMs);
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => undefined), patience()]);
    },
  };
}

function providerOf(role: string, settings: TraceSettings, ids: IdGenerator, onLost: OnLost): TracerProvider {
  const name = settings.tracesServiceName || `dockyard-${role}`;
  return new TracerProvider({
    resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: name }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.tracesRatio) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: telling(exporterOf(settings), onLost),
        scheduledDelayMillis: settings.tracesDelayMs,
        maxQueueSize: QUEUED_SPANS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
}

/** Runs work within a span that has begun; the span ends with the work. */
async function within<T>(span: Span, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  const fail = (errorType: string): void => {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute(ATTR_ERROR_TYPE, wordOf(errorType));
  };
  try {
    return await work({
      rename: (name) => void span.updateName(wordOf(name)),
      add: (facts) => void span.setAttributes(attributesOf(facts)),
      fail,
    });
  } catch (error) {
    fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function optionsOf({ kind, facts = {}, links = [] }: SpanStart): SpanOptions {
  const linked = links.flatMap((text) => trace.getSpanContext(contextOf(text)) ?? []);
  return {
    kind: KINDS[kind],
    attributes: attributesOf(facts),
    links: linked.map((context) => ({ context })),
  };
}

/** The context of a remote span; without one, the context of no span. */
function contextOf(traceparent: string | null): Context {
  const place = traceparent === null ? null : parseTraceparent(traceparent);
  if (place === null) return ROOT_CONTEXT;
  const { traceId, spanId, isRecorded } = place;
  const traceFlags = isRecorded ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return formatTraceparent({ traceId, spanId, isRecorded: (traceFlags & TraceFlags.SAMPLED) !== 0 });
}

function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {};
  for (const [fact, name] of Object.entries(NAMES)) {
    const value: unknown = Reflect.get(facts, fact);
    if (typeof value === 'number') attributes[name] = value;
    else if (typeof value === 'string') attributes[name] = wordOf(value);
  }
  return attributes;
}

function wordOf(text: string): string {
  return WORD.test(text) ? text : NOT_SHOWN;
}

function exporterOf({ tracesEndpoint, tracesHeaders = '' }: TraceSettings): SpanExporter {
  const pairs = tracesHeaders.split(',').filter((pair) => pair !== '');
  const headers = pairs.map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name, decodeURIComponent(value.join('='))];
  });
  return new OTLPTraceExporter({
    url: `${tracesEndpoint.replace(/\/$/, '')}/v1/traces`,
    headers: Object.fromEntries(headers),
    timeoutMillis: EXPORT_MS,
  });
}

/** An exporter that tells of the spans that it could not send. */
function telling(exporter: SpanExporter, onLost: OnLost): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onLost(spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CLOSE_MS));
}

/** Random ids, but for one span the id that it has been given. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: string | null = null;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    const given = this.next;
    this.next = null;
    return given ?? this.#random.generateSpanId();
  }
}

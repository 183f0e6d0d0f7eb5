/**
 * Spans, as the parts of the service make them: what was done, for how long, within what. Where tracing is off, work
 * runs as if there were no spans, and the library that records spans is not loaded.
 *
 * A span says ids, counts and words of closed lists. No field here takes free text, the implementation cuts what is no
 * id, and of an error a span has the code or the name of its class, never the message: a message may quote a customer.
 */
import { AppError } from '../domain/errors.ts';

/** Attributes of a span. */
export interface SpanFacts {
  readonly requestId?: string;
  readonly accountId?: string;
  readonly jobId?: string;
  readonly execution?: number;
  readonly slot?: number;
  readonly generation?: number;
  /** Work of an instance: a task, or a step by its kind. */
  readonly kind?: string;
  readonly ordinal?: number;
  readonly taskCount?: number;
  readonly attempt?: number;
  readonly toolId?: string;
  /** End of a tool's work on a task. */
  readonly outcome?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly status?: number;
  readonly workflowType?: string;
  readonly runId?: string;
  readonly activityType?: string;
}

/** Name and facts with which a span begins. */
export interface SpanStart {
  /** A word of our own: an operation, an activity, a step. */
  readonly name: string;
  /** Server: a call is answered. Client: a call is made. Consumer: work is taken from a queue. */
  readonly kind: 'server' | 'client' | 'consumer' | 'inside';
  /** The traceparent of the span's parent, null for none; where it is left out, the parent is the span around the call. */
  readonly parent?: string | null;
  /** Whether the span begins a trace where it has no parent. Without it there is no span there. */
  readonly isRoot?: true;
  /** Traceparents of other traces that have to do with the span. */
  readonly links?: readonly string[];
  readonly facts?: SpanFacts;
}

/** A span while its work runs. */
export interface OpenSpan {
  rename(name: string): void;
  add(facts: SpanFacts): void;
  /** Marks the span as failed, although its work throws nothing. */
  fail(errorType: string): void;
}

/** A span that was measured elsewhere, with ids of its own. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly hasFailed: boolean;
  readonly facts: SpanFacts;
}

/** The ids that a log line has of the span around it. */
export interface TraceFields {
  readonly traceId?: string;
  readonly spanId?: string;
}

/** Makes spans and tells what is around the running code. */
export interface Tracing {
  readonly isOn: boolean;
  /** Runs work within a span, which ends with the work. */
  inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** The traceparent of the span around the call; null outside of every span. */
  traceparent(): string | null;
  /** The ids of the span around the call; empty outside of every span. */
  logFields(): TraceFields;
  record(span: EndedSpan): void;
  /** Sends what is left, for a short time. */
  close(): Promise<void>;
}

/** Destination of spans; the names are those of the configuration. */
export interface TraceSettings {
  /** The base of the collector's address; empty: no tracing. */
  readonly tracesEndpoint: string;
  readonly tracesServiceName: string;
  readonly tracesRatio: number;
  readonly tracesDelayMs: number;
  /** Headers of each call, as `name=value,name=value`; a guest has none. */
  readonly tracesHeaders?: string;
}

/** Called with the number of spans that the collector did not take. */
export type OnLost = (spans: number) => void;

/** The span of work that has none. */
export const NO_SPAN: OpenSpan = { rename: () => undefined, add: () => undefined, fail: () => undefined };

/** Makes no spans. */
export const NO_TRACING: Tracing = {
  isOn: false,
  inSpan: (_start, work) => work(NO_SPAN),
  traceparent: () => null,
  logFields: () => ({}),
  record: () => undefined,
  close: () => Promise.resolve(),
};

const CLASS_NAME = /^[A-Za-z]{1,64}$/;

/** Names the type of an error for a span: its code, or the name of its class. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error && CLASS_NAME.test(error.name) ? error.name : 'Error';
}

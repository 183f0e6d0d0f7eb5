/**
 * The place of a span in a trace as text, in the form of W3C Trace Context version 00. The text travels in HTTP headers,
 * in headers of workflows and activities, and in the environment of tools.
 */

/** The ids of a span, and whether its trace is recorded. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isRecorded: boolean;
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const RECORDED = 0x01;

/** Reads a traceparent; null where the text is none, so that a wrong header is as good as no header. */
export function parseTraceparent(text: string): SpanPlace | null {
  const [, traceId = NO_TRACE, spanId = NO_SPAN, flags = '00'] = FORM.exec(text) ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null;
  return { traceId, spanId, isRecorded: (Number.parseInt(flags, 16) & RECORDED) !== 0 };
}

/** Writes a traceparent. */
export function formatTraceparent({ traceId, spanId, isRecorded }: SpanPlace): string {
  return `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`;
}

/**
 * Spans of passages: of a task that is given out, below the workflow that sent the task, and of the answer to the task. A poll is held for up to a
 * minute before there is a task, so the span of a task that is given out has the giving out alone. An answer says nothing of its
 * trace; the gateway that has given the task out remembers the trace, and at another gateway the answer has no span.
 */
import proto from '@temporalio/proto';

import type { InstanceClaims } from '../../contracts/instance.ts';
import { TRACE_HEADER } from '../../contracts/tracing.ts';
import type { PassedCall } from '../../metrics/pass-through.ts';
import type { Tracing } from '../../tracing/tracing.ts';

const W = proto.temporal.api.workflowservice.v1;
/** Each instance has a few tasks out at once; the oldest are forgotten. */
const REMEMBERED = 20_000;

type Bytes = Uint8Array;
type Work = () => Promise<Bytes>;

/** Makes the spans of calls that pass through. */
export interface PassageSpans {
  /** Runs what makes the answer to a poll of Temporal's response to it. */
  given(claims: InstanceClaims, response: Bytes, work: Work): Promise<Bytes>;
  /** Runs a call that answers a task. */
  answered(claims: InstanceClaims, call: PassedCall, request: Bytes, work: Work): Promise<Bytes>;
}

const NO_SPANS: PassageSpans = {
  given: (_claims, _response, work) => work(),
  answered: (_claims, _call, _request, work) => work(),
};

/** Decoders of the requests that answer a task. */
const ANSWERS: Partial<Record<PassedCall, { decode(bytes: Bytes): { readonly taskToken?: Bytes | null } }>> =
  {
    RespondActivityTaskCompleted: W.RespondActivityTaskCompletedRequest,
    RespondActivityTaskFailed: W.RespondActivityTaskFailedRequest,
    RespondActivityTaskCanceled: W.RespondActivityTaskCanceledRequest,
  };

/** Opens the spans of one gateway; none where tracing is off. */
export function createPassageSpans(tracing: Tracing): PassageSpans {
  if (!tracing.isOn) return NO_SPANS;
  const traces = new Map<string, string>();
  const remember = (token: string, trace: string): void => {
    traces.set(token, trace);
    for (const oldest of traces.size > REMEMBERED ? traces.keys() : []) {
      traces.delete(oldest);
      break;
    }
  };
  const within = (call: PassedCall, claims: InstanceClaims, parent: string, work: Work): Promise<Bytes> => {
    const { jobId, slot, generation } = claims;
    return tracing.inSpan({ name: call, kind: 'server', parent, facts: { jobId, slot, generation } }, work);
  };
  return {
    async given(claims, response, work) {
      const trace = traceOf(response);
      if (trace === null) return work();
      const given = await within('PollActivityTaskQueue', claims, trace, work);
      remember(nameOf(W.PollActivityTaskQueueResponse.decode(given).taskToken), trace);
      return given;
    },
    answered(claims, call, request, work) {
      const token = nameOf(ANSWERS[call]?.decode(request).taskToken);
      const trace = traces.get(token);
      if (trace === undefined) return work();
      traces.delete(token);
      return within(call, claims, trace, work);
    },
  };
}

/** The traceparent in the header of a task; null for a poll without a task, and for a task without a trace. */
function traceOf(response: Bytes): string | null {
  const { header } = W.PollActivityTaskQueueResponse.decode(response);
  const data = header?.fields?.[TRACE_HEADER]?.data;
  if (data === undefined || data === null) return null;
  try {
    const trace: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    return typeof trace === 'string' ? trace : null;
  } catch {
    return null;
  }
}

function nameOf(token: Bytes | null | undefined): string {
  return Buffer.from(token ?? []).toString('base64');
}

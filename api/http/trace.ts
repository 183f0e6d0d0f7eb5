/**
 * A span for every request of the API. A trace begins here. The traceparent of a caller is another matter: whoever names
 * the parent chooses the trace and whether the trace is recorded, so a caller could put spans into traces of others or
 * have everything recorded. Only an operator who knows the callers allows that, as a link or as the parent.
 */
import { TRACE_HEADER } from '../../src/contracts/tracing.ts';
import type { Tracing } from '../../src/tracing/tracing.ts';
import type { Context, Middleware } from './context.ts';

/** Maker of spans, and the use of a caller's traceparent. */
export interface RequestTraces {
  readonly tracing: Tracing;
  readonly ofCallers: 'ignore' | 'link' | 'parent';
}

/** Runs the requests below a base path within a span each; health checks and pages have no spans. */
export function traceRequests({ tracing, ofCallers }: RequestTraces, base: string): Middleware {
  return async (context, next) => {
    if (!context.path.startsWith(base)) return next();
    const sent = ofCallers === 'ignore' ? '' : context.get(TRACE_HEADER);
    const relation = ofCallers === 'parent' ? { parent: sent || null } : { parent: null, links: [sent] };
    const start = { name: context.method, kind: 'server', isRoot: true, ...relation } as const;
    return tracing.inSpan(start, async (span) => {
      context.state.trace = tracing.logFields();
      // The next steps answer every error, so that nothing is thrown here.
      await next();
      const { operationId } = context.state;
      if (operationId !== null) span.rename(`${context.method}.${operationId}`);
      span.add(factsOf(context));
      if (context.status >= 500) span.fail(String(context.status));
    });
  };
}

function factsOf({ method, status, state }: Context) {
  const { requestId, operationId, actor, jobId } = state;
  return {
    requestId,
    method,
    status,
    ...(operationId === null ? {} : { operation: operationId }),
    ...(actor === null ? {} : { accountId: actor.accountId }),
    ...(jobId === null ? {} : { jobId }),
  };
}

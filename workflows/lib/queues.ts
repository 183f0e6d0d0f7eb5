/**
 * The task queue of an activity. A run decides once, at its first such activity, whether activities that take long go to
 * task queues of their own; the decision is one marker in the history, however many activities follow. A run that began
 * when there was one task queue goes on with that task queue, which is the workflow's own.
 */
import { patched, proxyActivities } from '@temporalio/workflow';
import type { ActivityInterfaceFor, ActivityOptions, UntypedActivities } from '@temporalio/workflow';

/** Patch: activities that take long go to task queues of their own. */
const QUEUES_BY_KIND = 'queues-by-kind';

let byKind: boolean | null = null;

/** Makes the proxy of activities that go to this task queue. */
export function routedTo<A extends UntypedActivities>(
  taskQueue: string,
  options: ActivityOptions,
): ActivityInterfaceFor<A> {
  const there = proxyActivities<A>({ ...options, taskQueue });
  return new Proxy(proxyActivities<A>(options), {
    get: (here, name): unknown => Reflect.get(isByKind() ? there : here, name),
  });
}

function isByKind(): boolean {
  byKind ??= patched(QUEUES_BY_KIND);
  return byKind;
}

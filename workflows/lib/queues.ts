/**
 * Which task queue an activity goes to. The decision is made once in a run, when it is first needed, and stays for the
 * run: one marker in its history, however many activities follow. A run whose history began before there was more than
 * one queue goes on with that one, which is the workflow's own.
 */
import { patched, proxyActivities } from '@temporalio/workflow';
import type { ActivityInterfaceFor, ActivityOptions, UntypedActivities } from '@temporalio/workflow';

/** Patch: what takes long has task queues of its own. */
const QUEUES_BY_KIND = 'queues-by-kind';

let byKind: boolean | null = null;

/** Activities that go to this queue. */
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

/** Builds of control workers that run beside each other, as workflows know them. */
import { makeContinueAsNewFunc, workflowInfo, type Workflow } from '@temporalio/workflow';

/**
 * The options of a workflow that ends on the build that the workflow began on. Where control workers name no build the options are
 * empty, because the server refuses every step of a workflow that asks such a worker to stay on a build.
 */
export function staysOnItsBuild(): { readonly versioningBehavior?: 'PINNED' } {
  const name = workflowInfo().currentDeploymentVersion?.deploymentName ?? '';
  return name === '' ? {} : { versioningBehavior: 'PINNED' };
}

/**
 * Begins the next run of the workflow, which may take the build that is current then. A server that does not know of such a wish
 * leaves the next run on the build of this run, where this run stays on its build.
 */
export function continueInNextRun<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  return makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...args);
}

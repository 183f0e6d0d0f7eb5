/** What a request would be: its tool, plan and price. The same for a submit and an estimate. */
import { AppError } from '../../domain/errors.ts';
import type { Quote } from '../../domain/pricing.ts';
import type { JobPlan } from '../../contracts/job.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { PlannableRequest, Tool } from '../../tools/tool.ts';
import type { Quotes } from '../prices/quotes.ts';

/** What the installation offers a plan; the names are those of the configuration. */
export interface PlanSettings {
  readonly instanceSlots: number;
  readonly instanceVcpus: number;
  readonly maxInstancesPerJob: number;
  readonly taskTimeoutSeconds: number;
}

/** A request with everything that admission and estimate derive from it. */
export interface Offer {
  readonly tool: Tool;
  readonly simulator: string | null;
  readonly plan: JobPlan;
  readonly quote: Quote;
}

/** What making offers needs. */
export interface OfferDependencies {
  readonly tools: ToolRegistry;
  readonly quotes: Quotes;
  readonly settings: PlanSettings;
}

/**
 * The tool of a request, after its own checks.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, and the tool's own codes.
 */
export function toolFor(
  tools: ToolRegistry,
  request: PlannableRequest & { readonly sceneFile?: string },
  estimate: boolean,
): { readonly tool: Tool; readonly simulator: string | null } {
  const { jobType, simulator } = request;
  const resolved = tools.resolve(simulator === undefined ? { jobType } : { jobType, simulator });
  resolved.tool.check(request, estimate);
  if (!estimate && resolved.tool.needsSceneFile && request.sceneFile === undefined) {
    throw new AppError(
      'SCENE_FILE_REQUIRED',
      'This job needs sceneFile. Upload the file and send its storage key.',
    );
  }
  return resolved;
}

/** Plans and prices a request with its tool. */
export async function offerFor(
  { quotes, settings }: OfferDependencies,
  resolved: { readonly tool: Tool; readonly simulator: string | null },
  request: PlannableRequest,
): Promise<Offer> {
  const planned = resolved.tool.plan(request, {
    maxInstances: settings.maxInstancesPerJob,
    slotsPerInstance: settings.instanceSlots,
    vcpusPerInstance: settings.instanceVcpus,
  });
  const plan = {
    ...planned,
    taskTimeoutSeconds: Math.min(planned.taskTimeoutSeconds, settings.taskTimeoutSeconds),
  };
  const quote = await quotes.offer((book) => resolved.tool.price(request, plan, book), plan.taskCount);
  return { ...resolved, plan, quote };
}

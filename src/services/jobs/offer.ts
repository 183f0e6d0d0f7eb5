/** The offer for a request: its tool, plan and price. A submit and an estimate of the same request get the same offer. */
import { AppError } from '../../domain/errors.ts';
import type { Quote } from '../../domain/pricing.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { dropUnused } from '../../domain/unused-fields.ts';
import type { UsedRequest } from '../../domain/unused-fields.ts';
import type { JobPlan } from '../../contracts/job.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Quotes } from '../prices/quotes.ts';

/** What the installation offers a plan; the names are those of the configuration. */
export interface PlanSettings {
  readonly instanceSlots: number;
  readonly instanceVcpus: number;
  readonly maxInstancesPerJob: number;
  readonly taskTimeoutSeconds: number;
}

/** A request with its tool, without the fields that the tool's job does not use. */
export interface ResolvedRequest extends UsedRequest {
  readonly tool: Tool;
  readonly simulator: string | null;
}

/** A request with everything that admission and estimate derive from it. */
export interface Offer extends ResolvedRequest {
  readonly plan: JobPlan;
  readonly quote: Quote;
}

/** The installed tools, the prices, and the check of ligand confirmations. */
export interface OfferDependencies {
  readonly tools: ToolRegistry;
  readonly quotes: Quotes;
  readonly settings: PlanSettings;
}

/**
 * Finds the tool of a request and lets the tool check the request. Fields that the job does not use are dropped here, before
 * any other code reads them.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, and the tool's own codes.
 */
export function toolFor(tools: ToolRegistry, sent: SubmitJobRequest, estimate: boolean): ResolvedRequest {
  const { jobType, simulator } = sent;
  const resolved = tools.resolve(simulator === undefined ? { jobType } : { jobType, simulator });
  const { about, request } = resolved.tool;
  const used = dropUnused(sent, { id: about.id, reads: request.reads });
  request.check(used.request, estimate);
  if (!estimate && request.needsSceneFile && used.request.sceneFile === undefined) {
    throw new AppError(
      'SCENE_FILE_REQUIRED',
      'This job needs sceneFile. Upload the file and send its storage key.',
    );
  }
  return { ...resolved, ...used };
}

/** Plans and prices a request with its tool. */
export async function offerFor(
  { quotes, settings }: OfferDependencies,
  asked: ResolvedRequest,
): Promise<Offer> {
  const { tool, request } = asked;
  const planned = tool.planning.plan(request, {
    maxInstances: settings.maxInstancesPerJob,
    slotsPerInstance: settings.instanceSlots,
    vcpusPerInstance: settings.instanceVcpus,
  });
  const plan = {
    ...planned,
    taskTimeoutSeconds: Math.min(planned.taskTimeoutSeconds, settings.taskTimeoutSeconds),
  };
  const quote = await quotes.offer((book) => tool.planning.price(request, plan, book), plan.taskCount);
  return { ...asked, plan, quote };
}

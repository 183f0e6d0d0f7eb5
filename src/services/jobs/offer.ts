/** The offer for a request: its tool, plan and price. A submit and an estimate of the same request get the same offer. */
import type { CatalogueDatabase, DatabaseCatalogue } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';
import type { AccountPlan } from '../../domain/access.ts';
import { differenceOf } from '../../domain/priced.ts';
import type { Priced } from '../../domain/priced.ts';
import { needsVerifiedClasses } from '../../domain/pricing.ts';
import type { PriceClass, Quote } from '../../domain/pricing.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { dropUnused, PARAMETER_UNUSED } from '../../domain/unused-fields.ts';
import type { UsedRequest } from '../../domain/unused-fields.ts';
import { encodeClasses, faultOfClasses, requireClassesOf } from '../../domain/price-classes.ts';
import { tasksOfOrderedPart } from '../../domain/shards.ts';
import type { JobPlan, PinnedInput } from '../../contracts/job.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { InputSizes, Tool } from '../../tools/tool.ts';
import type { QuotedOffer } from '../prices/quote-tokens.ts';
import type { Quotes } from '../prices/quotes.ts';
import { planLimits, requireCapacity, requireRoom, withDecidedGpu } from './room.ts';
import type { PlanSettings } from './room.ts';

/** The codes of the notes on the price of a resumable job. */
const SPOT_NOT_OFFERED = 'SPOT_NOT_OFFERED';
const SPOT_PRICED = 'SPOT_PRICED';
const BYTES_PER_GB = 1e9;
/** An estimate counts with no more, so that every price stays an exact integer. */
const MOST_GB = 1_000_000;
/** Digits of a product of decimal numbers that rounding in binary leaves as they are. */
const EXACT_DIGITS = 15;

/** A request with its tool, without the fields that the tool's job does not use. */
export interface ResolvedRequest extends UsedRequest {
  readonly tool: Tool;
  readonly simulator: string | null;
  /** The database of the catalogue that the job reads; absent when the job reads none. */
  readonly database?: CatalogueDatabase;
}

/** A request with everything that admission and estimate derive from it. */
export interface Offer extends ResolvedRequest {
  readonly plan: JobPlan;
  readonly priced: Priced;
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
  const resolved = tools.resolve(sent);
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

/**
 * Looks up the database of the catalogue that a request names. From here on the request says all that the catalogue says,
 * and the files of the database are its attachments, so the job keeps them whatever happens to the catalogue.
 * @throws the tool's own codes.
 */
export async function withDatabase(
  catalogue: DatabaseCatalogue,
  asked: ResolvedRequest,
): Promise<ResolvedRequest> {
  const { request, warnings, unused } = asked;
  const named = (await asked.tool.request.database?.(request, catalogue)) ?? null;
  if (named === null) return asked;
  const { database, params } = named;
  const isUnused = (request.attachments ?? []).length > 0;
  const message = 'attachments is not used with a database of the catalogue.';
  return {
    ...asked,
    database,
    unused: isUnused ? [...unused, 'attachments'] : unused,
    warnings: isUnused ? [...warnings, { code: PARAMETER_UNUSED, message }] : warnings,
    request: {
      ...request,
      attachments: database.files.map(({ storageKey }) => storageKey),
      simulationParams: params,
    },
  };
}

/** Inputs that a submit has pinned, by storage key. */
export type PinnedSizes = ReadonlyMap<string, Pick<PinnedInput, 'byteSize'>>;

/** For whom an offer is made. */
export interface OfferedTo {
  /** The plan of the account, whose limits of capacity hold; null where no account is known. */
  readonly accountPlan: AccountPlan | null;
  /** The quote that the customer has; absent or null: none. */
  readonly quoted?: QuotedOffer | null;
  /** Whether a request that may use a GPU gets one; absent: as its quote says, else by what is offered. */
  readonly usesGpu?: boolean | null;
}

/** The field of a price that tells that a GPU is in it; a price without any has none. */
const GPU_FIELD = 'a GPU';

/**
 * Plans and prices a request with its tool; `pinned` is null at an estimate, where no input is looked at. With a quote that
 * the customer has the price is that of the quote.
 * @throws VALIDATION_ERROR with the field because of which a task fits on no instance, UNSUPPORTED_SIMULATOR without one,
 * CAPACITY_LIMIT_EXCEEDED when one instance is more than a limit of capacity, QUOTE_MISMATCH for a quote of another job.
 */
export async function offerFor(
  { quotes, settings }: OfferDependencies,
  asked: ResolvedRequest,
  pinned: PinnedSizes | null,
  {
    accountPlan,
    quoted = null,
    usesGpu = quoted === null ? null : GPU_FIELD in quoted.priced.fields,
  }: OfferedTo,
): Promise<Offer> {
  const { tool } = asked;
  const request = withDecidedGpu(settings, tool, asked.request, { accountPlan, usesGpu });
  const limits = planLimits(settings, tool.planning.resources(request), accountPlan);
  requireRoom(tool, request, limits);
  const planned = tool.planning.plan(request, limits);
  requireCapacity(settings, planned, { accountPlan, licence: tool.about.id });
  const plan = {
    ...planned,
    taskTimeoutSeconds: Math.min(planned.taskTimeoutSeconds, settings.taskTimeoutSeconds),
    ...(request.simulationParams?.libraryUse?.shuffledBy === undefined
      ? {}
      : { partTasks: tasksOfOrderedPart(planned) }),
  };
  const sizes = sizesOf(asked, pinned);
  const own = tool.request.warnings?.(request) ?? [];
  const warnings = [...asked.warnings, ...own, ...warningsOf(request, quotes)];
  const classes = tool.planning.classes(request, plan, sizes);
  const facts = tool.planning.priced(request, sizes);
  const { gpusPerInstance: gpus } = plan;
  const fields = {
    simulator: tool.about.id,
    taskCount: plan.taskCount,
    ...facts.fields,
    ...(gpus === undefined ? {} : { [GPU_FIELD]: 'yes' }),
  };
  const priced: Priced = { fields, sizes: facts.sizes };
  const quote =
    quoted?.quote ??
    (await quotes.offer((book) => tool.planning.price(request, plan, book, sizes), plan.taskCount));
  const classed =
    quoted === null ? withClasses(plan, classes, quote) : quotedPlan(plan, classes, quoted, priced);
  const takesSeats = quote.pricing.licenceNames.length > 0 || hasSeats(settings, tool);
  return {
    ...asked,
    request,
    warnings,
    priced,
    quote,
    plan: takesSeats ? { ...classed, licence: tool.about.id } : classed,
  };
}

/** Whether the installation counts the seats of a tool, whatever they cost. */
function hasSeats({ capacityLimits }: PlanSettings, { about }: Tool): boolean {
  return capacityLimits?.seats?.[about.id] !== undefined;
}

/** A resumable job is cheaper on spot instances alone, so its customer is told whether it is priced as on such instances. */
function warningsOf(
  { recovery }: SubmitJobRequest,
  { offersSpot }: Pick<Quotes, 'offersSpot'>,
): UsedRequest['warnings'] {
  if (recovery?.mode !== 'resumable') return [];
  const priced = 'recovery.mode: the price counts with spot instances, which may be taken away.';
  const notOffered =
    'recovery.mode: this installation has no spot instances, so a resumable job costs as much as a standard one.';
  return offersSpot
    ? [{ code: SPOT_PRICED, message: `${priced} One on demand in their place costs no more.` }]
    : [{ code: SPOT_NOT_OFFERED, message: notOffered }];
}

/** The plan of a job at the price of a quote. @throws QUOTE_MISMATCH when the job is not what was quoted. */
function quotedPlan(
  plan: JobPlan,
  classes: readonly string[] | null,
  { priced: before, quote }: QuotedOffer,
  priced: Priced,
): JobPlan {
  const difference = differenceOf(before, priced);
  if (difference !== null) throw notQuoted(`${difference}. Send what was estimated`);
  // With one price for all tasks it does not matter how another release would sort them into classes.
  if (!needsVerifiedClasses(quote)) return plan;
  const fault = faultOfClasses(pricesOf(quote), classes);
  if (fault !== null) throw notQuoted('its tasks are priced in other classes since. Estimate the job again');
  return withClasses(plan, classes, quote);
}

function notQuoted(why: string): AppError {
  return new AppError(
    'QUOTE_MISMATCH',
    `quoteId: the quote is not for this job: ${why}, or submit it without quoteId at the price of the moment.`,
  );
}

/** The classes of a price; none where seconds are measured. */
function pricesOf(offer: Quote): readonly PriceClass[] {
  const { pricing } = offer;
  return pricing.model === 'fixed' ? pricing.classes : [];
}

function withClasses(plan: JobPlan, classes: readonly string[] | null, offer: Quote): JobPlan {
  requireClassesOf(pricesOf(offer), classes);
  // Tasks of the only class need no mark, so the plan of such a job stays as small as ever.
  return classes === null || !needsVerifiedClasses(offer)
    ? plan
    : { ...plan, classes: encodeClasses(classes) };
}

/** Only a tool whose price depends on sizes gets the size that an estimate names. */
function sizesOf({ tool, request, database }: ResolvedRequest, pinned: PinnedSizes | null): InputSizes {
  if (tool.planning.defaultInputBytes === null) {
    return { bytes: new Map(), totalBytes: 0 };
  }
  const letters = database === undefined ? {} : { databaseLetters: database.letters };
  if (pinned === null) {
    const { totalSizeGB } = request.metadata ?? {};
    const isNamed = typeof totalSizeGB === 'number';
    return {
      bytes: null,
      totalBytes: isNamed ? bytesIn(Math.min(totalSizeGB, MOST_GB)) : tool.planning.defaultInputBytes,
      ...letters,
    };
  }
  const bytes = new Map(
    tool.inputs.stored(request).map(({ name, storageKey }) => [name, pinned.get(storageKey)?.byteSize ?? 0]),
  );
  const totalBytes = [...bytes.values()].reduce((total, size) => total + size, 0);
  return { bytes, totalBytes, ...letters };
}

/** A size that was divided by 1e9 comes back as it was, and not as a byte more, so the estimate is that of the submit. */
function bytesIn(gigabytes: number): number {
  return Math.ceil(Number((gigabytes * BYTES_PER_GB).toPrecision(EXACT_DIGITS)));
}

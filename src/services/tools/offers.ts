/**
 * Offers of tools, and of the variants of their programs. Each provider of instances tells what its machines can run, and the newest
 * report of each provider stands for ten minutes, so a host that is away for a moment withdraws nothing. A tool is offered while one
 * provider has it; a tool that has no pack and finds nothing lacking on any machine is always offered.
 */
import type { DataSource } from 'typeorm';

import type { ToolOffer } from '../../../entities/tools.ts';
import type { InstanceProvider } from '../../adapters/instances/instances.ts';
import { UNAVAILABLE_WORDS, isUnavailableReason } from '../../domain/availability.ts';
import type { ToolReport } from '../../domain/availability.ts';
import { AppError } from '../../domain/errors.ts';
import type { PlannableRequest, Tool, VariantChoice } from '../../tools/tool.ts';
import type { Row } from '../row.ts';

/** Facts that decide whether a tool may be unavailable: with neither a pack nor a need it never is. */
type OfferedTool = Pick<Tool, 'about' | 'pack' | 'lacks'>;
/** The same tool with the choice that requests have among its variants. */
type AskedTool = OfferedTool & { readonly request: Pick<Tool['request'], 'variant'> };

/** State of a tool: that of its programs, and the variants that can be run. */
export interface ToolState extends Omit<ToolReport, 'toolId' | 'variant'> {
  readonly variants: readonly {
    readonly name: string;
    readonly version: string | null;
    readonly digest: string | null;
  }[];
}

/** The tools that are offered now. */
export interface ToolOffers {
  /** Finds the state of a tool, which is available when the programs or one of their variants can be run. */
  of(tool: OfferedTool): Promise<ToolState>;
  /** @throws UNSUPPORTED_SIMULATOR, or JOB_TYPE_UNAVAILABLE of jobs without a simulator, when the tool or the variant that the request names cannot be run now. */
  require(tool: AskedTool, request: PlannableRequest): Promise<void>;
}

/** How long an answer of the database is used again; a change is seen by customers so much later. */
const KEPT_MS = 5_000;

const RECORD = `
  with told as (select * from unnest($2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[])
      as report (tool_id, variant, available, reason, version, digest)),
    gone as (delete from tool_offers o where o.provider = $1
      and not exists (select from told where told.tool_id = o.tool_id and told.variant = o.variant))
  insert into tool_offers (provider, tool_id, variant, available, reason, version, digest, seen_at)
  select $1, tool_id, variant, available, reason, version, digest, clock_timestamp() from told
  order by tool_id, variant
  on conflict (provider, tool_id, variant) do update set
    available = excluded.available, reason = excluded.reason, version = excluded.version,
    digest = excluded.digest, seen_at = excluded.seen_at`;

/** One row for each tool and variant: of a provider that has it, else of the one that was heard last. */
const STANDING = `
  select distinct on (tool_id, variant) tool_id, variant, available, reason, version, digest from tool_offers
  where seen_at > clock_timestamp() - interval '10 minutes'
  order by tool_id, variant, available desc, seen_at desc`;

/**
 * Asks a provider and writes what it answers, in the place of what it answered before; a provider that does not answer leaves its rows
 * as they are.
 */
export async function recordTools(
  db: DataSource,
  provider: Pick<InstanceProvider, 'name' | 'tools'>,
): Promise<void> {
  const reports = await provider.tools();
  const column = <K extends keyof ToolReport>(key: K): ToolReport[K][] =>
    reports.map((report) => report[key]);
  await db.query(RECORD, [
    provider.name,
    column('toolId'),
    reports.map(({ variant }) => variant ?? ''),
    column('available'),
    column('reason'),
    column('version'),
    column('digest'),
  ]);
}

/** Reads which tools are offered; an answer of the database is used for some seconds. */
export function createToolOffers(db: DataSource): ToolOffers {
  let kept: { readonly at: number; readonly reports: Promise<Standing> } | null = null;

  const read = async (): Promise<Standing> => {
    const now = performance.now();
    if (kept !== null && now - kept.at < KEPT_MS) return kept.reports;
    const reports = standing(db);
    const mine = { at: now, reports };
    kept = mine;
    // An error is not kept.
    reports.catch(() => {
      if (kept === mine) kept = null;
    });
    return reports;
  };

  const of: ToolOffers['of'] = async (tool) => {
    const told = await read();
    const reports = told.get(tool.about.id) ?? [];
    const variants = reports
      .filter(({ variant, available }) => variant !== null && available)
      .map(({ variant, version, digest }) => ({ name: variant ?? '', version, digest }));
    const own = reports.find(({ variant }) => variant === null);
    const installed = own?.available === true ? own : null;
    const available = installed !== null || variants.length > 0 || isAlwaysOffered(tool);
    return {
      available,
      reason: available
        ? null
        : (own?.reason ?? (told.size === 0 ? 'MACHINES_NOT_READY' : 'PACK_NOT_INSTALLED')),
      version: installed?.version ?? null,
      digest: installed?.digest ?? null,
      variants,
    };
  };

  return {
    of,
    async require(tool, request) {
      // Most requests name a tool that is always there, and wait for nothing.
      if (isAlwaysOffered(tool)) return;
      const { variant: choice } = tool.request;
      const asked = choice?.of(request) ?? null;
      const reports = (await read()).get(tool.about.id) ?? [];
      if (reports.some(({ variant, available }) => variant === asked && available)) return;
      const { available, reason, variants } = await of(tool);
      if (choice !== undefined && available) throw withoutVariant(tool, choice, asked, variants);
      const why = reason ?? 'PACK_NOT_INSTALLED';
      const todo = why === 'MACHINES_NOT_READY' ? 'ask again in a minute' : 'ask the operator to install it';
      const advice = `GET /api/v1/simulators tells which can be run; ${todo}.`;
      const { code, subject } = refusalOf(tool);
      const words = `cannot be run here now: ${UNAVAILABLE_WORDS[why]} (${why})`;
      throw new AppError(code, `${subject} ${words}. ${advice}`);
    },
  };
}

/** The refusal of a variant that no machine has, which names those that there are. */
function withoutVariant(
  tool: OfferedTool,
  { field }: VariantChoice,
  asked: string | null,
  variants: ToolState['variants'],
): AppError {
  const names = variants.map(({ name }) => name).join(', ');
  const choice = names === '' ? `Leave ${field} out.` : `${field} may name: ${names}.`;
  const lack = asked === null ? 'without a variant' : `in the variant ${asked}`;
  const { code, subject } = refusalOf(tool);
  return new AppError(code, `${subject} cannot be run here ${lack} now (PACK_NOT_INSTALLED). ${choice}`);
}

/** The code and the subject of the refusal of a tool: a customer has named a simulator, or a type of jobs. */
function refusalOf({ about }: OfferedTool): {
  readonly code: 'UNSUPPORTED_SIMULATOR' | 'JOB_TYPE_UNAVAILABLE';
  readonly subject: string;
} {
  return about.jobType === 'simulation'
    ? { code: 'UNSUPPORTED_SIMULATOR', subject: `The simulator ${about.id}` }
    : { code: 'JOB_TYPE_UNAVAILABLE', subject: `Jobs of type ${about.jobType} with ${about.id}` };
}

function isAlwaysOffered({ pack, lacks }: OfferedTool): boolean {
  return pack === null && lacks === undefined;
}

/** Reports that stand, by tool. */
type Standing = ReadonlyMap<string, readonly ToolReport[]>;

async function standing(db: DataSource): Promise<Standing> {
  type OfferRow = Row<ToolOffer, 'toolId' | 'variant' | 'available' | 'reason' | 'version' | 'digest'>;
  const rows = await db.query<OfferRow[]>(STANDING);
  const reports = rows.map(({ tool_id, variant, available, reason, version, digest }): ToolReport => ({
    toolId: tool_id,
    variant: variant === '' ? null : variant,
    available,
    reason: isUnavailableReason(reason) ? reason : null,
    version,
    digest,
  }));
  return Map.groupBy(reports, ({ toolId }) => toolId);
}

/**
 * Offers of tools. Each provider of instances tells what its machines can run, and the newest report of each provider stands for
 * ten minutes, so a host that is away for a moment withdraws nothing. A tool is offered while one provider has it; a tool that
 * has no pack and finds nothing lacking on any machine is always offered.
 */
import type { DataSource } from 'typeorm';

import type { ToolOffer } from '../../../entities/tools.ts';
import type { InstanceProvider } from '../../adapters/instances/instances.ts';
import { UNAVAILABLE_WORDS, isUnavailableReason } from '../../domain/availability.ts';
import type { ToolReport } from '../../domain/availability.ts';
import { AppError } from '../../domain/errors.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Row } from '../row.ts';

/** Facts that decide whether a tool may be unavailable: with neither a pack nor a need it never is. */
type OfferedTool = Pick<Tool, 'about' | 'pack' | 'lacks'>;

/** The tools that are offered now. */
export interface ToolOffers {
  /** Finds the state of a tool. */
  of(tool: OfferedTool): Promise<Omit<ToolReport, 'toolId'>>;
  /** @throws UNSUPPORTED_SIMULATOR when the tool cannot be run now. */
  require(tool: OfferedTool): Promise<void>;
}

/** How long an answer of the database is used again; a change is seen by customers so much later. */
const KEPT_MS = 5_000;

const RECORD = `
  insert into tool_offers (provider, tool_id, available, reason, version, digest, seen_at)
  select $1, tool_id, available, reason, version, digest, clock_timestamp()
  from unnest($2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[])
    as report (tool_id, available, reason, version, digest)
  order by tool_id
  on conflict (provider, tool_id) do update set
    available = excluded.available, reason = excluded.reason, version = excluded.version,
    digest = excluded.digest, seen_at = excluded.seen_at`;

/** One row for each tool: of a provider that has the tool, else of the one that was heard last. */
const STANDING = `
  select distinct on (tool_id) tool_id, available, reason, version, digest from tool_offers
  where seen_at > clock_timestamp() - interval '10 minutes'
  order by tool_id, available desc, seen_at desc`;

/** Asks a provider and writes what it answers; a provider that does not answer leaves its rows as they are. */
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
    column('available'),
    column('reason'),
    column('version'),
    column('digest'),
  ]);
}

/** Reads which tools are offered; an answer of the database is used for some seconds. */
export function createToolOffers(db: DataSource): ToolOffers {
  let kept: { readonly at: number; readonly reports: Promise<ReadonlyMap<string, ToolReport>> } | null = null;

  const read = async (): Promise<ReadonlyMap<string, ToolReport>> => {
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
    const report = (await read()).get(tool.about.id);
    const isAlways = isAlwaysOffered(tool);
    if (report !== undefined && (report.available || !isAlways)) return report;
    const reason = isAlways ? null : 'PACK_NOT_INSTALLED';
    return { available: isAlways, reason, version: null, digest: null };
  };

  return {
    of,
    async require(tool) {
      // Most requests name a tool that is always there, and wait for nothing.
      if (isAlwaysOffered(tool)) return;
      const { available, reason } = await of(tool);
      if (available) return;
      const words = UNAVAILABLE_WORDS[reason ?? 'PACK_NOT_INSTALLED'];
      const advice = 'GET /api/v1/simulators tells which can be run; ask the operator to install it.';
      throw new AppError(
        'UNSUPPORTED_SIMULATOR',
        `The simulator ${tool.about.id} cannot be run here now: ${words} (${reason ?? ''}). ${advice}`,
      );
    },
  };
}

function isAlwaysOffered({ pack, lacks }: OfferedTool): boolean {
  return pack === null && lacks === undefined;
}

async function standing(db: DataSource): Promise<ReadonlyMap<string, ToolReport>> {
  type Standing = Row<ToolOffer, 'toolId' | 'available' | 'reason' | 'version' | 'digest'>;
  const rows = await db.query<Standing[]>(STANDING);
  return new Map(
    rows.map(({ tool_id, available, reason, version, digest }) => [
      tool_id,
      {
        toolId: tool_id,
        available,
        reason: isUnavailableReason(reason) ? reason : null,
        version,
        digest,
      },
    ]),
  );
}

/** Leaked instances, for `admin instances --leaked` and `admin sweep`: asked of the provider, with Temporal or without it. */
import type { JobWorkflows, WorkflowEnd } from '../../adapters/temporal/client.ts';
import type { Leak } from '../../services/execution/instances/leaks.ts';
import {
  openProviders,
  providerNames,
  PROVIDER_SETTINGS,
} from '../../services/execution/instances/providers.ts';
import { sweepInstances } from '../../services/execution/instances/sweep.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { isAway } from '../../domain/away.ts';
import type { CommandContext } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { CommandProblem, EXIT, messageOf } from '../problems.ts';
import { TEMPORAL_ACCESS } from '../settings.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';
import { openJobWorkflows } from './workflows.ts';

const COLUMNS: readonly Column<Leak>[] = [
  { title: 'PROVIDER', value: (leak) => leak.provider },
  { title: 'PROVIDER ID', value: (leak) => leak.providerId },
  { title: 'JOB', value: (leak) => leak.row?.jobId ?? null },
  {
    title: 'SLOT',
    value: ({ row }) => (row === null ? null : `${String(row.slot)}.${String(row.generation)}`),
  },
  { title: 'CAUSE', value: (leak) => leak.cause },
  { title: 'LAUNCHED', value: (leak) => leak.launchedAt },
];

/** Findings of a sweep, and whether Temporal could be asked about open jobs. */
export interface SweptLeaks {
  readonly leaks: readonly Leak[];
  readonly askedTemporal: boolean;
}

/** Ends the leaked instances, or with `dryRun` only finds them. @throws CommandProblem when a provider does not answer. */
export async function sweepLeaks(context: CommandContext, dryRun: boolean): Promise<SweptLeaks> {
  const { sweepMinAgeSeconds: minAgeSeconds } = await context.settings.read('sweepMinAgeSeconds');
  const settings = await context.settings.read(...PROVIDER_SETTINGS);
  const workflows = await workflowsIfThere(context);
  try {
    return await withDatabase(context, async (db) => {
      const tools = createToolRegistry({ testTools: settings.testTools });
      const providers = await openProviders(settings, { db, tools });
      let askedTemporal = workflows !== null;
      // Where Temporal goes away meanwhile, the instances of open jobs are kept.
      const endOf = async (jobId: string): Promise<WorkflowEnd | null> => {
        try {
          return workflows === null ? null : await workflows.endOf(jobId);
        } catch {
          askedTemporal = false;
          return null;
        }
      };
      const leaks: Leak[] = [];
      for (const provider of providers.values())
        leaks.push(...(await sweepInstances(db, provider, { dryRun, minAgeSeconds, endOf })));
      return { leaks, askedTemporal };
    });
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = `A provider of instances (${providerNames(settings).join(', ')}) does not answer (${messageOf(error)}). ${context.settings.advice()}`;
    throw new CommandProblem(EXIT.unreachable, 'SERVICE_UNAVAILABLE', message, error);
  } finally {
    await workflows?.close();
  }
}

/** The leaks as text. */
export function leaksText(
  leaks: readonly Leak[],
  { dryRun, askedTemporal }: { readonly dryRun: boolean; readonly askedTemporal: boolean },
): string {
  const unasked = askedTemporal
    ? ''
    : 'Temporal does not answer, so the instances of open jobs were kept, whether a workflow runs or not.\n';
  if (leaks.length === 0) return `Nothing to end: every instance is explained.\n${unasked}`;
  const told = dryRun ? 'Instances that a sweep would end' : 'Instances ended';
  return `${table(COLUMNS, leaks)}${told}: ${String(leaks.length)}\n${unasked}`;
}

/** The messenger to workflows; null where Temporal is away, because leaks are ended without Temporal too. */
async function workflowsIfThere({ settings }: CommandContext): Promise<JobWorkflows | null> {
  try {
    const workflows = await openJobWorkflows(await settings.read(...TEMPORAL_ACCESS));
    try {
      await workflows.ping();
      return workflows;
    } catch {
      await workflows.close();
      return null;
    }
  } catch {
    return null;
  }
}

/** `dockyard admin tools` */
import type { Command } from 'commander';

import type { Containment } from '../../contracts/containment.ts';
import type { GpuFacts } from '../../contracts/local-host.ts';
import type { ToolReport } from '../../domain/availability.ts';
import { openProviders, PROVIDER_SETTINGS } from '../../services/execution/instances/providers.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { CommandProblem, EXIT, messageOf } from '../problems.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';

/** Tools of a provider's machines. */
interface ProviderTools {
  readonly provider: string;
  /** Null where each machine finds out at its start. */
  readonly containment: Containment | null;
  readonly gpus: readonly GpuFacts[];
  readonly tools: readonly ToolReport[];
}

const COLUMNS: readonly Column<ToolReport>[] = [
  { title: 'TOOL', value: ({ toolId, variant }) => (variant === null ? toolId : `${toolId}/${variant}`) },
  { title: 'AVAILABLE', value: ({ available, reason }) => (available ? 'yes' : `no (${reason ?? ''})`) },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'DIGEST', value: ({ digest }) => digest },
];

/** Adds the command on the tools of providers. */
export function addToolReportCommand(admin: Command, context: CommandContext): void {
  addCommand(admin, context, {
    usage: 'tools',
    summary:
      'Ask each provider of instances which tools its machines can run, and whether tools run in a sandbox there.',
    examples: ['admin tools', 'admin tools --json'],
    run: report,
  });
}

async function report(context: CommandContext): Promise<CommandResult> {
  const settings = await context.settings.read(...PROVIDER_SETTINGS);
  const found = await withDatabase(context, async (db) => {
    const registry = createToolRegistry({ testTools: settings.testTools });
    const providers = await openProviders(settings, { db, tools: registry });
    return Promise.all(
      [...providers.values()].map(async (provider): Promise<ProviderTools> => {
        try {
          const [tools, containment, gpus] = await Promise.all([
            provider.tools(),
            provider.containment(),
            provider.gpus(),
          ]);
          return { provider: provider.name, containment, gpus, tools };
        } catch (error) {
          const message = `The provider ${provider.name} does not answer (${messageOf(error)}). ${context.settings.advice()}`;
          throw new CommandProblem(EXIT.unreachable, 'SERVICE_UNAVAILABLE', message, error);
        }
      }),
    );
  });
  return { data: { providers: found }, text: found.map(textOf).join('\n') };
}

function textOf({ provider, containment, gpus, tools }: ProviderTools): string {
  const gpuLines = gpus.map((gpu) => `${gpuText(gpu)}\n`).join('');
  return `Provider ${provider}: ${containmentText(containment)}\n${gpuLines}\n${table(COLUMNS, tools)}`;
}

function gpuText({ name, memoryMib, driver }: GpuFacts): string {
  return name === null
    ? 'GPU that its driver does not describe (nvidia-smi does not run)'
    : `GPU ${name}, ${memoryMib} MiB, driver ${driver}`;
}

/** Describes the sandbox for an operator; without one, with the reason. */
function containmentText(containment: Containment | null): string {
  if (containment === null)
    return 'each machine makes a sandbox for its tools where it can; its log says whether.';
  switch (containment.kind) {
    case 'bubblewrap':
      return `tools run in a sandbox (bubblewrap ${containment.version}).`;
    case 'process-group':
      return `TOOLS RUN WITHOUT A SANDBOX, as the user of the compute host: ${containment.reason}`;
  }
}

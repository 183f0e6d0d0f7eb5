/** `dockyard experiment create` */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';

import type { ScreeningCommand } from '../../../tools/command.ts';
import { someText } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { createJobFiles } from '../job-files.ts';
import { withService } from '../service.ts';
import { idempotencyKey } from '../submit.ts';
import { optionOf } from '../tool-options.ts';
import { ligandOf } from './ligand.ts';

const [LONGEST_NAME, LONGEST_LIGAND] = [200, 4200] as const;

interface CreateOptions {
  readonly ligand: string;
  readonly name?: string;
  readonly idempotencyKey?: string;
}

/** Adds the command that stores an experiment. */
export function addCreateCommand<Options>(
  group: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  addCommand<Options & CreateOptions>(group, context, {
    usage: 'create',
    summary:
      'Store a protocol with its ligand. Nothing runs and nothing is charged. Prints the id of the experiment.',
    examples: [
      'experiment create --receptor 1a28.pdb --chains A --box-from-ligand STR:A:1 --ligand ccd:STR --validate STR:A:1',
      'experiment create --receptor 1HPV --box-from-residues A:25,B:25 --fix A:ASP:25=neutral --ligand hit.sdf --name "hit 7"',
    ],
    configure: (command) => {
      for (const option of screening.options) command.addOption(optionOf(option));
      return command
        .requiredOption(
          '--ligand <what>',
          'a file (.sdf, .mol, .mol2, .pdbqt, also with .gz), ccd:STR, smiles:CCO, or a name to look up',
          someText(LONGEST_LIGAND),
        )
        .option('--name <text>', 'name of the experiment', someText(LONGEST_NAME))
        .option(
          '--idempotency-key <key>',
          'a repeat with this key makes no second experiment',
          idempotencyKey,
        );
    },
    run: (cli, options) => create(cli, screening, options),
  });
}

async function create<Options>(
  cli: CommandContext,
  screening: ScreeningCommand<Options>,
  options: Options & CreateOptions,
): Promise<CommandResult> {
  const asked = screening.prepare(options, cli.folder);
  const { parameters, ligandPreparation: preparation, receptorName } = asked;
  return withService(cli, 'long', async (client) => {
    const key = options.idempotencyKey ?? randomUUID();
    const files = createJobFiles(client, key, cli.progress);
    const { folder } = cli;
    const { name, ligand } = await ligandOf(client, files, options.ligand, { folder, preparation });
    const request = {
      name: (options.name ?? `${receptorName} × ${name}`).slice(0, LONGEST_NAME),
      receptor: await asked.place(files),
      ligand,
      parameters,
    };
    const made = await client.docking.createExperiment(request, { idempotencyKey: key });
    cli.progress(`Run it with: dockyard experiment run ${made.experiment.id}`);
    return { data: made, text: `${made.experiment.id}\n` };
  });
}

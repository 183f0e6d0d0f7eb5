/** What every change of money asks of an operator: a key, a reason, and a second word above £100. */
import type { Command } from 'commander';

import { someText } from '../arguments.ts';
import { pounds } from '../table.ts';

/** The options of a change of money. */
export interface MeantOptions {
  readonly pence: number;
  readonly key: string;
  readonly reason: string;
  readonly yes?: true;
}

/** Above this amount an operator says twice that it is meant. */
const UNASKED_PENCE = 10_000;

/** Adds the key, the reason and the second word to a command whose option `--pence` is the amount. */
export function askWhetherMeant(
  command: Command,
  { does, reader }: { readonly does: string; readonly reader: string },
): Command {
  return command
    .requiredOption('--key <key>', `the same key ${does} once, however often it is repeated`, someText(200))
    .requiredOption('--reason <text>', `why, ${reader}`, someText(500))
    .option('--yes', 'needed above £100')
    .hook('preAction', () => {
      const { pence, yes } = command.opts<MeantOptions>();
      if (Math.abs(pence) > UNASKED_PENCE && yes !== true)
        command.error(`error: ${pounds(pence)} is more than £100; add --yes when it is meant`);
    });
}

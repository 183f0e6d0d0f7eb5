/** Options of every change of money: a key, a reason, and a second word above £100. */
import type { Command } from 'commander';

import { pence, someText } from '../arguments.ts';
import { pounds } from '../table.ts';

/** The options of a change of money. */
export interface MeantOptions {
  readonly pence: number;
  readonly key: string;
  readonly reason: string;
  readonly yes?: true;
}

/** The options of a command that may give credits besides what it does. */
export interface GiftOptions {
  readonly creditsPence: number;
  readonly creditsKey?: string;
  readonly creditsReason?: string;
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
      const { pence: amountPence, yes } = command.opts<MeantOptions>();
      requireSecondWord(command, amountPence, yes);
    });
}

/** Adds credits, and what is asked of who gives them, to a command that may give some. */
export function askWhetherGiven(command: Command): Command {
  return command
    .option('--credits-pence <n>', 'promotional credits to start with, in pence', pence(0), 0)
    .option('--credits-key <key>', 'needed with credits: the same key grants once', someText(200))
    .option(
      '--credits-reason <text>',
      'needed with credits: why, as the customer reads the reason',
      someText(500),
    )
    .option('--yes', 'needed above £100 of credits')
    .hook('preAction', () => {
      const { creditsPence, creditsKey, creditsReason, yes } = command.opts<GiftOptions>();
      const isMeant = creditsKey !== undefined && creditsReason !== undefined;
      if (creditsPence > 0 && !isMeant)
        command.error('error: --credits-pence needs --credits-key and --credits-reason');
      if (creditsPence === 0 && (creditsKey !== undefined || creditsReason !== undefined))
        command.error('error: --credits-key and --credits-reason belong to --credits-pence');
      requireSecondWord(command, creditsPence, yes);
    });
}

function requireSecondWord(command: Command, amountPence: number, yes: true | undefined): void {
  if (Math.abs(amountPence) > UNASKED_PENCE && yes !== true)
    command.error(`error: ${pounds(amountPence)} is more than £100; add --yes when it is meant`);
}

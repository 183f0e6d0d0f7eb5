/** `dockyard topup`: what credits cost, and the checkout at which a person pays for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { TierListResponse, TopupResponse } from '../../client/types.ts';
import { someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { EXIT } from '../problems.ts';
import { pounds, table } from '../table.ts';
import { withService } from './service.ts';

const LONGEST_TIER = 64;
const POLL_MS = 3_000;
/** States in which a purchase has come to its end. */
const ENDED: ReadonlySet<TopupResponse['state']> = new Set<TopupResponse['state']>([
  'PAID',
  'FAILED',
  'EXPIRED',
]);

/** Adds the command that buys credits. */
export function addTopupCommand(program: Command, context: CommandContext): void {
  addCommand<{ readonly wait?: true }>(program, context, {
    usage: 'topup [tier]',
    summary:
      'Buy credits: print the address of the checkout of a tier, where you pay in a browser; without a tier, list the tiers.',
    examples: ['topup', 'topup topup-50', 'topup topup-50 --wait'],
    configure: (command) => command.option('--wait', 'wait until it is paid, has failed or is over'),
    run: (cli, { wait }, [tier]) =>
      withService(cli, 'short', (client) =>
        tier === undefined
          ? listTiers(client)
          : buy(cli, client, someText(LONGEST_TIER)(tier), wait === true),
      ),
  });
}

async function listTiers(client: Client): Promise<CommandResult> {
  const list = await client.topups.tiers();
  return { data: list, text: tiersText(list) };
}

/** Tiers for people. */
export function tiersText({ tiers }: TierListResponse): string {
  return table(
    [
      { title: 'TIER', value: ({ tierId }) => tierId },
      { title: 'PRICE BEFORE TAX', value: ({ amountCents }) => pounds(amountCents), align: 'right' },
      { title: 'CREDITS', value: ({ creditsCents }) => pounds(creditsCents), align: 'right' },
    ],
    tiers,
  );
}

async function buy(
  { progress }: Pick<CommandContext, 'progress'>,
  client: Client,
  tierId: string,
  waits: boolean,
): Promise<CommandResult> {
  const started = await client.topups.start({ tierId });
  if (!waits) {
    progress('Pay at this address within an hour; the credits are there once the payment has arrived.');
    return { data: started, text: `${started.url}\n` };
  }
  progress(`Pay at this address within an hour: ${started.url}`);
  let topup = await client.topups.get(started.topupId);
  while (!ENDED.has(topup.state)) {
    await sleep(POLL_MS);
    topup = await client.topups.get(started.topupId);
  }
  const isPaid = topup.state === 'PAID';
  const credits = isPaid ? ` ${pounds(topup.amountCents + topup.bonusCents)} of credits are there.` : '';
  return {
    data: topup,
    text: `${topup.state}.${credits}\n`,
    exitCode: isPaid ? EXIT.ok : EXIT.failed,
  };
}

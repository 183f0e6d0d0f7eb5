/** `dockyard webhooks deliveries` and what is done with one of them. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import type { DeliveryFilter } from '../../../client/index.ts';
import type { WebhookDelivery, WebhookDeliveryResponse } from '../../../client/types.ts';
import { DELIVERY_STATES } from '../../../domain/webhooks.ts';
import { id, pointInTime, wholeNumber } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { facts, printableLines, table } from '../../table.ts';
import type { Column } from '../../table.ts';
import { asSignedIn } from '../people/as-person.ts';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'ID', value: (delivery) => delivery.id },
  { title: 'CREATED', value: ({ createdAt }) => toSecond(createdAt) },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'TRIES', value: ({ attempt }) => attempt, align: 'right' },
  { title: 'LAST', value: ({ status, code }) => status ?? code },
  { title: 'MS', value: ({ durationMs }) => durationMs, align: 'right' },
  { title: 'NEXT TRY', value: ({ nextAttemptAt }) => toSecond(nextAttemptAt) },
];
const EXAMPLE = '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11';
const OTHER = '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90';
const MOST = 1_000;
const SHOWN = 50;

interface ListOptions extends DeliveryFilter {
  readonly limit: number;
}

/** Adds the commands on deliveries. */
export function addDeliveryCommands(webhooks: Command, context: CommandContext): void {
  addListCommand(webhooks, context);
  addCommand(webhooks, context, {
    usage: 'delivery <webhook> <delivery>',
    summary: 'Show a delivery: what is sent, how the last try went, what was answered.',
    examples: [`webhooks delivery ${EXAMPLE} ${OTHER}`],
    run: async (cli, _options, [webhook = '', delivery = '']) => {
      const found = await asSignedIn(cli, (client) => client.webhooks.delivery(id(webhook), id(delivery)));
      return { data: found, text: textOf(found) };
    },
  });
  addCommand(webhooks, context, {
    usage: 'redeliver <webhook> <delivery>',
    summary:
      'Send a delivery again, whatever came of it; a dockyard listen that is signed in forwards its event again, too.',
    examples: [`webhooks redeliver ${EXAMPLE} ${OTHER}`],
    run: async (cli, _options, [webhook = '', delivery = '']) => {
      const again = await asSignedIn(cli, (client) => client.webhooks.redeliver(id(webhook), id(delivery)));
      const text = `${again.id} is sent again. See how it went with: dockyard webhooks delivery ${again.webhookId} ${again.id}\n`;
      return { data: again, text };
    },
  });
  addCommand<Pick<DeliveryFilter, 'since'>>(webhooks, context, {
    usage: 'redeliver-failed <webhook>',
    summary: 'Send again, oldest first, whatever was given up or skipped.',
    examples: [`webhooks redeliver-failed ${EXAMPLE} --since 2026-11-22T09:00:00Z`],
    configure: (command) =>
      command.option('--since <time>', 'only what was made since then (default: all 30 days)', pointInTime),
    run: async (cli, { since }, [webhook = '']) => {
      const webhookId = id(webhook);
      const done = await asSignedIn(cli, (client) =>
        client.webhooks.redeliverFailed(webhookId, since === undefined ? {} : { since }),
      );
      const more = done.more ? ' There may be more: run the command again.' : '';
      return { data: done, text: `${done.redelivered} sent again.${more}\n` };
    },
  });
}

function addListCommand(webhooks: Command, context: CommandContext): void {
  addCommand<ListOptions>(webhooks, context, {
    usage: 'deliveries <webhook>',
    summary: 'List what was sent to a webhook in the last 30 days or waits to be, newest first.',
    examples: [`webhooks deliveries ${EXAMPLE} --state FAILED --since 2026-11-22T09:00:00Z`],
    configure: (command) =>
      command
        .option('--state <state>', `only those that are ${DELIVERY_STATES.join(', ')}`, deliveryState)
        .option('--type <type>', 'only events of this type')
        .option('--since <time>', 'only what was made since then', pointInTime)
        .option('--until <time>', 'only what was made before then', pointInTime)
        .option('--limit <n>', `show so many, ${MOST} at most`, wholeNumber(1, MOST), SHOWN),
    run: async (cli, { limit, state, type, since, until }, [webhook = '']) => {
      const filter = {
        ...(state === undefined ? {} : { state }),
        ...(type === undefined ? {} : { type }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
      };
      const [deliveries, more] = await asSignedIn(cli, async (client) => {
        const found: WebhookDelivery[] = [];
        for await (const delivery of client.webhooks.deliveries(id(webhook), filter)) {
          if (found.length === limit) return [found, true] as const;
          found.push(delivery);
        }
        return [found, false] as const;
      });
      const rest = more ? `There are more; --limit and --until show them.\n` : '';
      const text = deliveries.length === 0 ? 'No deliveries.\n' : table(COLUMNS, deliveries) + rest;
      return { data: { deliveries, more }, text };
    },
  });
}

function deliveryState(text: string): (typeof DELIVERY_STATES)[number] {
  const state = DELIVERY_STATES.find((known) => known === text.toUpperCase());
  if (state !== undefined) return state;
  throw new InvalidArgumentError(`It is one of ${DELIVERY_STATES.join(', ')}.`);
}

function textOf(delivery: WebhookDeliveryResponse): string {
  const { eventId, type, state, attempt, status, code, durationMs, nextAttemptAt, request, answer } =
    delivery;
  const last = status === null ? (code ?? 'not tried yet') : `${status}${code === null ? '' : ` (${code})`}`;
  const told = facts([
    ['Event', `${eventId} (${type})`],
    ['State', state],
    ['Tries', attempt],
    ['Last try', durationMs === null ? last : `${last} after ${durationMs} ms`],
    ...(nextAttemptAt === null ? [] : [['Next try', nextAttemptAt] as const]),
    ['Sent to', request.url],
    ['Body', request.body],
  ]);
  return answer === null || answer === '' ? told : `${told}Answer\n${printableLines(answer)}\n`;
}

function toSecond(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 19).replace('T', ' ')}Z`;
}

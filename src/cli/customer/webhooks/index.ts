/** `dockyard webhooks …`: what an owner does with webhooks, after `dockyard login --browser`. */
import type { Command } from 'commander';

import type { Webhook } from '../../../client/types.ts';
import { id, wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { facts, table } from '../../table.ts';
import type { Column } from '../../table.ts';
import { asSignedIn } from '../people/as-person.ts';
import { addDeliveryCommands } from './deliveries.ts';

const COLUMNS: readonly Column<Webhook>[] = [
  { title: 'ID', value: (webhook) => webhook.id },
  { title: 'STATE', value: (webhook) => stateOf(webhook) },
  { title: 'URL', value: ({ url }) => url },
  { title: 'TYPES', value: ({ types }) => types.join(' ') },
];
const A_WEEK = 604_800;
const A_DAY = 86_400;
const EXAMPLE = '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11';
const SHOWN_ONCE = 'The secret is shown this once; the receiver verifies by it what comes.';

interface Place {
  readonly url: string;
  readonly types: readonly string[];
}

/** Adds the commands on webhooks. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhooks = addGroup(program, 'webhooks', 'Servers that events are sent to, after login --browser');
  addCommand(webhooks, context, {
    usage: 'list',
    summary: 'List the webhooks of the account, oldest first; for owners.',
    examples: ['webhooks list', 'webhooks list --json'],
    run: async (cli) => {
      const found = await asSignedIn(cli, (client) => client.webhooks.list());
      return {
        data: { webhooks: found },
        text: found.length === 0 ? 'No webhooks.\n' : table(COLUMNS, found),
      };
    },
  });
  addCreateCommand(webhooks, context);
  addOne(webhooks, context, 'show', 'Show a webhook and whether events are sent to it.', (webhookId) => ({
    work: (client) => client.webhooks.get(webhookId),
    text: factsOf,
  }));
  addUpdateCommand(webhooks, context);
  addOne(
    webhooks,
    context,
    'delete',
    'Delete a webhook with its deliveries; nothing more is sent.',
    (webhookId) => ({
      work: async (client) => {
        await client.webhooks.delete(webhookId);
        return { id: webhookId, deleted: true };
      },
      text: () => `${webhookId} is deleted.\n`,
    }),
  );
  addOne(webhooks, context, 'test', 'Send an event of the type webhook.test.', (webhookId) => ({
    work: (client) => client.webhooks.test(webhookId),
    text: ({ id: deliveryId }) =>
      `A test is sent. See how it went with: dockyard webhooks delivery ${webhookId} ${deliveryId}\n`,
  }));
  addOne(webhooks, context, 'enable', 'Send events again to a webhook that was disabled.', (webhookId) => ({
    work: (client) => client.webhooks.enable(webhookId),
    text: () =>
      `Events are sent again. What was skipped meanwhile: dockyard webhooks redeliver-failed ${webhookId}\n`,
  }));
  addRotateCommand(webhooks, context);
  addDeliveryCommands(webhooks, context);
}

/** Work on one webhook, and its text. */
interface WorkOnOne<T> {
  readonly work: (client: Parameters<Parameters<typeof asSignedIn>[1]>[0]) => Promise<T>;
  readonly text: (done: T) => string;
}

function addOne<T>(
  webhooks: Command,
  context: CommandContext,
  name: string,
  summary: string,
  of: (webhookId: string) => WorkOnOne<T>,
): void {
  addCommand(webhooks, context, {
    usage: `${name} <webhook>`,
    summary,
    examples: [`webhooks ${name} ${EXAMPLE}`],
    run: async (cli, _options, [webhook = '']) => {
      const { work, text } = of(id(webhook));
      const data = await asSignedIn(cli, work);
      return { data, text: text(data) };
    },
  });
}

function placed(command: Command, isNew: boolean): Command {
  const add = (flags: string, words: string): Command =>
    isNew ? command.requiredOption(flags, words) : command.option(flags, words);
  add('--url <url>', 'address of the server: https, a host of the public internet');
  add('--types <type...>', 'types of the events that are sent, such as job.succeeded job.failed');
  return command;
}

function addCreateCommand(webhooks: Command, context: CommandContext): void {
  addCommand<Place>(webhooks, context, {
    usage: 'create',
    summary: 'Create a webhook and show its secret, once.',
    examples: ['webhooks create --url https://example.org/hooks/dockyard --types job.succeeded job.failed'],
    configure: (command) => placed(command, true),
    run: async (cli, { url, types }) => {
      const made = await asSignedIn(cli, (client) => client.webhooks.create({ url, types }));
      const same =
        made.sameAs === null
          ? ''
          : `${made.sameAs} has the same address and types, so each event comes twice.\n`;
      const next = `Its id is ${made.id}. Try it with: dockyard webhooks test ${made.id}\n`;
      return { data: made, text: `${made.secret}\n${SHOWN_ONCE} ${next}${same}` };
    },
  });
}

function addUpdateCommand(webhooks: Command, context: CommandContext): void {
  addCommand<Partial<Place>>(webhooks, context, {
    usage: 'update <webhook>',
    summary: 'Change the address or the types of a webhook; what is not named stays, and so does the secret.',
    examples: [`webhooks update ${EXAMPLE} --types job.succeeded job.failed job.paused`],
    configure: (command) =>
      placed(command, false).hook('preAction', () => {
        const { url, types } = command.opts<Partial<Place>>();
        if (url === undefined && types === undefined) command.error('error: name --url or --types');
      }),
    run: async (cli, options, [webhook = '']) => {
      const webhookId = id(webhook);
      const changed = await asSignedIn(cli, async ({ webhooks: of }) => {
        const { url, types } = { ...(await of.get(webhookId)), ...options };
        return of.change(webhookId, { url, types });
      });
      return { data: changed, text: factsOf(changed) };
    },
  });
}

function addRotateCommand(webhooks: Command, context: CommandContext): void {
  addCommand<{ readonly overlapSeconds: number }>(webhooks, context, {
    usage: 'rotate-secret <webhook>',
    summary: 'Make another secret and show it, once; the old one signs for a while, too.',
    examples: [`webhooks rotate-secret ${EXAMPLE} --overlap-seconds 3600`],
    configure: (command) =>
      command.option('--overlap-seconds <n>', 'how long both sign', wholeNumber(0, A_WEEK), A_DAY),
    run: async (cli, { overlapSeconds }, [webhook = '']) => {
      const made = await asSignedIn(cli, (client) =>
        client.webhooks.rotateSecret(id(webhook), { overlapSeconds }),
      );
      const text = `${made.secret}\n${SHOWN_ONCE} The old one signs for ${overlapSeconds} s more.\n`;
      return { data: made, text };
    },
  });
}

function stateOf({ enabled, disabledReason, failingSince }: Webhook): string {
  if (!enabled) return `disabled: ${disabledReason ?? ''}`;
  return failingSince === null ? 'enabled' : 'failing';
}

function factsOf(webhook: Webhook): string {
  const { failingSince, createdAt } = webhook;
  return facts([
    ['Id', webhook.id],
    ['Address', webhook.url],
    ['Types', webhook.types.join(' ')],
    ['State', stateOf(webhook)],
    ...(failingSince === null ? [] : [['Failing since', failingSince] as const]),
    ['Created', createdAt],
  ]);
}

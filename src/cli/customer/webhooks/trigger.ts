/** `dockyard trigger`: the example of an event, sent to a receiver that is being made. Nothing of it reaches the service. */
import type { Command } from 'commander';
import { v7 as uuidv7 } from 'uuid';

import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { eventExample, eventTypes, partOf } from '../openapi.ts';
import { drawSecret, isTaken, receiverUrl, sendEvent, sentText, webhookSecret } from './message.ts';

/** The header by which a receiver tells an example from an event. */
export const EXAMPLE_HEADER = 'dockyard-example';

interface TriggerOptions {
  readonly to: string;
  readonly secret?: string;
}

/** Adds the command `trigger`. */
export function addTriggerCommand(program: Command, context: CommandContext): void {
  addCommand<TriggerOptions>(program, context, {
    usage: 'trigger <type>',
    summary:
      'Send the example of a type of events to a receiver, signed. It is marked by the header dockyard-example and by "example": true in data, and is in no log.',
    examples: ['trigger job.succeeded --to http://127.0.0.1:4000/hooks --secret whsec_…'],
    configure: (command) =>
      command
        .requiredOption('--to <url>', 'address of the receiver', receiverUrl)
        .option(
          '--secret <secret>',
          'secret that signs, or - to read it from standard input (default: draws one)',
        ),
    run: trigger,
  });
}

async function trigger(
  { terminal, progress }: CommandContext,
  { to, secret: given }: TriggerOptions,
  [type = '']: readonly string[],
): Promise<CommandResult> {
  const example = eventExample(type);
  if (example === null)
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_UNKNOWN_WORD',
      `There are no events of the type ${type}. The types are ${eventTypes().join(', ')}.`,
    );
  const named = given === '-' ? (await terminal.readInput()).trim() : given;
  const secret = named === undefined ? drawSecret() : webhookSecret(named);
  if (named === undefined) progress(`Signed with ${secret}`);
  // An id of its own, because a receiver ignores an id that it has seen.
  const event = {
    id: uuidv7(),
    type,
    timestamp: new Date().toISOString(),
    data: { ...partOf(example, 'data'), example: true },
  };
  const sent = await sendEvent(to, secret, event, { [EXAMPLE_HEADER]: 'true' });
  if ('fault' in sent)
    throw new CommandProblem(
      EXIT.unreachable,
      'CONNECTION_LOST',
      `${to} did not take the example: ${sent.reason}.`,
    );
  return {
    data: { event, ...sent },
    text: `${type}  ${event.id}  ${sentText(sent)}\n`,
    exitCode: isTaken(sent) ? EXIT.ok : EXIT.failed,
  };
}

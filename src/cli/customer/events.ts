/** `dockyard events` */
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { AccountEvent } from '../../client/types.ts';
import { id } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withService } from './service.ts';

interface EventsOptions {
  readonly follow?: true;
  readonly types?: readonly string[];
  readonly job?: string;
  readonly since?: string;
  /** Every command's own, read here because lines are printed before the result. */
  readonly json?: true;
}

/** Adds the command `events`. */
export function addEventsCommand(program: Command, context: CommandContext): void {
  addCommand<EventsOptions>(program, context, {
    usage: 'events',
    summary:
      'Show what happened to jobs, uploads, exports, credits and projects, oldest first, of the last 30 days. With --follow it goes on with what happens, a line for each event, until Ctrl-C; the lines are JSON with --json.',
    examples: ['events', 'events --follow --types job.succeeded job.failed', 'events --since CURSOR --json'],
    configure: (command) =>
      command
        .option('--follow', 'wait for further events; begins now unless --since says otherwise')
        .option('--types <type...>', 'only these types, such as job.succeeded')
        .option('--job <job>', 'only events of this job', id)
        .option('--since <cursor>', 'go on after a cursor that was printed before'),
    run: (cli, options) =>
      withService(cli, options.follow === true ? 'long' : 'short', async (client) =>
        options.follow === true ? follow(cli, client, options) : list(client, options),
      ),
  });
}

type Shown = Promise<{ readonly data: unknown; readonly text: string }>;

function chosen({ types, job }: EventsOptions): { types?: readonly string[]; subject?: string } {
  return {
    ...(types === undefined ? {} : { types }),
    ...(job === undefined ? {} : { subject: job.toLowerCase() }),
  };
}

async function list(client: Client, options: EventsOptions): Shown {
  const events: AccountEvent[] = [];
  let cursor = options.since ?? null;
  const told = { ...chosen(options), from: options.since ?? 'oldest', follow: false };
  for await (const event of client.events({ ...told, onCursor: (next) => void (cursor = next) }))
    events.push(event);
  return {
    data: { events, cursor },
    text: `${events.map(lineOf).join('')}Go on later: --since ${cursor ?? ''}\n`,
  };
}

async function follow(cli: CommandContext, client: Client, options: EventsOptions): Shown {
  const leaving = new AbortController();
  const stop = cli.terminal.onInterrupt(() => leaving.abort());
  let cursor = options.since ?? null;
  try {
    const from = options.since === undefined ? {} : { from: options.since };
    const onCursor = (next: string): void => void (cursor = next);
    for await (const event of client.events({
      ...chosen(options),
      ...from,
      onCursor,
      signal: leaving.signal,
    }))
      cli.write(options.json === true ? `${JSON.stringify(event)}\n` : lineOf(event));
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    stop();
  }
  return { data: { cursor }, text: `Go on later: --since ${cursor ?? ''}\n` };
}

/** An event for people: time, type, and its facts. */
export function lineOf({ timestamp, type, data }: AccountEvent): string {
  const facts = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`);
  return `${timestamp.slice(0, 19).replace('T', ' ')}Z  ${type}  ${facts.join(' ')}\n`;
}

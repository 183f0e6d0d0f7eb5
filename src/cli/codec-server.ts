/** `dockyard codec-server` */
import type { Command } from 'commander';

import type { ConfigOf } from '../config.ts';
import { wholeNumber } from './arguments.ts';
import { addCommand } from './command.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { CommandProblem, EXIT, messageOf } from './problems.ts';

interface ServerOptions {
  readonly host: string;
  readonly port: number;
}

const SETTINGS = [
  ...(['temporalCodecKeys', 'temporalCodecKey', 'temporalUiUrl'] as const),
  ...(['codecServerToken', 'codecServerOrigins'] as const),
] as const;
const PORT = 8092;

/** Adds the command. */
export function addCodecServerCommand(program: Command, context: CommandContext): void {
  addCommand<ServerOptions>(program, context, {
    usage: 'codec-server',
    summary: "Open sealed payloads for Temporal's UI and command line, until Ctrl-C.",
    examples: ['codec-server', 'codec-server --port 9000'],
    configure: (command) =>
      command
        .option('--host <address>', 'where to listen', '127.0.0.1')
        .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), PORT),
    run: serve,
  });
}

async function serve(context: CommandContext, { host, port }: ServerOptions): Promise<CommandResult> {
  const settings = await settingsOf(context);
  const { codecServerToken: token, codecServerOrigins: origins, temporalUiUrl } = settings;
  // The codec loads the messages of Temporal, which no other command but those on jobs needs.
  const { createPayloadCodec } = await import('../adapters/temporal/codec.ts');
  const { startCodecServer } = await import('../adapters/temporal/codec-server.ts');
  const codec = createPayloadCodec(settings);
  if (codec === null) throw unset('DOCKYARD_TEMPORAL_CODEC_KEYS', 'no payload is sealed');
  if (token === '') throw unset('DOCKYARD_CODEC_SERVER_TOKEN', 'everybody could open payloads');
  const server = await startCodecServer({
    codec,
    host,
    port,
    token,
    origins: origins === '' ? [new URL(temporalUiUrl).origin] : origins.split(',').map((one) => one.trim()),
  });
  context.progress(`The codec server listens at ${server.url}`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.close();
  return { data: { url: server.url, ended: true }, text: '' };
}

/** The keys are all that the server needs, so where they are named, neither a database nor a stack is looked for. */
async function settingsOf({
  env,
  settings,
}: CommandContext): Promise<Pick<ConfigOf<'cli'>, (typeof SETTINGS)[number]>> {
  if ((env['DOCKYARD_TEMPORAL_CODEC_KEYS'] ?? '') === '') return settings.read(...SETTINGS);
  const { loadPart } = await import('../config.ts');
  try {
    return loadPart('cli', SETTINGS, env);
  } catch (error) {
    throw new CommandProblem(EXIT.refused, 'WRONG_SETTINGS', messageOf(error), error);
  }
}

function unset(variable: string, consequence: string): CommandProblem {
  return new CommandProblem(EXIT.refused, 'WRONG_SETTINGS', `${variable} is not set, so ${consequence}.`);
}

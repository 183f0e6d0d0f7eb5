import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Command } from './child.ts';

const run = promisify(execFile);

/** The dev server's default of one day would lose the histories of finished jobs that operators still look for. */
const retentionHours = 720;

/** The typed search attributes of every workflow; names, scenes and secrets never go into them. */
export const SEARCH_ATTRIBUTES = {
  AccountId: 'Keyword',
  JobType: 'Keyword',
  Simulator: 'Keyword',
  JobStatus: 'Keyword',
  Provider: 'Keyword',
  RecoveryCount: 'Int',
} as const;

/**
 * How many polls of one kind the server holds at once. Its default of 1,200 would be passed by 300 instances of four polls, whose further polls it refuses.
 */
export const POLLS_AT_ONCE = 20_000;

/**
 * Makes the command of the Temporal dev server: one process with UI and a database file in the data folder. A namespace of its
 * own tells the server of one data folder from that of another, and what is meant for the one finds nothing in the other. Without
 * durability a crash of the machine may lose data; a crash of the process does not.
 */
export function temporalCommand(
  program: string,
  home: string,
  ports: { readonly server: number; readonly ui: number },
  { namespace, isDurable }: { readonly namespace: string; readonly isDurable: boolean },
  environment: Readonly<Record<string, string>>,
): Command {
  const folder = join(home, 'temporal');
  mkdirSync(folder, { recursive: true });
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  const places = ['--ip', '127.0.0.1', '--port', String(ports.server), '--ui-port', String(ports.ui)];
  const store = ['--db-filename', join(folder, 'temporal.db'), '--namespace', namespace];
  const synced = isDurable ? [] : ['--sqlite-pragma', 'synchronous=off'];
  const limits = ['--dynamic-config-value', `frontend.namespaceCount=${String(POLLS_AT_ONCE)}`];
  const quiet = ['--log-level', 'warn', '--log-format', 'json', '--color', 'never'];
  return {
    file: program,
    arguments: [
      'server',
      'start-dev',
      ...ownConfigOnly,
      ...places,
      ...store,
      ...synced,
      ...limits,
      ...attributes,
      ...quiet,
    ],
    environment,
    folder,
    channel: false,
  };
}

/** A profile in the user's own Temporal configuration must not lead this stack elsewhere. */
const ownConfigOnly = ['--disable-config-file', '--disable-config-env'];

/** Sets how long finished workflows are kept; says when the namespace answers, too. */
export async function prepareNamespace(
  program: string,
  place: () => { readonly address: string; readonly namespace: string },
  environment: Readonly<Record<string, string>>,
  stopped: AbortSignal,
): Promise<void> {
  const update = ['operator', 'namespace', 'update', ...ownConfigOnly, '--retention', `${retentionHours}h`];
  for (let attempt = 1; ; attempt += 1) {
    const { address, namespace } = place();
    try {
      await run(program, [...update, '--address', address, '--namespace', namespace], {
        env: environment,
        timeout: 15_000,
        signal: stopped,
      });
      return;
    } catch (error) {
      if (attempt === 20 || stopped.aborted) throw error;
      await sleep(200);
    }
  }
}

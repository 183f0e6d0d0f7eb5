/**
 * The service that a command works on: named by the environment (DOCKYARD_DATABASE_URL and the others of docs/settings.md), else
 * the stack of a data folder, which `npm start` and `npm run demo` leave there.
 */
import { join, resolve } from 'node:path';

import type { ConfigOf } from '../config.ts';
import { readStackEnvironment } from '../stack/state.ts';
import { projectRoot } from '../stack/tools.ts';
import { CommandProblem, EXIT, messageOf } from './problems.ts';

/** Variables as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of every command that asks Temporal. */
export const TEMPORAL_ACCESS = [
  ...(['temporalAddress', 'temporalNamespace', 'temporalTls', 'temporalCaFile'] as const),
  ...(['temporalCertFile', 'temporalKeyFile', 'temporalServerName', 'temporalApiKeyFile'] as const),
  ...(['temporalCodecKeys', 'temporalCodecKey'] as const),
] as const;

/** The times that the workflow of a job is started with from its rows. */
export const TAKE_UP = [
  ...(['computeHeartbeatSeconds', 'computePickupSeconds', 'capacityPollSeconds', 'noRoomSeconds'] as const),
  ...(['commitDelayMs', 'maxHistoryEvents'] as const),
] as const;

/** Settings of the command line, each read when it is needed. */
export interface CommandSettings {
  /** @throws CommandProblem when nothing says where the service is, or a value is wrong. */
  read<K extends keyof ConfigOf<'cli'>>(...keys: K[]): Promise<Readonly<Pick<ConfigOf<'cli'>, K>>>;
  /** Advice for a service that does not answer. */
  advice(): string;
}

/** Finds the settings; a setting is read when a command asks for that setting. */
export function findSettings(env: Environment, folder: string): CommandSettings {
  const homes = homesOf(env, folder);
  const isNamed = (env['DOCKYARD_DATABASE_URL'] ?? '') !== '';
  const source = (): { readonly env: Environment; readonly advice: string } => {
    if (isNamed) return { env, advice: 'Check DOCKYARD_DATABASE_URL and the other settings.' };
    for (const home of homes) {
      const stack = readStackEnvironment(home);
      if (stack['DOCKYARD_DATABASE_URL'] !== undefined)
        return { env: { ...env, ...stack }, advice: `Start the stack in ${home} with: npm start` };
    }
    throw new CommandProblem(
      EXIT.unreachable,
      'NOT_CONFIGURED',
      `There is no stack in ${homes.join(' or ')}, and DOCKYARD_DATABASE_URL is not set. Start a stack with: npm start`,
    );
  };
  return {
    async read(...keys) {
      const { env: found } = source();
      // The schemas of settings take a tenth of a second to load, and most commands read none.
      const { loadPart } = await import('../config.ts');
      try {
        return loadPart('cli', keys, found);
      } catch (error) {
        throw new CommandProblem(EXIT.refused, 'WRONG_SETTINGS', messageOf(error), error);
      }
    },
    advice: () => source().advice,
  };
}

/** The data folder that was named; else the one of the working folder and the one of the checkout. */
export function homesOf(env: Environment, folder: string): readonly string[] {
  const named = env['DOCKYARD_HOME'] ?? '';
  if (named !== '') return [resolve(folder, named)];
  return [...new Set([join(folder, '.dockyard'), join(projectRoot, '.dockyard')])];
}

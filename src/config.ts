/**
 * The only reader of the environment (besides src/bin and src/stack, which pass the environment on). The settings are
 * validated once at the start of a process; a process with a wrong variable exits and names the variable.
 */
import Joi from 'joi';

import { SETTINGS, type ProcessRole, type Setting } from './config/settings.ts';

export type { ProcessRole } from './config/settings.ts';

type Settings = typeof SETTINGS;
type RolesOf<S> = S extends Setting<unknown, infer R> ? R : never;
type ValueOf<S> = S extends Setting<infer T, ProcessRole> ? T : never;

/**
 * The settings that a role reads. The type of an instance's settings has no database, because an instance is not
 * trusted with the database.
 */
export type ConfigOf<R extends ProcessRole> = {
  readonly [K in keyof Settings as R extends RolesOf<Settings[K]> ? K : never]: ValueOf<Settings[K]>;
};

type Environment = Readonly<Record<string, string | undefined>>;
type AnySetting = Setting<unknown, ProcessRole>;

/**
 * Reads and validates the settings of one process. Settings of other roles are not read: a guest has no database.
 * @throws Error that names every wrong or missing variable.
 */
export function loadConfig<R extends ProcessRole>(
  role: R,
  env: Environment = process.env,
): Readonly<ConfigOf<R>> {
  return read<ConfigOf<R>>(role, env, () => true);
}

/**
 * Reads and validates some settings of a role, for a command that needs no others.
 * @throws Error that names every wrong or missing variable.
 */
export function loadPart<R extends ProcessRole, K extends keyof ConfigOf<R>>(
  role: R,
  keys: readonly K[],
  env: Environment = process.env,
): Readonly<Pick<ConfigOf<R>, K>> {
  return read<Pick<ConfigOf<R>, K>>(role, env, (key) => keys.some((wanted) => wanted === key));
}

function read<T>(role: ProcessRole, env: Environment, isWanted: (key: string) => boolean): Readonly<T> {
  const shape: Record<string, Joi.Schema> = {};
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<AnySetting>(SETTINGS)) {
    if (!setting.roles.includes(role) || !isWanted(key)) continue;
    shape[key] = setting.schema.label(setting.name);
    const value = env[setting.name];
    if (value !== undefined && value !== '') values[key] = value;
  }
  const result = Joi.object<T>(shape).validate(values, { abortEarly: false });
  if (result.error) {
    const problems = result.error.details.map((detail) => detail.message).join('; ');
    throw new Error(`Wrong settings for ${role}: ${problems}. See .env.example.`);
  }
  return Object.freeze(result.value);
}

/** One documented variable. */
export interface ConfigDescription {
  readonly name: string;
  readonly roles: readonly ProcessRole[];
  readonly required: boolean;
  readonly default: string | null;
  readonly description: string;
}

/** Every variable that Dockyard reads, for `.env.example`, the compose test and the docs. */
export function describeConfig(): readonly ConfigDescription[] {
  return Object.values<AnySetting>(SETTINGS).map(({ name, roles, schema, description }) => {
    const flags: { readonly default?: unknown; readonly presence?: unknown } = schema.describe().flags ?? {};
    return {
      name,
      roles,
      required: flags.presence === 'required',
      default: flags.default === undefined ? null : JSON.stringify(flags.default).replace(/^"|"$/g, ''),
      description,
    };
  });
}

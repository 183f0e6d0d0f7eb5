/**
 * The only reader of the environment (besides src/bin and src/stack, which pass the environment on). The settings are
 * validated once at the start of a process; a process with a wrong variable exits and names the variable.
 */
import Joi from 'joi';

import { EVERY, jsonOf } from './config/setting.ts';
import { SETTINGS, type ProcessRole, type Setting } from './config/settings.ts';
import { TUNING, TUNING_VARIABLE } from './config/tuning.ts';

export type { ProcessRole } from './config/settings.ts';

type Settings = typeof SETTINGS & typeof TUNING;
type RolesOf<S> = S extends Pick<Setting<unknown, infer R>, 'roles'> ? R : never;
type ValueOf<S> = S extends Pick<Setting<infer T, ProcessRole>, 'roles' | 'value'> ? T : never;

/**
 * The settings that a role reads. The type of an instance's settings has no database, because an instance is not
 * trusted with the database.
 */
export type ConfigOf<R extends ProcessRole> = {
  readonly [K in keyof Settings as R extends RolesOf<Settings[K]> ? K : never]: ValueOf<Settings[K]>;
};

type Environment = Readonly<Record<string, string | undefined>>;
type AnySetting = Setting<unknown, ProcessRole>;
type AnyTuning = Omit<AnySetting, 'name'>;

/** A variable is wrong or missing; the message names every such one. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads and validates the settings of one process. Settings of other roles are not read: a guest has no database.
 * @throws SettingsError.
 */
export function loadConfig<R extends ProcessRole>(
  role: R,
  env: Environment = process.env,
): Readonly<ConfigOf<R>> {
  return read<ConfigOf<R>>(role, env, () => true);
}

/**
 * Reads and validates some settings of a role, for a command that needs no others.
 * @throws SettingsError.
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
    if (value !== undefined && value !== '') values[key] = valueOf(value, setting.schema);
  }
  shape['tuning'] = tuningOf(role, isWanted);
  const profile = env[TUNING_VARIABLE] ?? '';
  if (profile !== '') values['tuning'] = valueOf(profile, shape['tuning']);
  const result = Joi.object<T>(shape).custom(flattened).validate(values, { abortEarly: false });
  if (result.error) {
    const problems = result.error.details.map((detail) => detail.message).join('; ');
    throw new SettingsError(`Wrong settings for ${role}: ${problems}. See docs/settings.md.`);
  }
  return Object.freeze(result.value);
}

/** The text of a variable, or the document that it is where its schema is one of objects; what is none is refused by the schema. */
function valueOf(text: string, schema: Joi.Schema): unknown {
  if (schema.type !== 'object') return text;
  try {
    const document: unknown = JSON.parse(text);
    return document;
  } catch {
    return text;
  }
}

const flattened = ({ tuning, ...settings }: { readonly tuning: object }): object => ({
  ...settings,
  ...tuning,
});

/** The profile as a role reads it: what other roles read of it is known and left out, and any other name is refused. */
function tuningOf(role: ProcessRole, isWanted: (key: string) => boolean): Joi.ObjectSchema {
  const shape: Record<string, Joi.Schema> = {};
  for (const [key, { roles, schema }] of Object.entries<AnyTuning>(TUNING))
    shape[key] =
      roles.includes(role) && isWanted(key) ? schema.label(`${TUNING_VARIABLE}.${key}`) : Joi.any().strip();
  return jsonOf(Joi.object(shape))
    .label(TUNING_VARIABLE)
    .default()
    .messages({ 'object.unknown': `${TUNING_VARIABLE} has no {{#child}} (docs/settings.md)` });
}

/** One documented variable. */
export interface ConfigDescription {
  readonly name: string;
  readonly roles: readonly ProcessRole[];
  readonly required: boolean;
  readonly default: string | null;
  readonly description: string;
}

/** Every variable that Dockyard reads, for docs/settings.md and the compose test. */
export function describeConfig(): readonly ConfigDescription[] {
  return [
    ...Object.values<AnySetting>(SETTINGS).map((setting) => describe(setting.name, setting)),
    {
      name: TUNING_VARIABLE,
      roles: EVERY,
      required: false,
      default: '{}',
      description:
        'Leases, pauses and bounds of work that differ from those of production, as JSON: {"giveUpSeconds":120}.',
    },
  ];
}

/** Every entry of the profile in `DOCKYARD_TUNING`, for the docs. */
export function describeTuning(): readonly ConfigDescription[] {
  return Object.entries<AnyTuning>(TUNING).map(([name, entry]) => describe(name, entry));
}

function describe(name: string, { roles, schema, description }: AnyTuning): ConfigDescription {
  const flags: { readonly default?: unknown; readonly presence?: unknown } = schema.describe().flags ?? {};
  return {
    name,
    roles,
    required: flags.presence === 'required',
    default: flags.default === undefined ? null : JSON.stringify(flags.default).replace(/^"|"$/g, ''),
    description,
  };
}

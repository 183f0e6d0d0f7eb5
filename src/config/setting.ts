/** Settings, and how one is declared. */
import Joi from 'joi';

/** The kind of a process; each process reads only the settings of its kind. */
export type ProcessRole = 'api' | 'gateway' | 'control' | 'compute' | 'instance' | 'cli';

/** A setting with the type of its value; the type exists for the compiler only. */
export interface Setting<T, R extends ProcessRole> {
  readonly name: string;
  readonly roles: readonly R[];
  readonly schema: Joi.Schema;
  readonly description: string;
  readonly value?: T;
}

/** All processes. */
export const EVERY = ['api', 'gateway', 'control', 'compute', 'instance', 'cli'] as const;
/** The processes that stay up and are watched. */
export const SERVING = ['api', 'gateway', 'control', 'compute'] as const;
/** The processes that are trusted with database and store. */
export const CONTROL_SIDE = ['api', 'gateway', 'control', 'cli'] as const;
/** The processes that speak with Temporal; instances speak with the gateway alone. */
export const TEMPORAL = ['api', 'gateway', 'control', 'cli'] as const;

function make<T>() {
  return <const R extends ProcessRole>(
    schema: Joi.Schema,
    name: string,
    roles: readonly R[],
    description: string,
  ): Setting<T, R> => ({ schema, name, roles, description });
}

/** A setting that is text. */
export const text = make<string>();
/** A setting that is a number. */
export const number = make<number>();
/** A setting that is true or false. */
export const flag = make<boolean>();

/** A setting that is a JSON document of this shape, `{}` when it is not set. */
export function jsonText<T>(
  shape: Joi.ObjectSchema,
  name: string,
  roles: readonly ('api' | 'control' | 'cli')[],
  description: string,
): Setting<T, 'api' | 'control' | 'cli'> {
  return { schema: jsonOf(shape).default({}), name, roles, description };
}

/** The schema of a JSON document of this shape; the text is parsed before the schema sees it, since Joi parses none. */
export function jsonOf(shape: Joi.ObjectSchema): Joi.ObjectSchema {
  return shape.messages({ 'object.base': '{{#label}} must be an object of JSON' });
}

/** A setting that is one of a few words. */
export function choice<const V extends string, const R extends ProcessRole>(
  values: readonly V[],
  fallback: V,
  name: string,
  roles: readonly R[],
  description: string,
): Setting<V, R> {
  return {
    schema: Joi.string()
      .valid(...values)
      .default(fallback),
    name,
    roles,
    description,
  };
}

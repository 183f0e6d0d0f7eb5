/** Deprecations that an endpoint announces, in its answers and for the record. */
import type Joi from 'joi';

import { isRecord } from '../../src/domain/is-record.ts';
import type { Middleware } from './context.ts';
import { deprecationIn } from './deprecation.ts';
import type { Deprecation } from './deprecation.ts';
import type { Endpoint } from './endpoint.ts';
import { wholePath } from './endpoint.ts';

/** A deprecation as it was announced, with the operation or the field that it is about. */
export interface AnnouncedDeprecation extends Deprecation {
  readonly what: string;
}

const ANY = '*';

interface DeprecatedField {
  readonly path: readonly string[];
  readonly facts: Deprecation;
}

/**
 * The parts of a schema, where Joi keeps them for whoever extends it. `schema.describe()` has the same parts, and takes half a second for
 * all endpoints, because it checks its own answer at each level; every API process would start with that.
 */
interface Parts {
  readonly metas?: readonly Readonly<Record<string, unknown>>[] | null;
  readonly keys?: readonly { readonly key: string; readonly schema: Joi.Schema }[] | null;
  readonly items?: readonly Joi.Schema[] | null;
  readonly ordered?: readonly Joi.Schema[] | null;
  readonly patterns?: readonly { readonly rule: Joi.Schema }[] | null;
  readonly matches?: readonly { readonly schema?: Joi.Schema }[] | null;
}

/** Every deprecated field of a schema; the items of a list and the members with free names are `*`. */
function fieldsOf(schema: Joi.Schema | undefined): readonly DeprecatedField[] {
  return schema === undefined ? [] : below(schema, []);
}

function below(schema: Joi.Schema, path: readonly string[]): readonly DeprecatedField[] {
  const parts: Parts = schema.$_terms;
  const facts = deprecationIn(parts.metas ?? []);
  const listed = [...(parts.items ?? []), ...(parts.ordered ?? [])];
  return [
    ...(facts === undefined ? [] : [{ path, facts }]),
    ...(parts.keys ?? []).flatMap(({ key, schema: child }) => below(child, [...path, key])),
    ...listed.flatMap((child) => below(child, [...path, ANY])),
    ...(parts.patterns ?? []).flatMap(({ rule }) => below(rule, [...path, ANY])),
    ...(parts.matches ?? []).flatMap(({ schema: choice }) =>
      choice === undefined ? [] : below(choice, path),
    ),
  ];
}

function isSent(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  if (name !== ANY) return isSent(Reflect.get(value, name), rest);
  return Object.values(value).some((each) => isSent(each, rest));
}

/** Deprecations of an endpoint: of itself, of the fields of its requests, and of those of its answers. */
interface Announced {
  readonly always: readonly Deprecation[];
  readonly body: readonly DeprecatedField[];
  readonly query: readonly DeprecatedField[];
}

function announcedBy({ deprecated, body, query, answers }: Endpoint): Announced {
  const answered = Object.values(answers).flatMap(({ schema }) => fieldsOf(schema));
  return {
    always: [...(deprecated === undefined ? [] : [deprecated]), ...answered.map(({ facts }) => facts)],
    body: fieldsOf(body),
    query: fieldsOf(query),
  };
}

/** Whether any answer of an endpoint may tell of a deprecation. */
export function mayTellDeprecations(endpoint: Endpoint): boolean {
  const { always, body, query } = announcedBy(endpoint);
  return always.length + body.length + query.length > 0;
}

/** The headers with which every answer of an endpoint tells of deprecations, whatever its request has sent. */
export function deprecationsToldAlways(endpoint: Endpoint): Readonly<Record<string, string>> {
  const { always } = announcedBy(endpoint);
  return always.length === 0 ? {} : headersOf(always);
}

/** Tells the client of every deprecation that its request has to do with, whatever the answer is. */
export function tellDeprecations(endpoint: Endpoint): Middleware {
  if (!mayTellDeprecations(endpoint)) return (_context, next) => next();
  const { always, body, query } = announcedBy(endpoint);
  return async (context, next) => {
    try {
      await next();
    } finally {
      const { state } = context;
      const sent = [
        ...body.filter(({ path }) => isSent(state.body, path)),
        ...query.filter(({ path }) => isSent(state.query, path)),
      ];
      const told = [...always, ...sent.map(({ facts }) => facts)];
      if (told.length > 0) context.set(headersOf(told));
    }
  };
}

/** Of several deprecations the earliest days are told, and every successor. */
function headersOf(told: readonly Deprecation[]): Record<string, string> {
  const earliest = (days: readonly string[]): number => Math.min(...days.map((day) => Date.parse(day)));
  const successors = [...new Set(told.flatMap(({ successor }) => successor ?? []))];
  return {
    Deprecation: `@${earliest(told.map(({ since }) => since)) / 1000}`,
    Sunset: new Date(earliest(told.map(({ sunset }) => sunset))).toUTCString(),
    ...(successors.length === 0
      ? {}
      : { Link: successors.map((path) => `<${path}>; rel="successor-version"`).join(', ') }),
  };
}

/** Everything that endpoints under a base announce, in the order of the endpoints. */
export function listDeprecations(
  base: string,
  endpoints: readonly Endpoint[],
): readonly AnnouncedDeprecation[] {
  return endpoints.flatMap((endpoint) => {
    const operation = `${endpoint.method} ${wholePath(base, endpoint)}`;
    const fields = (place: string, schema: Joi.Schema | undefined): AnnouncedDeprecation[] =>
      fieldsOf(schema).map(({ path, facts }) => ({
        what: `${operation} ${[place, ...path].join('.')}`,
        ...facts,
      }));
    return [
      ...(endpoint.deprecated === undefined ? [] : [{ what: operation, ...endpoint.deprecated }]),
      ...fields('query', endpoint.query),
      ...fields('body', endpoint.body),
      ...Object.entries(endpoint.answers).flatMap(([status, { schema }]) =>
        fields(`answer ${status}`, schema),
      ),
    ];
  });
}

/** Finds the announced deprecations that are not kept: each problem is a sentence. `today` is a day. */
export function brokenAnnouncements(
  announced: readonly AnnouncedDeprecation[],
  declared: readonly AnnouncedDeprecation[],
  today: string,
): readonly string[] {
  return announced.flatMap(({ what, sunset }) => {
    const now = declared.find((each) => each.what === what);
    if (now === undefined)
      return today < sunset
        ? [`${what} was announced to stay until ${sunset}, and is gone or no longer marked.`]
        : [];
    return now.sunset < sunset ? [`${what} was announced to stay until ${sunset}, not ${now.sunset}.`] : [];
  });
}

/** Reads the record of what was announced; an empty text has announced nothing. @throws Error for any other text. */
export function readAnnouncements(text: string): readonly AnnouncedDeprecation[] {
  const read: unknown = text === '' ? [] : JSON.parse(text);
  if (Array.isArray(read) && read.every(isAnnounced)) return read;
  throw new Error('The record of deprecations is not a list of announcements.');
}

function isAnnounced(value: unknown): value is AnnouncedDeprecation {
  if (!isRecord(value)) return false;
  return ['what', 'since', 'sunset'].every((name) => typeof value[name] === 'string');
}

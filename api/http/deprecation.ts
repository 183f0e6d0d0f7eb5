/**
 * Deprecations. An operation or a field that will go is declared once: with the day from which on it is deprecated, the
 * day on which it goes, at least 90 days later, and what takes its place. The document marks it, and every answer that has
 * to do with it says so in its headers: all answers of a deprecated operation, and those to requests that send a deprecated
 * field. `docs/deprecations.json` remembers what was announced, so that nothing goes before its day.
 */

/** Announcement of an operation or a field that will go; days as `2026-11-22`, in UTC. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path that takes its place, from the root. */
  readonly successor?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 3600 * 1000;
/** The contract's window of migration. */
const LEAST_DAYS = 90;

/** Declares a deprecation. @throws Error when the window of migration is too short. */
export function deprecation(facts: Deprecation): Deprecation {
  const { since, sunset } = facts;
  if (![since, sunset].every((day) => DAY.test(day) && !Number.isNaN(Date.parse(day))))
    throw new Error(`A deprecation names days as 2026-11-22, not ${since} and ${sunset}.`);
  if (Date.parse(sunset) - Date.parse(since) < LEAST_DAYS * DAY_MS)
    throw new Error(`What is deprecated on ${since} stays for ${LEAST_DAYS} days, beyond ${sunset}.`);
  return facts;
}

/** Metadata of a Joi schema that declares its field deprecated: `schema.meta(deprecatedField({ … }))`. */
export function deprecatedField(facts: Deprecation): { readonly deprecated: Deprecation } {
  return { deprecated: deprecation(facts) };
}

/** The deprecation in the metadata of a schema; undefined where there is none. */
export function deprecationIn(metas: readonly Readonly<Record<string, unknown>>[] | undefined) {
  return metas?.map((meta) => meta['deprecated']).find(isDeprecation);
}

function isDeprecation(value: unknown): value is Deprecation {
  return typeof value === 'object' && value !== null && 'since' in value && 'sunset' in value;
}

/**
 * Connections that prepare statements with parameters, by the text of the statement. Planning is most of what a short
 * statement costs PostgreSQL, and our statements are few and constant. Texts beyond a bound are sent without preparing,
 * so that generated texts do not fill a connection. A statement must name the columns of its result: a statement that
 * answers `*` would fail on open connections when a migration adds a column.
 */
import { createHash } from 'node:crypto';

import pg from 'pg';

import { queryErrorOf } from './shared-pool.ts';

const PREPARED_STATEMENTS = 500;
const NAME_CHARACTERS = 24;

const names = new Map<string, string>();

/** The name of a statement on every connection; undefined when there are too many statements. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_STATEMENTS) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_CHARACTERS);
  names.set(text, name);
  return name;
}

function rethrowQueryError(error: unknown): never {
  throw queryErrorOf(error);
}

/** A client that prepares. */
export class PreparingClient extends pg.Client {}

// The driver's `query` has a dozen signatures that an override cannot repeat; only one signature is changed here.
Object.defineProperty(PreparingClient.prototype, 'query', {
  value(this: PreparingClient, text: unknown, values: unknown, ...rest: unknown[]): unknown {
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    const sent = name === undefined ? [text, values, ...rest] : [{ name, text, values }, ...rest];
    // oxlint-disable-next-line typescript/unbound-method -- it is applied to the client at once
    const asked: unknown = Reflect.apply(pg.Client.prototype.query, this, sent);
    return asked instanceof Promise ? asked.catch(rethrowQueryError) : asked;
  },
});

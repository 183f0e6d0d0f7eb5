/** Checks path, query and Idempotency-Key of a request; bodies are checked where they are parsed. */
import { parse } from 'node:querystring';

import type Joi from 'joi';

import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { check, validationError } from './validation.ts';

/** Checks the path; a malformed id is answered like an unknown one. @throws NOT_FOUND. */
function checkParams(schema: Joi.Schema, params: unknown): unknown {
  const checked = check(schema, params, true);
  if (checked.ok) return checked.value;
  throw new AppError('NOT_FOUND', 'There is no such resource in this account.');
}

function checkQuery(endpoint: Endpoint, context: Context): unknown {
  if (context.querystring === '' && endpoint.query === undefined) return {};
  // Koa reads a query into a plain object, where a parameter called __proto__ is lost; this object has no prototype.
  const query = parse(context.querystring);
  const withNul = Object.entries(query).find(([name, value]) => [name, value].flat().join('').includes('\0'));
  if (withNul !== undefined)
    throw validationError(`"${withNul[0].replaceAll('\0', '?').slice(0, 100)}" contains a NUL character`);
  if (endpoint.query === undefined) {
    const names = Object.keys(query);
    if (names.length > 0)
      throw validationError(`${names.map((name) => `"${name}"`).join(', ')} is not allowed in the query`);
    return {};
  }
  const checked = check(endpoint.query, query, true);
  if (checked.ok) return checked.value;
  throw validationError(checked.message);
}

/** The header as it was sent, undefined when it was not; Koa's own reader does not tell an empty header from a missing one. */
function sentKey(context: Context): string | undefined {
  const sent = context.headers['idempotency-key'];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}

/** @throws NOT_FOUND for a malformed id; VALIDATION_ERROR, IDEMPOTENCY_KEY_REQUIRED. */
export function validateAddress(endpoint: Endpoint): Middleware {
  return (context, next) => {
    context.state.params =
      endpoint.params === undefined ? {} : checkParams(endpoint.params, { ...context.params });
    context.state.query = checkQuery(endpoint, context);
    if (endpoint.idempotency !== 'none') context.state.idempotencyKey = parseIdempotencyKey(sentKey(context));
    if (endpoint.keyRequired === true && context.state.idempotencyKey === null)
      throw new AppError(
        'IDEMPOTENCY_KEY_REQUIRED',
        'This operation needs an Idempotency-Key header, so that it can be repeated safely.',
      );
    return next();
  };
}

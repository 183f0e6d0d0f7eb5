/** Schema checks. All failing paths are named, up to a readable number. */
import type Joi from 'joi';

import { AppError } from '../../src/domain/errors.ts';

const NAMED_FAILURES = 20;
const MESSAGE_CHARACTERS = 300;
/** Most values, nested ones included, of a body in which every failure is collected. */
const SMALL_VALUES = 2_000;
const ITEMS_AT_ONCE = 20;
/** The library's texts of a pattern that is missed quote the value, which may be a secret or a code; these do not. */
const MESSAGES = {
  'string.pattern.base': '{{#label}} fails to match the required pattern: {{#regex}}',
  'string.pattern.name': '{{#label}} fails to match the {{#name}} pattern',
  'string.pattern.invert.base': '{{#label}} matches the inverted pattern: {{#regex}}',
  'string.pattern.invert.name': '{{#label}} matches the inverted {{#name}} pattern',
};

/** The value with defaults, or one text that names every failing path. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

function failureText({ message, path }: Joi.ValidationErrorItem): string {
  return path.length === 0 ? message.replace('"value"', 'the request') : message;
}

function describeFailures(found: readonly string[]): string {
  const texts = [...new Set(found)].map((text) => text.slice(0, MESSAGE_CHARACTERS));
  const named = texts.slice(0, NAMED_FAILURES).join('; ');
  return texts.length > NAMED_FAILURES ? `${named}; and ${texts.length - NAMED_FAILURES} more` : named;
}

/** Whether a value is small enough to have every failure in it collected; counting stops at the limit. */
function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0; seen += 1) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (open.length + seen >= SMALL_VALUES) return false;
      open.push(Reflect.get(next, key));
    }
  }
  return true;
}

/** A copy of a value in which the list at `path` is cut to some of its items; everything beside that path is shared with the value. */
function withItems(value: unknown, path: readonly (string | number)[], items: readonly unknown[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return items;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return { ...value, [name]: withItems(Reflect.get(value, name), rest, items) };
}

function listAt(value: unknown, path: readonly (string | number)[]): readonly unknown[] {
  let at = value;
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  return Array.isArray(at) ? at : [];
}

/**
 * The failures of a large value: the first one, and where that lies in a list, those of further items, looked at a few
 * at a time until enough are found. All failures of a large value can be more than fit into memory.
 */
function someFailures(schema: Joi.Schema, value: unknown, first: Joi.ValidationErrorItem): string[] {
  const texts = [failureText(first)];
  const depth = first.path.findIndex((name) => typeof name === 'number');
  const start = first.path[depth];
  const list = first.path.slice(0, Math.max(depth, 0));
  if (typeof start !== 'number' || list.some((name) => typeof name === 'number')) return texts;
  const items = listAt(value, list);
  const label = `"${list.join('.')}[`;
  for (let at = start; at < items.length && texts.length <= NAMED_FAILURES; at += ITEMS_AT_ONCE) {
    const part = withItems(value, list, items.slice(at, at + ITEMS_AT_ONCE));
    if (!isSmall(part)) break;
    const { error } = schema.validate(part, { abortEarly: false, convert: false, messages: MESSAGES });
    for (const failure of error?.details ?? []) {
      const index = failure.path[depth];
      const text = failureText(failure);
      texts.push(
        typeof index === 'number' ? text.replace(`${label}${index}]`, `${label}${index + at}]`) : text,
      );
    }
  }
  return texts;
}

/** Checks a value; `convert` is set for values that come as text, those of queries and paths. */
export function check(schema: Joi.Schema, value: unknown, convert: boolean): Checked {
  const quick = schema.validate(value, { abortEarly: true, convert, messages: MESSAGES });
  if (quick.error === undefined) return { ok: true, value: quick.value };
  const [first] = quick.error.details;
  if (first !== undefined && !isSmall(value))
    return { ok: false, message: describeFailures(someFailures(schema, value, first)) };
  const all = schema.validate(value, { abortEarly: false, convert, messages: MESSAGES }).error ?? quick.error;
  return { ok: false, message: describeFailures(all.details.map(failureText)) };
}

/** The error of a request that does not match its schema. */
export function validationError(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}

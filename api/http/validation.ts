/** Schema checks. All failing paths are named, up to a readable number. */
import type Joi from 'joi';

import { AppError } from '../../src/domain/errors.ts';

const NAMED_FAILURES = 20;
const MESSAGE_CHARACTERS = 300;

/** The value with defaults, or one text that names every failing path. */
export type Checked =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

function failureText({ message, path }: Joi.ValidationErrorItem): string {
  return path.length === 0 ? message.replace('"value"', 'the request') : message;
}

function describeFailures(error: Joi.ValidationError): string {
  const texts = [...new Set(error.details.map(failureText))].map((text) => text.slice(0, MESSAGE_CHARACTERS));
  const named = texts.slice(0, NAMED_FAILURES).join('; ');
  return texts.length > NAMED_FAILURES ? `${named}; and ${texts.length - NAMED_FAILURES} more` : named;
}

/** Checks a value; `convert` only for what comes as text (queries, paths). */
export function check(schema: Joi.Schema, value: unknown, convert: boolean): Checked {
  const result = schema.validate(value, { abortEarly: false, convert });
  return result.error === undefined
    ? { ok: true, value: result.value }
    : { ok: false, message: describeFailures(result.error) };
}

/** The error of a request that does not match its schema. */
export function validationError(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}

/** Small schemas that several areas share, so that one thing has one definition and one wording. */
import Joi from 'joi';

import { inDocument } from './in-document.ts';

function lengthIn(text: string, min: number, max: number): 'string.min' | 'string.max' | null {
  // A character takes one or two units, so that most texts need no counting.
  if (text.length <= max && text.length >= 2 * min) return null;
  let characters = 0;
  for (const _character of text) characters += 1;
  if (characters > max) return 'string.max';
  return characters < min ? 'string.min' : null;
}

/**
 * A text whose length is counted in characters (code points), as the contract and JSON Schema count, where Joi counts
 * UTF-16 units. Without a `max` it may be as long as the body that carries it.
 */
export function characters(min: number, max?: number): Joi.StringSchema {
  const most = max ?? Infinity;
  const schema = min === 0 ? Joi.string().allow('') : Joi.string();
  return schema
    .custom((text: string, helpers) => {
      const wrong = lengthIn(text, min, most);
      return wrong === null ? text : helpers.error(wrong, { limit: wrong === 'string.max' ? most : min });
    })
    .meta(
      inDocument({
        ...(min === 0 ? {} : { minLength: min }),
        ...(max === undefined ? {} : { maxLength: max }),
      }),
    );
}

/** A SHA-256 in lowercase hex. */
export const sha256 = Joi.string().pattern(/^[0-9a-f]{64}$/, { name: '64 lowercase hex characters' });

/** A SHA-256 in hex of either case. */
export const sha256AnyCase = Joi.string().pattern(/^[0-9a-fA-F]{64}$/, { name: '64 hex characters' });

/** An identifier of an artifact or a ligand. */
export const identifier = Joi.string()
  .max(128)
  .pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, {
    name: 'letters, digits and . _ : - starting with a letter or digit',
  });

/** A storage key as an upload answered it. */
export const storageKey = characters(1, 2048);

/** A component id of the Chemical Component Dictionary. */
export const componentId = Joi.string().pattern(/^[A-Za-z0-9]{1,8}$/, { name: '1 to 8 letters or digits' });

/** An author chain id. */
export const chain = characters(1, 16).description('Author chain id of the structure, 1 to 16 characters.');

/** An author residue number. */
export const residue = Joi.number()
  .integer()
  .min(-9999)
  .max(99999)
  .description('Author residue number in the chain.');

/** An author insertion code. */
export const insertionCode = characters(0, 4).description(
  'Author insertion code of the residue, at most 4 characters.',
);

/** A permanent id: 36 characters, without the brackets and other separators that a GUID may have elsewhere. */
export const uuid = Joi.string().guid({ separator: '-', wrapper: false }).length(36);

/** A time in an answer. */
export const time = Joi.string().isoDate();

const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;

const BELOW_MILLISECONDS = /[.,]\d{3}(\d{1,3})/;

/**
 * A date of ISO 8601 may have a year, or be written in a way, that the database does not take. Microseconds are kept:
 * a time that an answer gave comes back as it was.
 */
function dayOfOurEra(value: string, helpers: Joi.CustomHelpers<string>): string | Joi.ErrorReport {
  const at = new Date(value);
  const year = at.getUTCFullYear();
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return helpers.error('string.era');
  const micros = BELOW_MILLISECONDS.exec(helpers.original)?.[1] ?? '';
  return at.toISOString().replace('Z', `${micros}Z`);
}

/** A time in a query: from 1970 to 9999, given on as UTC, to the microsecond. */
export const timeInQuery = time
  .custom(dayOfOurEra)
  .messages({ 'string.era': `{{#label}} must be a time from ${FIRST_YEAR} to ${LAST_YEAR}` });

/** A time that may be missing in an answer. */
export const optionalTime = time.allow(null);

/** A three-letter currency code. */
export const currency = Joi.string().pattern(/^[A-Z]{3}$/, { name: 'three-letter currency code' });

/** Where the next page starts; null at the end. */
export const nextCursor = Joi.string()
  .allow(null)
  .required()
  .description('Pass it back as cursor to get the next page; null at the end.');

/** The cursor of a page in a query. */
export const cursor = characters(1, 1024).description(
  'nextCursor of the page before, unchanged; any other text is refused.',
);

/** The size of a page in a query. */
export function pageLimit(max: number, byDefault: number): Joi.NumberSchema {
  return Joi.number()
    .integer()
    .min(1)
    .max(max)
    .default(byDefault)
    .description(`Number of items on a page, 1 to ${max}.`);
}

/** Small schemas that several areas share, so that one thing has one definition and one wording. */
import Joi from 'joi';

import {
  CHAIN_CHARACTERS,
  COMPONENT_CHARACTERS,
  COMPONENT_ID,
  INSERTION_CODE_CHARACTERS,
  LEAST_RESIDUE,
  MOST_RESIDUE,
} from '../../src/domain/structure-names.ts';
import { warningCode } from './codes.ts';
import { inDocument } from './in-document.ts';
import { readTime } from './rfc3339.ts';

function lengthIn(text: string, min: number, max: number): 'string.min' | 'string.max' | null {
  // A character takes one or two UTF-16 units, so the number of units alone settles the length of most texts.
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
export const componentId = Joi.string().pattern(COMPONENT_ID, { name: '1 to 8 letters or digits' });

/** The name of a component as the structure has it, which the dictionary need not know. */
export const componentName = characters(1, COMPONENT_CHARACTERS);

/** An author chain id. */
export const chain = characters(1, CHAIN_CHARACTERS).description(
  'Author chain id of the structure, 1 to 16 characters.',
);

/** An author residue number. */
export const residue = Joi.number()
  .integer()
  .min(LEAST_RESIDUE)
  .max(MOST_RESIDUE)
  .description('Author residue number in the chain.');

/** An author insertion code. */
export const insertionCode = characters(0, INSERTION_CODE_CHARACTERS).description(
  'Author insertion code of the residue, at most 4 characters.',
);

/** A permanent id: 36 characters, without the brackets and other separators that a GUID may have elsewhere. */
export const uuid = Joi.string().guid({ separator: '-', wrapper: false }).length(36);

/** A time in an answer. */
export const time = Joi.string().isoDate();

const TIME_MESSAGES = {
  'string.time.form':
    '{{#label}} must be a time of RFC 3339 with its zone, such as 2026-01-31T09:00:00.123456Z; a + in an address is sent as %2B',
  'string.time.unreal': '{{#label}} must be a time that exists: there is no such day, time of day or zone',
};

function existingTime(value: string, helpers: Joi.CustomHelpers<string>): string | Joi.ErrorReport {
  const read = readTime(value);
  return read.ok ? read.time : helpers.error(`string.time.${read.why}`);
}

/** A time in a query: RFC 3339 with a zone, given on in UTC to the microsecond. */
export function timeInQuery(meaning: string): Joi.StringSchema {
  return Joi.string()
    .custom(existingTime)
    .messages(TIME_MESSAGES)
    .meta({ format: 'date-time' })
    .description(
      `${meaning} RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered.`,
    );
}

/** A time that may be missing in an answer. */
export const optionalTime = time.allow(null);

/** A three-letter currency code. */
export const currency = Joi.string().pattern(/^[A-Z]{3}$/, { name: 'three-letter currency code' });

/** A warning of a job. */
export const jobWarning = Joi.object({
  code: warningCode.description('Machine-readable warning.'),
  message: Joi.string().required().description('Warning for people.'),
}).description('Something to know that fails nothing.');

/** Start of the next page; null at the end. */
export const nextCursor = Joi.string()
  .allow(null)
  .required()
  .description('Pass it back as cursor to get the next page; null at the end.');

/** Members of a list that is always answered whole, beside its rows: it ends as every list ends. */
export const wholeList = { nextCursor: nextCursor.description('Always null: the list is answered whole.') };

/** The cursor of a page in a query. */
export const cursor = characters(1, 1024).description(
  'nextCursor of the page before, unchanged; any other text is refused.',
);

const DIGITS = /^-?(?:0|[1-9]\d*)$/;

/** A whole number in a query, written in digits; Joi alone also reads 1e1, 0x1, +1, 1.0 and spaces. */
export function integerInQuery(): Joi.NumberSchema {
  return Joi.number()
    .integer()
    .custom((value: number, helpers) => {
      const sent: unknown = helpers.original;
      return typeof sent !== 'string' || DIGITS.test(sent) ? value : helpers.error('number.integer');
    });
}

/** A page of a list; the cursor comes from the page before. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** The size of a page in a query. */
export function pageLimit(max: number, byDefault: number): Joi.NumberSchema {
  return integerInQuery()
    .min(1)
    .max(max)
    .default(byDefault)
    .description(`Number of items on a page, 1 to ${max}.`);
}

/** Source of the exchange rate of an answer. */
export const fxSource = Joi.string()
  .allow(null)
  .required()
  .description(
    'Who gave the exchange rate: the host of the source, or the price book; null where nothing is converted.',
  );

/** The day of the exchange rate of an answer. */
export const fxDate = Joi.string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/, { name: 'YYYY-MM-DD' })
  .allow(null)
  .required()
  .description('The day for which the exchange rate was given, as YYYY-MM-DD; null where fxSource is.');

/** The price book of this release: a data file, validated at start, that names its sources and its date. */
import Joi from 'joi';

import type { FxRateMicro, PriceBook } from '../../domain/pricing.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import data from './price-book.json' with { type: 'json' };

/** A price book with the sources of its figures. */
export interface SourcedPriceBook extends PriceBook {
  readonly date: string;
  readonly sources: readonly string[];
  /** The exchange rate that is used until a live source has answered. */
  readonly fx: { readonly usdToGbpMicro: FxRateMicro; readonly date: string; readonly source: string };
}

const micro = Joi.number().integer().min(0).required();
const date = Joi.string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/)
  .required();

const SCHEMA = Joi.object<SourcedPriceBook>({
  version: Joi.string().min(1).required(),
  date,
  sources: Joi.array().items(Joi.string().min(1)).min(1).required(),
  fx: Joi.object({
    usdToGbpMicro: Joi.number().integer().min(100_000).max(10_000_000).required(),
    date,
    source: Joi.string().min(1).required(),
  }).required(),
  startFeeMicroUsd: micro,
  storagePerGbMonthMicroUsd: micro,
  egressPerGbMicroUsd: micro,
  instanceTypes: Joi.object()
    .pattern(
      Joi.string(),
      Joi.object({
        vcpus: Joi.number().integer().min(1).required(),
        memoryGib: Joi.number().min(0.5).required(),
        gpu: Joi.string().allow(null).required(),
        onDemandMicroUsdPerHour: micro,
        spotMicroUsdPerHour: micro,
      }),
    )
    .required(),
  licences: Joi.object()
    .pattern(Joi.string(), Joi.object({ name: Joi.string().required(), microUsdPerHour: micro }))
    .required(),
  tools: Joi.object()
    .pattern(Joi.string(), Joi.object().pattern(Joi.string(), Joi.number().min(0)))
    .required(),
});

/**
 * Validates a price book.
 * @throws Error that names every wrong entry.
 */
export function loadPriceBook(book: unknown = bookOf(TOOLS)): SourcedPriceBook {
  const result = SCHEMA.validate(book, { abortEarly: false, convert: false });
  if (result.error !== undefined) throw new Error(`Wrong price book: ${result.error.message}.`);
  return Object.freeze(result.value);
}

/** The book of this release, with the figures that these tools bring. */
export function bookOf(tools: readonly Tool[]): unknown {
  const figured = tools.flatMap(({ about, planning: { figures } }) =>
    figures === null ? [] : [{ id: about.id, ...figures }],
  );
  return {
    ...data,
    sources: [...data.sources, ...figured.map(({ source }) => source)],
    tools: Object.fromEntries(figured.map(({ id, figures }) => [id, figures])),
  };
}

/** The price book of this release: a data file, validated at start, that names its sources and its date. */
import Joi from 'joi';

import type { FxRateMicro, PriceBook } from '../../domain/pricing.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import data from './price-book.json' with { type: 'json' };

/** Source of figures, and the day on which they were taken. */
export interface FigureOrigin {
  readonly source: string;
  readonly date: string;
}

/** A price book with the sources of its figures. */
export interface SourcedPriceBook extends PriceBook {
  readonly date: string;
  /** Regions in which the prices are good. */
  readonly regions: readonly string[];
  /** The origin of each group of figures; those of a tool under `tools.` and its id. */
  readonly origins: Readonly<Record<string, FigureOrigin>>;
  /** The size of a rendered frame, for estimates that know no files. */
  readonly frameBytes: number;
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
  regions: Joi.array().items(Joi.string().min(1)).min(1).required(),
  origins: Joi.object()
    .pattern(Joi.string(), Joi.object({ source: Joi.string().min(1).required(), date }))
    .required(),
  frameBytes: Joi.number().integer().min(1).required(),
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
        gpus: Joi.number().integer().min(1),
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
  const nameless = groupsOf(result.value).filter((group) => result.value.origins[group] === undefined);
  if (nameless.length > 0) throw new Error(`Wrong price book: no origins of ${nameless.join(', ')}.`);
  return Object.freeze(result.value);
}

const GROUPS = [
  'instanceTypes',
  'storagePerGbMonthMicroUsd',
  'egressPerGbMicroUsd',
  'startFeeMicroUsd',
  'licences',
  'frameBytes',
];

/** The groups of figures, each of which has an origin; the exchange rate has its own. */
function groupsOf({ tools }: Pick<PriceBook, 'tools'>): readonly string[] {
  return [...GROUPS, ...Object.keys(tools).map((id) => `tools.${id}`)];
}

/** The book of this release, with the figures that these tools bring. */
export function bookOf(tools: readonly Tool[]): unknown {
  const figured = tools.flatMap(({ about, planning: { figures } }) =>
    figures === null ? [] : [{ id: about.id, ...figures }],
  );
  return {
    ...data,
    origins: {
      ...data.origins,
      ...Object.fromEntries(
        figured.map(({ id, source, date: day }) => [`tools.${id}`, { source, date: day }]),
      ),
    },
    tools: Object.fromEntries(figured.map(({ id, figures }) => [id, figures])),
  };
}

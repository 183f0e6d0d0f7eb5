/** Prices for everybody: no key is needed. */
import { knownVersions } from '../http/conditional.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import type { Services } from '../services.ts';
import { pricesAnswer, pricesPath, publicEstimateAnswer, publicEstimateBody } from './schemas.ts';
import type { PublicPricesResponse } from '../../src/domain/answers.ts';

const ESTIMATE_BYTES = 16 * 1024;
const HEADERS = { ETag: 'Digest of the price book, for If-None-Match.' };
const FIVE_MINUTES = 'public, max-age=300';
const A_DAY = 'public, max-age=86400';

function conditional(
  { tag, prices }: ReturnType<Services['prices']['read']>,
  sent: string | undefined,
  caching: string,
): Answer<PublicPricesResponse> {
  const headers = { ETag: `"${tag}"`, 'Cache-Control': caching };
  const isKnown = sent?.trim() === '*' || knownVersions(sent).includes(tag);
  return isKnown ? { status: 304, headers } : json(200, prices, headers);
}

const getPrices = defineEndpoint({
  method: 'GET',
  path: '/public/prices',
  operationId: 'getPublicPrices',
  tag: TAGS.prices,
  summary: 'Read the prices',
  description: 'The price book by which jobs are priced now: every figure with its source and date.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: {
    200: { description: 'The price book.', schema: pricesAnswer, headers: HEADERS },
    304: { description: 'The client has the price book.', headers: HEADERS },
  },
  errors: [],
  async handle({ prices }, { headers }) {
    return conditional(prices.read(), headers['if-none-match'], FIVE_MINUTES);
  },
});

const getPricesOf = defineEndpoint({
  method: 'GET',
  path: '/public/prices/:version',
  operationId: 'getPublicPricesOfVersion',
  tag: TAGS.prices,
  summary: 'Read the prices of a version',
  description: 'A price book by its version, as bills name the version. Books of earlier releases stay.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  params: pricesPath,
  answers: {
    200: { description: 'The price book.', schema: pricesAnswer, headers: HEADERS },
    304: { description: 'The client has the price book.', headers: HEADERS },
  },
  errors: [],
  async handle({ prices }, { params, headers }) {
    return conditional(prices.read(params.version), headers['if-none-match'], A_DAY);
  },
});

const estimate = defineEndpoint({
  method: 'POST',
  path: '/public/estimate',
  operationId: 'estimatePublicly',
  tag: TAGS.prices,
  summary: 'Estimate roughly',
  description:
    'A rough price from a few figures, without a key and without files; {} is priced by the defaults. POST /jobs/estimate prices a job exactly.',
  access: 'none',
  limit: 'public',
  bodyLimitBytes: ESTIMATE_BYTES,
  idempotency: 'none',
  body: publicEstimateBody,
  answers: { 200: { description: 'The rough price.', schema: publicEstimateAnswer } },
  errors: [],
  async handle({ prices }, { body }) {
    return json(200, await prices.estimate(body));
  },
});

/** Endpoints of prices for everybody. */
export const publicEndpoints: readonly Endpoint[] = [getPrices, getPricesOf, estimate];

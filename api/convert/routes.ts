/** Conversions of structures and molecules between formats. */
import type { ConversionResponse } from '../../src/domain/answers.ts';
import { AppError } from '../../src/domain/errors.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { CONVERSION_REFUSALS } from '../../src/tools/format-convert/codes.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import type { JsonObject } from '../http/in-document.ts';
import { TAGS } from '../http/tags.ts';
import { conversionAnswer, conversionPath, convertBody } from './schemas.ts';

const { CONVERSION_UNSUPPORTED, ...REFUSALS } = CONVERSION_REFUSALS;
const FAILURES = [...Object.values(REFUSALS).map(({ code }) => code), 'CONVERSION_FAILED'] as const;
const PENDING_SECONDS = 2;
const RUNNING: JsonObject = {
  conversionId: '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90',
  status: 'RUNNING',
  createdAt: '2026-11-28T09:00:00.000000Z',
  message: 'The conversion waits for a machine. All capacity is in use.',
  artifact: null,
  warnings: [],
};
const ANSWERS = {
  200: { description: 'The converted file.', schema: conversionAnswer },
  202: {
    description: 'The conversion still runs.',
    schema: conversionAnswer,
    example: RUNNING,
    headers: { Location: 'Path of the conversion.', 'Retry-After': 'Seconds to wait before asking there.' },
  },
} as const;

function answerOf(response: ConversionResponse): Answer<ConversionResponse> {
  if (response.status === 'SUCCEEDED') return json(200, response);
  return json(202, response, {
    Location: `/api/v1/convert/${response.conversionId}`,
    'Retry-After': String(PENDING_SECONDS),
  });
}

function conversionIdOf(body: unknown): string {
  const id = isRecord(body) ? body['conversionId'] : undefined;
  if (typeof id === 'string') return id;
  throw new AppError(
    'INTERNAL_ERROR',
    'The conversion cannot be repeated. Start a new one with another key.',
  );
}

const convert = defineEndpoint({
  method: 'POST',
  path: '/convert',
  operationId: 'convertFile',
  tag: TAGS.conversions,
  summary: 'Convert a file',
  description:
    'Writes a structure or molecules in another format and tells by warnings what that format does not say; what it cannot say at all is refused. Not charged. Answers 200 within 10 seconds, else 202 with the place of the answer; the same file is answered at once, with the same artifact.',
  access: 'convert',
  limit: 'inspect',
  // The answer to a repeat tells how the same conversion stands by then.
  idempotency: {
    keep: (body) => ({ conversionId: conversionIdOf(body) }),
    restore: async ({ conversions }, { actor }, { body }) =>
      answerOf(await conversions.get(actor, conversionIdOf(body))),
  },
  headers: [idempotencyHeader],
  body: convertBody,
  answers: ANSWERS,
  errors: [
    'ACCOUNT_CLOSED',
    'INPUT_NOT_FOUND',
    'ARTIFACT_MISMATCH',
    'UPLOAD_INCOMPLETE',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    'CONVERSION_LIMIT',
    CONVERSION_UNSUPPORTED.code,
    ...FAILURES,
  ],
  async handle({ conversions }, { actor, body }) {
    return answerOf(await conversions.convert(actor, body));
  },
});

const getConversion = defineEndpoint({
  method: 'GET',
  path: '/convert/:conversionId',
  operationId: 'getConversion',
  tag: TAGS.conversions,
  summary: 'Read a conversion',
  description: 'The converted file once it is done; 202 while it runs, its failure when it failed.',
  access: 'convert',
  limit: 'read',
  idempotency: 'none',
  params: conversionPath,
  answers: ANSWERS,
  errors: [...FAILURES],
  async handle({ conversions }, { actor, params }) {
    return answerOf(await conversions.get(actor, params.conversionId));
  },
});

/** Endpoints of conversions. */
export const convertEndpoints: readonly Endpoint[] = [convert, getConversion];

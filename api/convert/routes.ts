/** Conversions of structures and molecules between formats. */
import { CONVERSION_REFUSALS } from '../../src/tools/format-convert/codes.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import type { JsonObject } from '../http/in-document.ts';
import { answersOfInternalJob } from '../http/of-internal-job.ts';
import { TAGS } from '../http/tags.ts';
import { conversionAnswer, conversionPath, convertBody } from './schemas.ts';

const { CONVERSION_UNSUPPORTED, ...REFUSALS } = CONVERSION_REFUSALS;
const FAILURES = [...Object.values(REFUSALS).map(({ code }) => code), 'CONVERSION_FAILED'] as const;
const RUNNING: JsonObject = {
  conversionId: '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90',
  status: 'RUNNING',
  createdAt: '2026-11-28T09:00:00.000000Z',
  message: 'The conversion waits for a machine. All capacity is in use.',
  artifact: null,
  warnings: [],
};
const { answers, answerOf, keep, idOf } = answersOfInternalJob({
  noun: 'conversion',
  idField: 'conversionId',
  place: '/api/v1/convert',
  result: 'The converted file.',
  schema: conversionAnswer,
  running: RUNNING,
});

const convert = defineEndpoint({
  method: 'POST',
  path: '/convert',
  operationId: 'convertFile',
  tag: TAGS.conversions,
  summary: 'Convert a file',
  description:
    'Writes a structure or molecules in another format and tells by warnings what that format does not say; what it cannot say at all is refused. Not charged. Answers 200 within 10 seconds, else 202 with the place of the answer; the same file is answered at once, with the same artifact. The scene of a revision (scope projects:read besides) becomes the file that its export answers.',
  access: 'convert',
  limit: 'inspect',
  // The answer to a repeat tells how the same conversion stands by then.
  idempotency: {
    keep,
    restore: async ({ conversions }, { actor }, { body }) =>
      answerOf(await conversions.get(actor, idOf(body))),
  },
  headers: [idempotencyHeader],
  body: convertBody,
  answers,
  errors: [
    'ACCOUNT_CLOSED',
    'INPUT_NOT_FOUND',
    'ARTIFACT_MISMATCH',
    'UPLOAD_INCOMPLETE',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    'CONVERSION_LIMIT',
    'SCENE_MISSING',
    'RECEIPT_NOT_READY',
    'EXPORT_NOT_PUBLIC',
    'SOURCE_TOO_LARGE',
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
  answers,
  errors: [...FAILURES],
  async handle({ conversions }, { actor, params }) {
    return answerOf(await conversions.get(actor, params.conversionId));
  },
});

/** Endpoints of conversions. */
export const convertEndpoints: readonly Endpoint[] = [convert, getConversion];

/**
 * Error answers of the document. The codes that an endpoint can answer with one status are a set; each set is one
 * component, which every operation with this set refers to. The component narrows `code` to its set, so that a client
 * knows which codes it can get, and the contract test finds a code that an endpoint answers without declaring it.
 */
import type { ErrorFacts } from '../src/domain/codes/code.ts';
import { CATALOGUE } from '../src/tools/catalogue.ts';
import { paragraphsOf } from './http/codes.ts';
import type { Access, AnswerCode, Endpoint } from './http/endpoint.ts';
import type { JsonObject } from './http/in-document.ts';
import { headersOf } from './openapi-headers.ts';

/** Error answers as the document writes them. */
export interface ErrorResponses {
  /** By name. */
  readonly components: JsonObject;
  /** The error answers of an endpoint by status, as references. */
  of(endpoint: Endpoint): JsonObject;
}

interface CodeSet {
  readonly status: number;
  readonly codes: readonly AnswerCode[];
  /** Operations that answer with exactly this set. */
  readonly operationIds: readonly string[];
}

/** Name of a status in the name of a component. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** Every error answer has this form. */
export const errorResponse: JsonObject = {
  type: 'object',
  description: 'Every error.',
  properties: {
    error: { type: 'string', description: 'What happened and what to do, for people.' },
    code: { $ref: '#/components/schemas/ErrorCode' },
    currentVersion: {
      type: 'integer',
      description: 'With VERSION_CONFLICT: the present version of the resource.',
    },
  },
  required: ['error', 'code'],
  additionalProperties: false,
};

/** Every code of an error answer. */
export const errorCode: JsonObject = {
  type: 'string',
  description: `Machine-readable code of an error. Treat unknown codes generically.\n\n${paragraphsOf(CATALOGUE.errors)}`,
  enum: Object.keys(CATALOGUE.errors),
};

/** The codes that an endpoint declares, and those that follow from its declaration, in the order of the catalogue. */
export function errorCodesOf(endpoint: Endpoint): readonly AnswerCode[] {
  const codes: AnswerCode[] = ['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (endpoint.access !== 'none') codes.push('UNAUTHORIZED', 'ADDRESS_NOT_ALLOWED', 'ACCOUNT_SUSPENDED');
  if (endpoint.method !== 'GET') codes.push('CROSS_SITE_REQUEST');
  codes.push(...accessCodes(endpoint.access));
  if (endpoint.live === true) codes.push('TEST_KEY_LIVE_BILLING');
  if (endpoint.recent === true) codes.push('SIGN_IN_AGAIN');
  if (endpoint.params !== undefined) codes.push('NOT_FOUND');
  if (endpoint.body !== undefined)
    codes.push(
      'REQUEST_TIMEOUT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'TRANSFER_CODING_UNSUPPORTED',
    );
  if (endpoint.idempotency !== 'none' && endpoint.idempotency !== 'service')
    codes.push('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS');
  if (endpoint.keyRequired === true) codes.push('IDEMPOTENCY_KEY_REQUIRED');
  const order = Object.keys(CATALOGUE.errors);
  return [...new Set([...codes, ...endpoint.errors])].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** The codes that callers get whom the endpoint is not for. */
function accessCodes(access: Access): readonly AnswerCode[] {
  switch (access) {
    case 'none':
    case 'any':
      return [];
    case 'key':
      return ['KEY_REQUIRED'];
    case 'session':
      return ['SESSION_REQUIRED'];
    case 'owner':
      return ['SESSION_REQUIRED', 'OWNER_REQUIRED'];
    default:
      return ['INSUFFICIENT_SCOPE'];
  }
}

/** Finds the sets of all endpoints and names them. @throws Error when two sets would have one name. */
export function createErrorResponses(endpoints: readonly Endpoint[]): ErrorResponses {
  const sets = new Map<string, CodeSet>();
  for (const endpoint of endpoints) {
    for (const { status, codes } of setsOf(endpoint)) {
      const before = sets.get(codes.join())?.operationIds ?? [];
      sets.set(codes.join(), { status, codes, operationIds: [...before, endpoint.operationId] });
    }
  }
  const sorted = [...sets.values()].sort((a, b) => a.status - b.status || nameOf(a).localeCompare(nameOf(b)));
  const components = Object.fromEntries(sorted.map((set) => [nameOf(set), component(set)]));
  if (Object.keys(components).length < sets.size)
    throw new Error('two sets of error codes have the same name');
  return {
    components,
    of: (endpoint) =>
      Object.fromEntries(
        setsOf(endpoint).map(({ status, codes }) => {
          const set = sets.get(codes.join());
          if (set === undefined) throw new Error(`${endpoint.operationId} is not among the endpoints`);
          return [String(status), { $ref: `#/components/responses/${nameOf(set)}` }];
        }),
      ),
  };
}

function factsOf(code: AnswerCode): ErrorFacts {
  const facts = CATALOGUE.errors[code];
  if (facts === undefined) throw new Error(`the code ${code} stands in no table`);
  return facts;
}

function setsOf(endpoint: Endpoint): readonly Omit<CodeSet, 'operationIds'>[] {
  const codes = errorCodesOf(endpoint);
  const statuses = [...new Set(codes.map((code) => factsOf(code).status))].sort((a, b) => a - b);
  return statuses.map((status) => ({
    status,
    codes: codes.filter((code) => factsOf(code).status === status),
  }));
}

/**
 * One code names its set. Several codes are named after their operation and status, so that the name stays when the
 * operation gets another code; where several operations have the set, its codes name it.
 */
function nameOf({ status, codes, operationIds }: CodeSet): string {
  const [operationId = '', ...others] = operationIds;
  const names = codes.map(pascalCase);
  if (names.length === 1 || others.length > 0) return names.join('Or');
  const statusName = STATUS_NAMES[status];
  if (statusName === undefined) throw new Error(`the status ${status} has no name in STATUS_NAMES`);
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${statusName}`;
}

function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

function component({ status, codes }: CodeSet): JsonObject {
  const hasRetryAfter = codes.some((code) => factsOf(code).retryable) && status !== 500;
  return {
    description: paragraphsOf(Object.fromEntries(codes.map((code) => [code, factsOf(code)]))),
    headers: headersOf(hasRetryAfter ? ['Retry-After'] : []),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorResponse' },
            {
              type: 'object',
              properties: { code: { type: 'string', enum: [...codes] } },
              required: ['code'],
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
}

/** A refusal as the document shows it; the words of a real one name what was refused. */
function exampleOf(code: AnswerCode): JsonObject {
  const { meaning, advice } = factsOf(code);
  return { summary: meaning, value: { error: `${meaning} ${advice}`, code } };
}

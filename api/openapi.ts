/** The OpenAPI 3.1 document, derived from the declared endpoints. The document does not mention test tools. */
import type Joi from 'joi';

import { EVENT_TYPES } from '../src/domain/events.ts';
import { API_BASE } from './endpoints.ts';
import { EVENT_SCHEMAS } from './events/schemas.ts';
import { TAGS } from './http/tags.ts';
import { mayTellDeprecations } from './http/announced-deprecations.ts';
import type { AnswerDefinition, Endpoint } from './http/endpoint.ts';
import { SMALL_BODY_BYTES } from './http/endpoint.ts';
import type { Json, JsonObject } from './http/in-document.ts';
import { createErrorResponses, errorCode, errorResponse } from './openapi-errors.ts';
import type { ErrorResponses } from './openapi-errors.ts';
import { completeExamples } from './openapi-examples.ts';
import { openAnswers } from './openapi-open.ts';
import { HEADERS, headersOf } from './openapi-headers.ts';
import { completeRequests, jsonValue } from './openapi-requests.ts';
import type { SchemaWriter } from './openapi-schemas.ts';
import { createSchemaWriter, deprecationNote } from './openapi-schemas.ts';
import { idempotencyHeader } from './http/documented-headers.ts';

/** The document as JSON. */
export type OpenApiDocument = JsonObject;

const DESCRIPTION = [
  'Compute and credits: submit long scientific jobs, follow them, download verified outputs, pay only for verified tasks.',
  'Every request needs an API key as a bearer token or the cookie of a session, unless an operation says otherwise. Writes of a session come from pages of the service: the browser sends its Origin, or Sec-Fetch-Site: same-origin.',
  'Errors have one closed form: error for people, code for machines. Every answer carries X-Request-Id.',
  'Bodies are JSON in UTF-8, at most 64 levels deep and of at most 1,000,000 values, whose texts have neither a NUL nor an unpaired surrogate, and whose objects name no member twice. Lengths are counted in characters (code points).',
  'Rate limits are told in RateLimit-Policy and RateLimit; 429 carries Retry-After.',
].join('\n\n');

const MIB = 1024 * 1024;

function content(answer: AnswerDefinition, writer: SchemaWriter): JsonObject {
  const { alsoAs, example, mediaType, schema } = answer;
  const shown = example === undefined ? {} : { example };
  const other: JsonObject = Object.fromEntries(
    (alsoAs ?? []).map((form) => [
      form.mediaType,
      {
        schema: form.schema === undefined ? { type: 'string' } : writer.write(form.schema),
        example: form.example,
      },
    ]),
  );
  if (schema !== undefined)
    return { content: { 'application/json': { schema: writer.write(schema), ...shown }, ...other } };
  return mediaType === undefined
    ? {}
    : { content: { [mediaType]: { schema: { type: 'string' }, ...shown }, ...other } };
}

function answerEntry(
  [status, answer]: [string, AnswerDefinition],
  writer: SchemaWriter,
  shared: readonly string[],
): [string, Json] {
  const own = Object.entries(answer.headers ?? {}).map(([name, description]): [string, Json] => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  const headers = { ...headersOf(shared), ...Object.fromEntries(own) };
  return [status, { description: answer.description, headers, ...content(answer, writer) }];
}

interface Parameters {
  readonly properties: JsonObject;
  readonly required: readonly Json[];
}

function propertiesOf(schema: Joi.Schema, writer: SchemaWriter): Parameters {
  const written = writer.write(schema);
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return { properties: {}, required: [] };
  const { properties, required } = written;
  const named =
    typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {};
  return { properties: named, required: Array.isArray(required) ? required : [] };
}

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: Json,
  required: boolean,
): JsonObject {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return { name, in: place, required, schema };
  const { description, ...rest } = schema;
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest };
}

function parameters(endpoint: Endpoint, writer: SchemaWriter): JsonObject[] {
  const path = endpoint.params === undefined ? null : propertiesOf(endpoint.params, writer);
  const query = endpoint.query === undefined ? null : propertiesOf(endpoint.query, writer);
  const headers = endpoint.headers ?? [];
  return [
    ...Object.entries(path?.properties ?? {}).map(([name, schema]) => parameter('path', name, schema, true)),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
      parameter('query', name, schema, query?.required.includes(name) ?? false),
    ),
    ...headers.map(({ name, description, schema }) => ({
      name,
      in: 'header',
      required: endpoint.keyRequired === true && name === idempotencyHeader.name,
      description,
      schema: writer.write(schema),
    })),
  ];
}

function accessNote(endpoint: Endpoint): string {
  const { access } = endpoint;
  if (access === 'none') return 'No key is needed.';
  if (access === 'key') return 'Any valid key, live or test; the operation is about the key itself.';
  if (access === 'session') return 'Only for people who have signed in; API keys are refused.';
  if (access === 'owner') return 'Only for owners of the account who have signed in; API keys are refused.';
  const scope = access === 'any' ? 'Any valid key' : `A key with the scope \`${access}\``;
  return `${scope}; ${endpoint.live === true ? 'live keys only' : 'live and test keys'}.`;
}

/** The credentials of an endpoint; those that most endpoints take stand once, at the top of the document. */
function securityOf({ access }: Endpoint): JsonObject {
  if (access === 'none') return { security: [] };
  if (access === 'key') return { security: [{ apiKey: [] }] };
  return access === 'session' || access === 'owner' ? { security: [{ session: [] }] } : {};
}

function operation(endpoint: Endpoint, writer: SchemaWriter, errors: ErrorResponses): JsonObject {
  const { operationId, tag, summary, description, body, answers } = endpoint;
  const sent = parameters(endpoint, writer);
  const told = mayTellDeprecations(endpoint) ? ['Deprecation', 'Sunset', 'Link'] : [];
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: `${description}\n\n${accessNote(endpoint)}`,
    ...(endpoint.deprecated === undefined ? {} : deprecationNote(endpoint.deprecated)),
    ...(endpoint.fromRoot === true ? { servers: [{ url: '/' }] } : {}),
    ...securityOf(endpoint),
    ...(sent.length === 0 ? {} : { parameters: sent }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            description: `At most ${String((endpoint.bodyLimitBytes ?? SMALL_BODY_BYTES) / MIB)} MiB.`,
            required: endpoint.bodyOptional !== true,
            content: { 'application/json': { schema: writer.write(body) } },
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map((entry) => answerEntry(entry, writer, told))),
      ...errors.of(endpoint),
    },
  };
}

/** The groups that the endpoints name, in the order of the endpoints. */
function tagsOf(endpoints: readonly Endpoint[]): JsonObject[] {
  return [...new Set(endpoints.map(({ tag }) => tag))].map(({ name, description }) => ({
    name,
    description,
  }));
}

/** The events, each as the request that an endpoint of the customer would get; a poll answers the same objects. */
function eventsOf(writer: SchemaWriter): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(EVENT_SCHEMAS).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          tags: [TAGS.events.name],
          summary: type,
          description: EVENT_TYPES[type]?.meaning ?? '',
          requestBody: { required: true, content: { 'application/json': { schema: writer.write(schema) } } },
          responses: { '204': { description: 'The event was taken.' } },
        },
      },
    ]),
  );
}

/** Builds the document. Closed answers, which have today's members and values alone, are what tests hold answers against. */
export function buildOpenApi(
  endpoints: readonly Endpoint[],
  answers: 'open' | 'closed' = 'open',
): OpenApiDocument {
  const writer = createSchemaWriter();
  const errors = createErrorResponses(endpoints);
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, writer, errors) };
  }
  const webhooks = eventsOf(writer);
  completeRequests(paths, writer.components);
  completeExamples({ ...paths, ...webhooks }, writer.components);
  const schemas: JsonObject = {
    ...writer.components,
    JsonValue: jsonValue,
    ErrorResponse: structuredClone(errorResponse),
    ErrorCode: structuredClone(errorCode),
  };
  if (answers === 'open') openAnswers({ paths, webhooks, responses: errors.components, schemas });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dockyard API',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_BASE }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: tagsOf(endpoints),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: svc_live_… charges real credits, svc_test_… is never billed and cannot submit or cancel jobs.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-dockyard-session',
          description: 'The cookie of POST /auth/sign-in.',
        },
      },
      headers: HEADERS,
      responses: errors.components,
      schemas,
    },
  };
}

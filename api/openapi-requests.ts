/**
 * Rules for every text, number and open object of a request, whatever its schema says: no text has a NUL, numbers are those that
 * every reader of JSON keeps exactly, and names of open objects cannot reach a prototype. The parser of bodies and Joi refuse
 * requests that break these rules; this file writes the rules into the document, once for all fields.
 */
import type { Json, JsonObject } from './http/in-document.ts';
import { isJsonObject } from './http/in-document.ts';
import { BODY_BOUNDS } from './http/parse-body.ts';

/** The pattern of a text without NUL. */
export const TEXT_PATTERN = '^[^\\u0000]*$';

/** The largest number of a request; the smallest is its negative. */
export const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER;

const JSON_VALUE = { $ref: '#/components/schemas/JsonValue' };
const NAMES: JsonObject = { pattern: TEXT_PATTERN, not: { const: '__proto__' } };
/**
 * A member `constructor` may be anything but an object with a member `prototype`. The rule does not refer to `JsonValue` within an
 * `allOf`, because the page of the document merges what stands there, and cannot merge a schema that is part of itself.
 */
const MEMBERS: JsonObject = {
  propertyNames: NAMES,
  not: {
    required: ['constructor'],
    properties: { constructor: { type: 'object', required: ['prototype'] } },
  },
  additionalProperties: JSON_VALUE,
  maxProperties: BODY_BOUNDS.members,
};

/** Any JSON value that can be kept: the component `JsonValue`. */
export const jsonValue: JsonObject = {
  description:
    'Any JSON value that can be kept: texts and names without NUL, finite numbers, no name __proto__, no constructor with a prototype in it; at most 10000 members in an object; at most 64 levels deep, counted from the top of the body.',
  anyOf: [
    { type: 'null' },
    { type: 'boolean' },
    { type: 'number', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    { type: 'string', pattern: TEXT_PATTERN },
    { type: 'array', items: JSON_VALUE },
    { type: 'object', ...MEMBERS },
  ],
};

const DECIDED = ['pattern', 'enum', 'const', 'format'];

function completeText(node: JsonObject): void {
  if (!DECIDED.some((key) => node[key] !== undefined)) node.pattern = TEXT_PATTERN;
}

function completeNumber(node: JsonObject): void {
  if (node.enum !== undefined) return;
  if (node.minimum === undefined && node.exclusiveMinimum === undefined) node.minimum = -LARGEST_NUMBER;
  if (node.maximum === undefined && node.exclusiveMaximum === undefined) node.maximum = LARGEST_NUMBER;
}

/** Gives an object of texts by name the rule for names, and an object that takes any value the rules for its members. */
function completeObject(node: JsonObject): void {
  const { additionalProperties: others } = node;
  if (others === false) return;
  if (isJsonObject(others)) node.propertyNames = NAMES;
  else Object.assign(node, MEMBERS);
}

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Completes schemas in place, also the schemas behind references. */
class Completion {
  readonly #components: JsonObject;
  readonly #seen = new Set<string>(['JsonValue']);

  constructor(components: JsonObject) {
    this.#components = components;
  }

  complete(node: Json | undefined): void {
    if (Array.isArray(node)) for (const child of node) this.complete(child);
    if (!isJsonObject(node)) return;
    const { $ref: reference, type } = node;
    if (typeof reference === 'string') this.#follow(reference);
    for (const key of ['items', 'prefixItems', 'anyOf', 'oneOf', 'additionalProperties'])
      this.complete(node[key]);
    for (const property of Object.values(recordOf(node.properties))) this.complete(property);
    if (type === 'string') completeText(node);
    if (type === 'number' || type === 'integer') completeNumber(node);
    if (type === 'object') completeObject(node);
  }

  #follow(reference: string): void {
    const name = reference.split('/').at(-1) ?? '';
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.complete(this.#components[name]);
  }
}

/** Completes every body and query of the document; headers and paths have rules of their own. */
export function completeRequests(paths: Readonly<Record<string, JsonObject>>, components: JsonObject): void {
  const completion = new Completion(components);
  const operations = Object.values(paths).flatMap((path) => Object.values(path).filter(isJsonObject));
  for (const { parameters, requestBody } of operations) {
    for (const sent of Array.isArray(parameters) ? parameters : [])
      if (isJsonObject(sent) && sent.in === 'query') completion.complete(sent.schema);
    const content = recordOf(recordOf(requestBody).content);
    for (const body of Object.values(content)) completion.complete(recordOf(body).schema);
  }
}

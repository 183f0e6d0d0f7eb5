/**
 * Examples of the document. An example is put together from the schema of what it shows, so that a field that is declared
 * is in the example and a field that has gone is not. An object shows its required fields, and of the others those that
 * declare an example themselves (`Joi.example`); a whole that must hang together, such as the request of a job, declares one
 * example as a whole. A value is what its field declares, else what the field is called says (`openapi-values.ts`), else
 * what the schema alone decides. A field of which nothing decides a value has no example, and the document is not built.
 */
import type { Json, JsonObject } from './http/in-document.ts';
import { isJsonObject } from './http/in-document.ts';
import { BY_FORMAT, VALUES } from './openapi-values.ts';

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/,
  uri: /^https?:\/\//,
};

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function hasType(types: readonly Json[], value: Json): boolean {
  return types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));
}

function fitsText(
  { pattern, format, minLength = 0, maxLength = Infinity }: JsonObject,
  text: string,
): boolean {
  if (text.length < Number(minLength) || text.length > Number(maxLength)) return false;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false;
  return typeof format !== 'string' || FORMATS[format]?.test(text) !== false;
}

/** Whether a value may stand where the schema is; the members of objects and lists are not looked at. */
function fits(node: JsonObject, value: Json): boolean {
  const { type, enum: allowed, minimum = -Infinity, maximum = Infinity } = node;
  if (Array.isArray(allowed)) return allowed.includes(value);
  if (type === undefined)
    return [...listOf(node.anyOf), ...listOf(node.oneOf)].some(
      (branch) => isJsonObject(branch) && fits(branch, value),
    );
  if (!hasType(listOf(type), value)) return false;
  if (typeof value === 'number') return value >= Number(minimum) && value <= Number(maximum);
  return typeof value !== 'string' || fitsText(node, value);
}

/** Makes the examples of schemas. */
class ExampleMaker {
  readonly #components: JsonObject;

  constructor(components: JsonObject) {
    this.#components = components;
  }

  /**
   * The example of a schema that stands under a name within a component or an operation.
   * @throws Error when nothing decides a value.
   */
  make(node: Json | undefined, name: string, holder: string): Json {
    if (!isJsonObject(node)) throw new Error(`${holder}.${name} has no schema`);
    const [own] = listOf(node.examples);
    if (own !== undefined) return own;
    const { $ref: reference } = node;
    if (typeof reference === 'string') {
      const target = reference.split('/').at(-1) ?? '';
      return this.make(this.#components[target], name, target);
    }
    const values = [...(VALUES[`${holder}.${name}`] ?? []), ...(VALUES[name] ?? [])];
    const known = values.find((value) => fits(node, value));
    return known === undefined ? this.#derive(node, name, holder) : known;
  }

  #derive(node: JsonObject, name: string, holder: string): Json {
    const usual = BY_FORMAT[textOf(node.format)];
    const decided = [...listOf(node.enum).filter((value) => value !== null), node.const, node.default, usual];
    const value = decided.find((each) => each !== undefined);
    if (value !== undefined) return value;
    const [branch] = [...listOf(node.oneOf), ...listOf(node.anyOf)];
    if (branch !== undefined) return this.make(branch, name, holder);
    const types = listOf(node.type);
    if (types.includes('object') && isJsonObject(node.properties)) return this.#compose(node, holder);
    if (types.includes('array')) return this.#list(node, name, holder);
    if (types.includes('boolean')) return true;
    throw new Error(
      `${name} of ${holder} has no example: give its schema one by .example(…), or its name a value in api/openapi-values.ts`,
    );
  }

  #compose({ properties, required }: JsonObject, holder: string): JsonObject {
    const needed = listOf(required);
    const shown = Object.entries(isJsonObject(properties) ? properties : {}).filter(
      ([name, node]) => needed.includes(name) || (isJsonObject(node) && node.examples !== undefined),
    );
    return Object.fromEntries(shown.map(([name, node]) => [name, this.make(node, name, holder)]));
  }

  #list({ items, prefixItems, minItems = 1 }: JsonObject, name: string, holder: string): Json[] {
    const places = listOf(prefixItems);
    if (places.length > 0) return places.map((place) => this.make(place, name, holder));
    return Array.from({ length: Number(minItems) }, () => this.make(items, name, holder));
  }
}

/** Gives every content without an example the example of its schema. */
function completeContent(maker: ExampleMaker, holder: Json | undefined, name: string): void {
  if (!isJsonObject(holder) || !isJsonObject(holder.content)) return;
  for (const media of Object.values(holder.content))
    if (isJsonObject(media) && media.example === undefined)
      media.example = maker.make(media.schema, 'body', name);
}

/**
 * Gives the bodies, the answers and the required parameters of all operations their examples. Error answers are components
 * and have theirs.
 * @throws Error when nothing decides the value of a field.
 */
export function completeExamples(paths: Readonly<Record<string, JsonObject>>, components: JsonObject): void {
  const maker = new ExampleMaker(components);
  const operations = Object.values(paths).flatMap((path) => Object.values(path).filter(isJsonObject));
  for (const { operationId, parameters, requestBody, responses } of operations) {
    const name = textOf(operationId);
    for (const sent of listOf(parameters))
      if (isJsonObject(sent) && sent.required === true)
        sent.example = maker.make(sent.schema, textOf(sent.name), name);
    completeContent(maker, requestBody, name);
    for (const answer of Object.values(isJsonObject(responses) ? responses : {}))
      completeContent(maker, answer, name);
  }
}

/**
 * Judges a JSON text by a JSON Schema while the text is read, and keeps nothing of the text: a report of one query of BLAST may
 * have 64 MiB, which no validator that wants the whole value can judge in the memory of a control worker. Only the keywords of
 * `StreamSchema` are known; a test refuses any other in the schemas that are read this way.
 */
import { JSON_DEPTH } from './json-value.ts';
import { JsonScanner } from './json-scanner.ts';
import type { JsonListener } from './json-scanner.ts';
import { TextFault } from './pieces.ts';

/** As much of a JSON Schema as is judged in a stream. Without a type any value fits, whatever else is said. */
export interface StreamSchema {
  /** One of `object`, `array`, `string` and `integer`. */
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StreamSchema>>;
  readonly additionalProperties?: boolean;
  readonly items?: StreamSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
}

/** The longest text that is compared with a pattern; longer texts are only known to be there. */
const KEPT_CHARACTERS = 16 * 1024;
/** The objects of reports have some twenty members. */
const OPEN_MEMBERS = 10_000;
const ANYTHING: StreamSchema = {};

/** A scanner that throws a TextFault where a text does not fit the schema, or has more values. */
export function createSchemaScanner(schema: StreamSchema, mostValues: number): JsonScanner {
  const bounds = {
    depth: JSON_DEPTH,
    values: mostValues,
    openMembers: OPEN_MEMBERS,
    keptCharacters: KEPT_CHARACTERS,
  };
  return new JsonScanner(new SchemaListener(schema), bounds);
}

/** An open array or object: how many of its items, or of its required members, have come. */
interface Open {
  readonly schema: StreamSchema;
  found: number;
}

class SchemaListener implements JsonListener {
  readonly #open: Open[] = [];
  /** The schema of the next value, where that is the whole text or the member of an object. */
  #next: StreamSchema;

  constructor(schema: StreamSchema) {
    this.#next = schema;
  }

  open(isArray: boolean): void {
    const schema = this.#takeNext();
    mustBe(schema, isArray ? 'array' : 'object');
    this.#open.push({ schema, found: 0 });
  }

  close(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const { type, minItems = 0, required = [] } = closed.schema;
    if (type === 'array' && closed.found < minItems) throw unfit();
    if (type === 'object' && closed.found < required.length) throw unfit();
  }

  name(name: string): void {
    const open = this.#open.at(-1);
    const { type, properties = {}, required = [], additionalProperties = true } = open?.schema ?? ANYTHING;
    this.#next = ANYTHING;
    if (open === undefined || type !== 'object') return;
    // The scanner takes no name twice.
    if (required.includes(name)) open.found += 1;
    if (Object.hasOwn(properties, name)) this.#next = properties[name] ?? ANYTHING;
    else if (!additionalProperties)
      throw new TextFault(`The JSON has ${JSON.stringify(name)}, which it may not have.`);
  }

  text(text: string, length: number): void {
    const schema = this.#takeNext();
    mustBe(schema, 'string');
    const { minLength = 0, pattern } = schema;
    if (length < minLength) throw unfit();
    if (pattern !== undefined && (text.length < length || !new RegExp(pattern, 'u').test(text)))
      throw unfit();
  }

  value(value: number | boolean | null): void {
    const schema = this.#takeNext();
    mustBe(schema, 'integer');
    if (schema.type === undefined) return;
    if (!Number.isSafeInteger(value) || Number(value) < (schema.minimum ?? -Infinity)) throw unfit();
  }

  #takeNext(): StreamSchema {
    const open = this.#open.at(-1);
    if (open === undefined || open.schema.type === 'object') return this.#next;
    if (open.schema.type === undefined) return ANYTHING;
    open.found += 1;
    if (open.found > (open.schema.maxItems ?? Infinity)) throw unfit();
    return open.schema.items ?? ANYTHING;
  }
}

function mustBe({ type }: StreamSchema, kind: string): void {
  if (type !== undefined && type !== kind) throw unfit();
}

function unfit(): TextFault {
  return new TextFault('The JSON does not fit its schema.');
}

/**
 * Judges a JSON report by the JSON Schema in the folder of its tool: the one description of what the tool writes, which the tests
 * of the tool's own code hold against it too. The reader of JSON bounds size, depth and number of values before the schema is
 * asked. Facts that no schema can check (a digest, a sum, the item that was asked for) the tool compares itself.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';

import type { JsonBounds } from './json-value.ts';
import { asJson } from './output-readers.ts';
import type { OutputReader } from './output-readers.ts';
import { nextTurn } from './pieces.ts';

/** A report that fits its schema, or why the file is none. */
export type Report<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

/** A JSON Schema, as far as it is known here. */
export type Schema = Readonly<{ $id: string; $defs?: Readonly<Record<string, unknown>> }>;

/** The schemas and the bounds of a report. */
export interface ReportSchema extends Partial<JsonBounds> {
  readonly schema: Schema;
  /** Other schemas to which the schema refers. */
  readonly refers?: readonly Schema[];
}

let shared: Promise<Ajv2020> | null = null;
/** Schemas are proven by tests (test/unit/tools/json-report.test.ts), which refuse what the library would warn of. */
const SETTINGS = {
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
  allowUnionTypes: true,
  formats: { 'date-time': true },
} as const;

/** Reads a report, whose schema is compiled when the first one comes. `T` names the members that the control side uses. */
export function asReport<T>({ schema, refers = [], ...bounds }: ReportSchema): OutputReader<Report<T>> {
  let compiled: Promise<ValidateFunction<T>> | null = null;
  return asJson(async (value) => {
    if (value === undefined) return { ok: false, fault: 'it is no JSON within the bounds' };
    compiled ??= compile<T>(schema, refers);
    const isFit = await compiled;
    await nextTurn();
    return isFit(value) ? { ok: true, value } : { ok: false, fault: told(isFit.errors?.[0]) };
  }, bounds);
}

/**
 * Loads the library when it is needed, because most processes that know the tools read no report. A large schema takes a tenth
 * of a second to compile, so its parts are compiled one by one, those that refer to others last.
 */
async function compile<T>(schema: Schema, refers: readonly Schema[]): Promise<ValidateFunction<T>> {
  shared ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(SETTINGS));
  const ajv = await shared;
  for (const each of [...refers, schema]) {
    if (ajv.schemas[each.$id] === undefined) ajv.addSchema(each);
    for (const name of Object.keys(each.$defs ?? {}).reverse()) {
      await nextTurn();
      ajv.getSchema(`${each.$id}#/$defs/${name}`);
    }
  }
  await nextTurn();
  return ajv.compile<T>(schema);
}

function told(error: ErrorObject | undefined): string {
  const { instancePath = '', message = 'has another shape', params = {} } = error ?? {};
  const name: unknown = params['additionalProperty'];
  return `${instancePath === '' ? 'it' : instancePath} ${message}${typeof name === 'string' ? `: ${name}` : ''}`;
}

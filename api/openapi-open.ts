/**
 * Opens the answers of the document: the contract lets answers grow by members, codes and values within a version, so no
 * generated client may refuse one that it does not know. An object takes further members, and a list of texts such as states or
 * codes ends with any text. A single text (a constant, or the kind that tells the branches of a choice apart) stays as it is,
 * but for the codes of errors.
 * Requests stay closed; the tests hold every answer against the closed schemas that the API answers by.
 */
import type { Json, JsonObject } from './http/in-document.ts';
import { isJsonObject } from './http/in-document.ts';

const SCHEMAS = '#/components/schemas/';

/** Parts of the document that have schemas. */
export interface DocumentParts {
  readonly paths: Readonly<Record<string, JsonObject>>;
  /** Operations of the customer's, whose requests are what the service sends. */
  readonly webhooks: Readonly<Record<string, JsonObject>>;
  readonly responses: JsonObject;
  readonly schemas: JsonObject;
}

/** Opens every schema that an answer reaches, in place. A schema that requests share with answers is copied into the requests first. */
export function openAnswers({ paths, webhooks, responses, schemas }: DocumentParts): void {
  const operations = operationsOf(paths);
  const answers = [
    responses,
    ...operations.map((operation) => operation.responses ?? {}),
    ...operationsOf(webhooks).map((operation) => operation.requestBody ?? {}),
  ];
  const answered = new Set<string>();
  for (const answer of answers) reach(answer, schemas, answered);
  for (const operation of operations) {
    if (operation.parameters !== undefined)
      operation.parameters = closedCopy(operation.parameters, schemas, answered);
    if (operation.requestBody !== undefined)
      operation.requestBody = closedCopy(operation.requestBody, schemas, answered);
  }
  for (const node of [...answers, ...[...answered].map((name) => schemas[name] ?? {})])
    open(node, node === responses ? 1 : 2);
}

function operationsOf(paths: Readonly<Record<string, JsonObject>>): JsonObject[] {
  return Object.values(paths).flatMap((path) => Object.values(path).filter(isJsonObject));
}

function nameOf(node: JsonObject): string | null {
  const { $ref: reference } = node;
  return typeof reference === 'string' && reference.startsWith(SCHEMAS)
    ? reference.slice(SCHEMAS.length)
    : null;
}

/** The parts of a node that may be schemas; examples are values, and values may look like schemas. */
function partsOf(node: Json): readonly Json[] {
  if (Array.isArray(node)) return node;
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([key, part]) => (/^examples?$/.test(key) ? [] : [part]));
}

/** Notes the names of all schemas that a node reaches. */
function reach(node: Json, schemas: JsonObject, found: Set<string>): void {
  const name = isJsonObject(node) ? nameOf(node) : null;
  if (name !== null && !found.has(name)) {
    found.add(name);
    reach(schemas[name] ?? {}, schemas, found);
  }
  for (const part of partsOf(node)) reach(part, schemas, found);
}

/** A copy in which each reference to a schema that will be opened is the schema as it is now. */
function closedCopy(node: Json, schemas: JsonObject, answered: ReadonlySet<string>): Json {
  if (Array.isArray(node)) return node.map((part) => closedCopy(part, schemas, answered));
  if (!isJsonObject(node)) return node;
  const name = nameOf(node);
  const { $ref: _reference, ...own } = node;
  const shared = name !== null && answered.has(name) ? schemas[name] : undefined;
  const whole = isJsonObject(shared) ? { ...structuredClone(shared), ...own } : node;
  return Object.fromEntries(
    Object.entries(whole).map(([key, part]) => [key, closedCopy(part, schemas, answered)]),
  );
}

/** Whether a choice takes any text already, as the lists of codes do that tools may add to (`http/codes.ts`). */
function takesAnyText(choices: Json | undefined): boolean {
  return (
    Array.isArray(choices) &&
    choices.some(
      (choice) =>
        isJsonObject(choice) && [choice.type].flat().includes('string') && choice.enum === undefined,
    )
  );
}

/** Opens a node; a list of fewer texts than `least` is none. */
function open(node: Json, least: number): void {
  if (isJsonObject(node) && takesAnyText(node.anyOf)) return;
  for (const part of partsOf(node)) open(part, least);
  if (!isJsonObject(node)) return;
  if (node.additionalProperties === false) node.additionalProperties = true;
  const { enum: values, type } = node;
  if (!Array.isArray(values) || !values.every((value) => value === null || typeof value === 'string')) return;
  const known = values.filter((value) => value !== null);
  if (known.length < least) return;
  delete node.enum;
  delete node.type;
  node.anyOf = [{ type: 'string', enum: known }, { type: Array.isArray(type) ? type : 'string' }];
}

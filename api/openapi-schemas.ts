/**
 * JSON Schemas from the Joi schemas that validate at run time. Joi converts itself; here its result is tidied: schemas
 * with a name become components, a choice told apart by `kind` becomes `oneOf`, deprecations and formats are carried over.
 */
import type Joi from 'joi';

import {
  artifactAnswer,
  artifactReference,
  dockingExecution,
  dockingValidation,
  downloadUrlAnswer,
  ligandIdentity,
  receptorPreparation,
  registerArtifactBody,
  residueReference,
} from './docking/schemas.ts';
import { balanceAnswer, transactionListAnswer } from './credits/schemas.ts';
import { estimateJobAnswer, estimateJobBody } from './estimates/schemas.ts';
import { outputItem, outputListAnswer, taskListAnswer } from './jobs/result-schemas.ts';
import { cancelJobAnswer, cancelJobBody, jobListAnswer, jobStatusAnswer } from './jobs/schemas.ts';
import { simulationParams } from './jobs/simulation-params.ts';
import { submitJobAnswer, submitJobBody } from './jobs/submit-schemas.ts';
import {
  completeAnswer,
  completeBody,
  multipartInitAnswer,
  multipartInitBody,
  multipartStatusAnswer,
  partUrlsAnswer,
  partUrlsBody,
  uploadListAnswer,
} from './uploads/multipart-schemas.ts';
import { uploadUrlAnswer, uploadUrlBody } from './uploads/schemas.ts';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Named schemas, those that others contain first. */
const NAMED: readonly (readonly [string, Joi.Schema])[] = [
  ['ArtifactReference', artifactReference],
  ['ResidueReference', residueReference],
  ['LigandIdentity', ligandIdentity],
  ['ReceptorPreparation', receptorPreparation],
  ['DockingValidation', dockingValidation],
  ['DockingExecution', dockingExecution],
  ['SimulationParams', simulationParams],
  ['SubmitJobRequest', submitJobBody],
  ['SubmitJobResponse', submitJobAnswer],
  ['EstimateJobRequest', estimateJobBody],
  ['EstimateJobResponse', estimateJobAnswer],
  ['JobListResponse', jobListAnswer],
  ['JobStatusResponse', jobStatusAnswer],
  ['TaskListResponse', taskListAnswer],
  ['OutputItem', outputItem],
  ['OutputListResponse', outputListAnswer],
  ['CancelJobRequest', cancelJobBody],
  ['CancelJobResponse', cancelJobAnswer],
  ['UploadUrlRequest', uploadUrlBody],
  ['UploadUrlResponse', uploadUrlAnswer],
  ['MultipartInitRequest', multipartInitBody],
  ['MultipartInitResponse', multipartInitAnswer],
  ['MultipartStatusResponse', multipartStatusAnswer],
  ['MultipartPartUrlsRequest', partUrlsBody],
  ['MultipartPartUrlsResponse', partUrlsAnswer],
  ['MultipartCompleteRequest', completeBody],
  ['MultipartCompleteResponse', completeAnswer],
  ['UploadListResponse', uploadListAnswer],
  ['CreditBalanceResponse', balanceAnswer],
  ['TransactionListResponse', transactionListAnswer],
  ['RegisterArtifactRequest', registerArtifactBody],
  ['ArtifactResponse', artifactAnswer],
  ['DownloadUrlResponse', downloadUrlAnswer],
];

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Described {
  readonly metas?: readonly Readonly<Record<string, unknown>>[];
  readonly keys?: Readonly<Record<string, Described>>;
}

/** Joi's conversion leaves metadata out, so deprecations and formats are carried over property by property. */
function carryMetadata(node: JsonObject, described: Described): void {
  for (const [name, property] of Object.entries(described.keys ?? {})) {
    const target = isObject(node.properties) ? node.properties[name] : undefined;
    if (!isObject(target)) continue;
    for (const { deprecated, format } of property.metas ?? []) {
      if (deprecated === true) target.deprecated = true;
      if (typeof format === 'string') target.format = format;
    }
    carryMetadata(target, property);
  }
}

/** Parsed from text, so that what the document holds is JSON and nothing else. */
function rawJsonSchema(schema: Joi.Schema): JsonObject {
  const raw: unknown = JSON.parse(
    JSON.stringify(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })),
  );
  if (!isObject(raw)) throw new Error('a JSON Schema of a Joi schema is an object');
  carryMetadata(raw, schema.describe());
  return raw;
}

function kindOf(branch: Json): readonly Json[] | null {
  if (!isObject(branch) || !isObject(branch.properties) || !isObject(branch.properties.kind)) return null;
  const { kind } = branch.properties;
  return Array.isArray(kind.enum) ? kind.enum : null;
}

/** Joi writes a choice by `kind` as `anyOf` with a last branch for unknown kinds, which only makes better messages. */
function tidyChoice(node: JsonObject): JsonObject {
  const branches = node.anyOf;
  if (!Array.isArray(branches) || branches.some((branch) => kindOf(branch) === null)) return node;
  const { anyOf: _dropped, ...rest } = node;
  return { ...rest, oneOf: branches.filter((branch) => kindOf(branch)?.length === 1) };
}

/** Members that a use of a named schema may set for itself, beside the reference. */
const ANNOTATIONS = ['description', 'default'];

function shapeOf(node: JsonObject): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(node).filter(([key]) => !ANNOTATIONS.includes(key))),
  );
}

class ComponentIndex {
  readonly schemas: JsonObject = {};
  readonly #nameByShape = new Map<string, string>();

  /** Replaces every named schema below a node by a reference. */
  refer(node: Json, self?: string): Json {
    if (Array.isArray(node)) return node.map((child) => this.refer(child));
    if (!isObject(node)) return node;
    const tidied = tidyChoice(node);
    const name = this.#nameByShape.get(shapeOf(tidied));
    if (name !== undefined && name !== self) return this.#reference(name, tidied);
    const entries = Object.entries(tidied).map(([key, child]): [string, Json] => [key, this.refer(child)]);
    const referred = Object.fromEntries(entries);
    const inner = this.#nameByShape.get(shapeOf(referred));
    return inner === undefined || inner === self ? referred : this.#reference(inner, referred);
  }

  add(name: string, schema: Joi.Schema): void {
    const referred = this.refer(rawJsonSchema(schema), name);
    if (!isObject(referred)) return;
    this.schemas[name] = referred;
    this.#nameByShape.set(shapeOf(referred), name);
  }

  #reference(name: string, node: JsonObject): JsonObject {
    const target = this.schemas[name];
    const own = ANNOTATIONS.filter(
      (key) =>
        node[key] !== undefined &&
        isObject(target) &&
        JSON.stringify(node[key]) !== JSON.stringify(target[key]),
    );
    return {
      $ref: `#/components/schemas/${name}`,
      ...Object.fromEntries(own.map((key) => [key, node[key] ?? null])),
    };
  }
}

/** Turns Joi schemas into JSON Schemas that share their components. */
export interface SchemaWriter {
  readonly components: JsonObject;
  write(schema: Joi.Schema): Json;
}

/** Makes a writer with all named schemas. */
export function createSchemaWriter(): SchemaWriter {
  const index = new ComponentIndex();
  for (const [name, schema] of NAMED) index.add(name, schema);
  return { components: index.schemas, write: (schema) => index.refer(rawJsonSchema(schema)) };
}

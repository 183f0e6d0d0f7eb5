/** Bodies and queries of the compute gateway. Unknown fields are refused, because a worker knows this protocol exactly. */
import Joi from 'joi';

import type {
  BootstrapRequest,
  CheckpointRequest,
  ClaimRequest,
  ContactRequest,
  InputUrlsRequest,
  MeterRequest,
  PayloadsMessage,
  UploadUrlsRequest,
} from '../contracts/instance.ts';
import { CHECKPOINT_FILES } from '../contracts/reports.ts';
import { WORK_KINDS } from '../contracts/job.ts';
import type { WorkKind } from '../contracts/job.ts';
import { NONCE, CALL_ITEMS, isOutputName, OUTPUT_NAME_CHARACTERS } from '../contracts/instance.ts';

const GREATEST_INTEGER = 2_147_483_647;
/** An input is named after its storage key, or after an output and its task. */
const LONGEST_INPUT_NAME = 512;
const LONGEST_CREDENTIAL = 1024;
const GREATEST_OBJECT_BYTES = 5 * 1024 ** 3;

const kind = Joi.string()
  .valid(...WORK_KINDS)
  .required();
const ordinal = Joi.number().integer().min(0).max(GREATEST_INTEGER).required();
const outputName = Joi.string()
  .max(OUTPUT_NAME_CHARACTERS)
  .custom((value: string, helpers) => (isOutputName(value) ? value : helpers.error('output.name')))
  .messages({ 'output.name': '{{#label}} must be a relative path of plain segments' })
  .required();

const stagedFile = Joi.object({
  name: outputName,
  byteSize: Joi.number().integer().min(0).max(GREATEST_OBJECT_BYTES).required(),
  sha256: Joi.string().hex().length(64).lowercase().required(),
});

/** POST /v1/tasks/claim. */
export const claimBody = Joi.object<ClaimRequest>({
  execution: Joi.number().integer().min(1).max(GREATEST_INTEGER).required(),
  kind,
  ordinals: Joi.array().items(ordinal).min(1).max(CALL_ITEMS).unique().required(),
});

/** POST /v1/tasks/meter. */
export const meterBody = Joi.object<MeterRequest>({
  execution: Joi.number().integer().min(1).max(GREATEST_INTEGER).required(),
  ordinal,
  attempt: Joi.number().integer().min(1).max(GREATEST_INTEGER).required(),
  run: Joi.string().uuid().required(),
  moment: Joi.string().valid('started', 'ended').required(),
});

/** POST /v1/tasks/inputs. */
export const inputUrlsBody = Joi.object<InputUrlsRequest>({
  kind,
  ordinal,
  names: Joi.array().items(Joi.string().max(LONGEST_INPUT_NAME)).min(1).max(CALL_ITEMS).unique().required(),
});

/** POST /v1/tasks/upload-urls. */
export const uploadUrlsBody = Joi.object<UploadUrlsRequest>({
  kind,
  files: Joi.array().items(stagedFile.append({ ordinal })).min(1).max(CALL_ITEMS).required(),
});

/** POST /v1/tasks/checkpoints. */
export const checkpointBody = Joi.object<CheckpointRequest>({
  kind,
  ordinal,
  attempt: Joi.number().integer().min(1).max(GREATEST_INTEGER).required(),
  files: Joi.array().items(stagedFile).min(1).max(CHECKPOINT_FILES).unique('name').required(),
});

/** POST /v1/payloads/open and /v1/payloads/seal. */
export const payloadsBody = Joi.object<PayloadsMessage>({
  payloads: Joi.array().items(Joi.string().base64()).min(1).max(CALL_ITEMS).required(),
});

/** POST /v1/bootstrap. */
export const bootstrapBody = Joi.object<BootstrapRequest>({
  credential: Joi.string().max(LONGEST_CREDENTIAL).required(),
  nonce: Joi.string().pattern(NONCE, 'nonce').required(),
});

/** POST /v1/contact. */
export const contactBody = Joi.object<ContactRequest>({
  running: Joi.array()
    .items(Joi.object({ kind, ordinal, percent: Joi.number().min(0).max(100).required() }))
    .max(CALL_ITEMS)
    .required(),
  isStoreFull: Joi.boolean(),
});

/** Chunk of a log upload: path parameters and query together. */
export interface LogTarget {
  readonly kind: WorkKind;
  readonly ordinal: number;
  readonly attempt: number;
  readonly from: number;
}

/** POST /v1/tasks/{kind}/{ordinal}/log?attempt=n&from=byte. */
export const logTarget = Joi.object<LogTarget>({
  kind,
  ordinal,
  attempt: Joi.number().integer().min(1).max(GREATEST_INTEGER).required(),
  from: Joi.number().integer().min(0).max(GREATEST_OBJECT_BYTES).required(),
});

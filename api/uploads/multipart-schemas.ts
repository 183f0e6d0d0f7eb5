/** Multipart uploads: requests and answers. */
import Joi from 'joi';

import { MAX_PARTS, PART_URLS_PER_REQUEST, UPLOAD_STATES } from '../../src/domain/uploads.ts';
import type {
  MultipartCompleteRequest,
  MultipartInitRequest,
  MultipartPartUrlsRequest,
  UploadListQuery,
} from '../../src/domain/uploads.ts';
import {
  characters,
  cursor,
  nextCursor,
  optionalTime,
  pageLimit,
  sha256,
  sha256AnyCase,
  time,
  uuid,
} from '../http/fields.ts';
import { fileDigest, fileFields, fileRules } from './file-fields.ts';

const partNumber = Joi.number()
  .integer()
  .min(1)
  .max(MAX_PARTS)
  .required()
  .description('Number of the part, from 1.');

/** The canonical base64 of 32 bytes: the last digit carries only four bits. */
const base64Sha256 = Joi.string().pattern(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, {
  name: 'base64 of 32 bytes',
});

const uploadId = uuid.required().description('Id of the upload.');
const key = Joi.string().required().description('Storage key of the file, to send as sceneFile.');
const partSize = Joi.number()
  .integer()
  .required()
  .description('Size of each part in bytes; the last may be smaller.');
const partCount = Joi.number().integer().required().description('Number of parts.');
const expiresIn = Joi.number().greater(0).required().description('Life of the addresses in seconds.');
const provider = Joi.string().valid('aws', 'azure').required().description('Kind of the store.');
const url = Joi.string().uri().required().description('Presigned address for the PUT of this part.');
const headerMap = Joi.object<Readonly<Record<string, string>>>().pattern(Joi.string(), Joi.string());
const checksumAlgorithm = Joi.string()
  .valid('sha256', null)
  .required()
  .description('sha256 when the store checks the digest of each part, else null.');
const optionalText = Joi.string().allow(null).required();
const filename = Joi.string().required().description('Name of the file as it was announced.');
const contentType = Joi.string().required().description('Media type of the file.');
const size = Joi.number().integer().required().description('Size of the file in bytes.');
const projectId = optionalText.description('Project that the file belongs to.');
const logicalPath = optionalText.description('Path of the file within the project.');

/** POST /uploads. */
export const multipartInitBody = Joi.object<MultipartInitRequest, true>({
  ...fileFields,
  partSize: Joi.number()
    .integer()
    .greater(0)
    .description('Wished size of a part in bytes; held within the limits of the store and of 10,000 parts.'),
  sha256: fileDigest.description(
    'SHA-256 of the whole file, 64 hex characters; the stored bytes are held against it at completion.',
  ),
  jobType: characters(0).description('Kind of job that the file is for; a hint.'),
  checksumAlgorithm: Joi.string()
    .valid('sha256')
    .description('Asks the store to check the SHA-256 of each part, where it can.'),
})
  .and('projectId', 'logicalPath')
  .meta(fileRules)
  .description('The file to upload in parts.');

/** The answer of POST /uploads. */
export const multipartInitAnswer = Joi.object({
  uploadId,
  key,
  partSize,
  partCount,
  parts: Joi.array()
    .items(Joi.object({ partNumber, url }).description('Address of one part.'))
    .max(PART_URLS_PER_REQUEST)
    .required()
    .description('Addresses of the first 1,000 parts; none when the store checks digests.'),
  headers: headerMap.required().description('Headers to send with each of these PUTs; usually none.'),
  expiresIn,
  provider,
  checksumAlgorithm,
  expiresAt: time.required().description('When the upload is aborted unless it has been completed.'),
}).description('A multipart upload that was started.');

/** The path of one upload. */
export const uploadPath = Joi.object<{ readonly uploadId: string }, true>({ uploadId });

/** The answer of GET /uploads/{uploadId}. */
export const multipartStatusAnswer = Joi.object({
  uploadId,
  key,
  partSize,
  partCount,
  received: Joi.array()
    .items(
      Joi.object({
        partNumber,
        etag: Joi.string()
          .allow('')
          .required()
          .description('ETag of the stored part; empty where the store has none.'),
        size: Joi.number().integer().required().description('Size of the part in bytes.'),
        checksumSha256: base64Sha256.description('SHA-256 that the store checked, in base64.'),
      }).description('A part that the store has, whole.'),
    )
    .required()
    .description('Parts that the store has with their exact sizes, by number.'),
  missing: Joi.array()
    .items(Joi.number().integer().description('Number of a part.'))
    .required()
    .description('Numbers of the parts that are still to be sent.'),
  complete: Joi.boolean().required().description('Whether all parts are there.'),
  provider,
  state: Joi.string()
    .valid(...UPLOAD_STATES)
    .required()
    .description('State of the upload.'),
  filename,
  contentType,
  size,
  checksumAlgorithm,
  sha256: sha256.allow(null).required().description('SHA-256 of the whole file where announced, in hex.'),
  projectId,
  logicalPath,
  createdAt: time.required().description('When the upload was started.'),
  expiresAt: time.required().description('When the upload is aborted unless it has been completed.'),
}).description('How far an upload is.');

/** POST /uploads/{uploadId}/parts. */
export const partUrlsBody = Joi.object<MultipartPartUrlsRequest, true>({
  parts: Joi.array()
    .items(
      Joi.object({
        partNumber,
        checksumSha256: base64Sha256.description(
          'SHA-256 of the bytes of the part, in base64; required exactly when the upload checks parts.',
        ),
      }).description('A part to be sent.'),
    )
    .min(1)
    .max(PART_URLS_PER_REQUEST)
    .unique('partNumber')
    .required()
    .description(
      'The parts that addresses are wanted for, at most 1,000, each number once and at most partCount of the upload.',
    ),
}).description('Parts to be sent, for the first time or again.');

/** The answer of POST /uploads/{uploadId}/parts. */
export const partUrlsAnswer = Joi.object({
  uploadId,
  parts: Joi.array()
    .items(
      Joi.object({
        partNumber,
        url,
        headers: headerMap.required().description('Headers to send with this PUT, unchanged.'),
      }).description('Address of one part.'),
    )
    .required()
    .description('An address for each part that was asked for, in that order.'),
  partSize,
  partCount,
  expiresIn,
  provider,
}).description('Where to send parts.');

/** POST /uploads/{uploadId}/complete. */
export const completeBody = Joi.object<MultipartCompleteRequest, true>({
  parts: Joi.array()
    .items(
      Joi.object({
        partNumber,
        etag: characters(0).description(
          'ETag that the store answered to the PUT; where it is named, the stored part must have it, else 409.',
        ),
        checksumSha256: base64Sha256.description(
          'SHA-256 of the bytes of the part, in base64; required when the upload checks parts.',
        ),
      }).description('A part of the file.'),
    )
    .min(1)
    .max(MAX_PARTS)
    .unique('partNumber')
    .required()
    .description('All parts of the file, each number once and at most partCount of the upload.'),
  sha256: sha256AnyCase.description(
    'SHA-256 of the whole file, 64 hex characters; the stored bytes are read and held against it before the key is released. One that is named only after the upload has been completed is compared with what is known by then.',
  ),
}).description('The parts that make up the file.');

/** The answer of POST /uploads/{uploadId}/complete. */
export const completeAnswer = Joi.object({
  key,
  size,
  etag: Joi.string().description('ETag of the stored object.'),
  verified: Joi.boolean().valid(true).required().description('Always true: the object is stored, whole.'),
  integrity: Joi.string()
    .valid('parts-sha256', 'size')
    .required()
    .description(
      'parts-sha256 when the store checked the digest of every part, size when the byte count was checked: then name the ETag of each part, or sha256, to have the bytes compared too.',
    ),
  provider,
  sha256: sha256.description(
    'SHA-256 of the whole file in hex, when it was announced: the stored bytes were read and agree. Missing: no digest was held against them.',
  ),
}).description('The file is stored; its key may be used.');

/** Query of GET /uploads. */
export const uploadListQuery = Joi.object<UploadListQuery, true>({
  limit: pageLimit(100, 25),
  cursor,
  state: Joi.string()
    .valid('open', 'completed')
    .default('open')
    .description('open: multipart uploads under way; completed: verified files, the newest of each path.'),
  projectId: uuid.description('Only files of this project.'),
  sha256: sha256AnyCase.description('Only files with this SHA-256, 64 hex characters.'),
});

const uploadListItem = Joi.object({
  uploadId,
  key,
  state: Joi.string()
    .valid(...UPLOAD_STATES)
    .required()
    .description('State of the upload.'),
  filename,
  contentType,
  size,
  sha256: sha256
    .allow(null)
    .required()
    .description('SHA-256 of the file in hex; of an open upload the announced one.'),
  projectId,
  logicalPath,
  partSize: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('Size of each part in bytes; null for a file stored by one PUT.'),
  partCount: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('Number of parts; null for a file stored by one PUT.'),
  checksumAlgorithm,
  createdAt: time.required().description('When the upload was started.'),
  expiresAt: optionalTime.required().description('When an open upload is aborted.'),
  completedAt: optionalTime.required().description('When the file was verified.'),
}).description('An upload.');

/** The answer of GET /uploads. */
export const uploadListAnswer = Joi.object({
  uploads: Joi.array().items(uploadListItem).required().description('Uploads, newest first.'),
  nextCursor,
}).description('A page of uploads.');

const bytes = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().integer().min(0).required().example(example).description(`${text}, in bytes.`);

/** The answer of GET /uploads/usage. */
export const uploadUsageAnswer = Joi.object({
  usedBytes: bytes('What stored files take', 73_400_320),
  reservedBytes: bytes('What is reserved for uploads that have not ended', 8_388_608),
  quotaBytes: bytes('What the plan lets the account store in all', 107_374_182_400),
  files: Joi.number().integer().min(0).required().example(12).description('Number of stored files.'),
}).description('The room of the account.');

/** Schemas of uploads in parts, by their names in the document. */
export const MULTIPART_SCHEMAS: readonly (readonly [string, Joi.Schema])[] = [
  ['MultipartInitRequest', multipartInitBody],
  ['MultipartInitResponse', multipartInitAnswer],
  ['MultipartStatusResponse', multipartStatusAnswer],
  ['MultipartPartUrlsRequest', partUrlsBody],
  ['MultipartPartUrlsResponse', partUrlsAnswer],
  ['MultipartCompleteRequest', completeBody],
  ['MultipartCompleteResponse', completeAnswer],
  ['UploadListResponse', uploadListAnswer],
  ['UploadUsageResponse', uploadUsageAnswer],
];

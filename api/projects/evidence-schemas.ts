/** Evidence of revisions: citations and signed receipts. */
import Joi from 'joi';

import { CITATION_FORMATS } from '../../src/domain/citations.ts';
import type { Citation, CitationFormat, CslItem } from '../../src/domain/citations.ts';
import { REVISION_RECEIPT_SCHEMA } from '../../src/domain/revision-receipts.ts';
import { sha256, time, uuid } from '../http/fields.ts';
import { signature } from '../receipts/schemas.ts';

const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const PROJECT = '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11';
const digest = sha256.required().example(DIGEST);
const whole = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).required().description(text);

/** A citation as the document shows it. */
export const CITATION_EXAMPLE: Citation = {
  projectId: PROJECT,
  version: 3,
  name: 'Kinase inhibitors',
  savedAt: '2026-11-28T09:00:00.000000Z',
  contentSha256: DIGEST,
  url: 'https://dockyard.example.org/molecular/shared/q0mXk1Yw3bT7vR2nZ5sC8dF4gH6jL9pA1eU3iO5yB7c',
};

/** The query of a citation. */
export const citationQuery = Joi.object<{ readonly format?: CitationFormat }, true>({
  format: Joi.string()
    .valid(...CITATION_FORMATS)
    .description('Form of the citation; without it the Accept header decides, else it is a sentence.'),
});

/** A citation as CSL-JSON. */
export const cslAnswer = Joi.array()
  .items(
    Joi.object<CslItem, true>({
      id: Joi.string().required().description('Key of the citation.'),
      type: Joi.string().valid('dataset').required().description('What is cited.'),
      title: Joi.string().required().description('Name of the project.'),
      version: Joi.string().required().description('Version number of the revision, in text.'),
      publisher: Joi.string().required().description('Name of the publisher.'),
      issued: Joi.object<CslItem['issued'], true>({
        'date-parts': Joi.array()
          .items(Joi.array().items(Joi.number().integer().example(2026)))
          .required()
          .description('Year, month and day of the save.'),
      })
        .required()
        .description('When the revision was saved.'),
      URL: Joi.string().required().description('Address of the revision.'),
      note: Joi.string().required().description('Digest of the content.'),
    }).description('The revision.'),
  )
  .description('The citation in a list of its own.');

const source = Joi.object({
  artifactId: uuid.required().description('Id of the artifact.'),
  name: Joi.string().required().example('poses.sdf').description('Name of the file.'),
  byteSize: whole('Size in bytes.').example(20480),
  sha256: digest.description('SHA-256 of the bytes.'),
  jobId: uuid.allow(null).required().description('Job that made the file; null for one that was uploaded.'),
}).description('A file that the content names.');

const structure = Joi.object({
  pdbId: Joi.string().required().example('1hpv').description('PDB id of the entry.'),
  sha256: digest.description('SHA-256 of the file of the entry.'),
}).description('An entry of the archive that the content names.');

const jobReceipt = Joi.object({
  execution: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(1)
    .description('Number of the execution, counted from 1.'),
  sha256: digest.description('SHA-256 of the canonical JSON (RFC 8785) of the receipt.'),
}).description('A signed receipt of the job.');

const job = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  requestSha256: digest.description('SHA-256 of the canonical JSON of its request, as its receipt has it.'),
  receipts: Joi.array().items(jobReceipt).required().description('Receipts of its executions.'),
}).description('A job that made a file which the content names.');

const receipt = Joi.object({
  schema: Joi.string().valid(REVISION_RECEIPT_SCHEMA).required().description('Format of the receipt.'),
  issuer: Joi.string()
    .required()
    .example('https://dockyard.example.org')
    .description('Address of the service.'),
  projectId: uuid.required().description('Id of the project.'),
  version: whole('Version number of the revision.').min(1).example(3),
  sourceVersion: Joi.number()
    .integer()
    .min(1)
    .allow(null)
    .required()
    .example(null)
    .description('Version number of the revision that was restored; null for every other one.'),
  savedAt: time.required().description('When the revision was saved.'),
  contentSha256: digest.description('SHA-256 of the canonical JSON (RFC 8785) of the content.'),
  byteSize: whole('Bytes of the canonical JSON.').example(53),
  sources: Joi.array().items(source).required().description('Files that the content names.'),
  structures: Joi.array()
    .items(structure)
    .required()
    .description('Entries of the archive that the content names.'),
  missing: Joi.array()
    .items(uuid.description('Id of an artifact.'))
    .required()
    .description('Artifacts that the content names and that the account did not have.'),
  jobs: Joi.array().items(job).required().description('Jobs that the files came from.'),
}).description('The receipt, as it was signed.');

/** GET …/revisions/{version}/receipt. */
export const signedRevisionReceiptAnswer = Joi.object({
  receipt: receipt.required(),
  signature: signature.required(),
}).description('A receipt of a revision with its signature.');

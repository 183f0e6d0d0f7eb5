/** Receipts and their public keys: query and answers. */
import Joi from 'joi';

import { RECEIPT_SCHEMA } from '../../src/domain/receipts.ts';
import { CUSTOMER_TOOLS } from '../../src/tools/catalogue.ts';
import { RECOVERY_KINDS } from '../../src/domain/recoveries.ts';
import { recoveryCause } from '../http/codes.ts';
import { currency, integerInQuery, sha256, time, uuid, wholeList } from '../http/fields.ts';
import { TRANSACTION_TYPES } from '../../src/domain/ledger.ts';

const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const count = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).required().description(text);
const place = (text: string): Joi.NumberSchema =>
  Joi.number().integer().min(0).allow(null).required().description(text);
const pence = (text: string): Joi.NumberSchema => count(`${text}, in minor units of creditCurrency (pence).`);
const digest = sha256.required().example(DIGEST);
const keyId = Joi.string()
  .pattern(/^[a-z0-9-]{1,32}$/, { name: '1 to 32 lower-case letters, digits and -' })
  .required()
  .example('2026-11');

/** Path of an operation on a run. */
export const runPath = Joi.object<{ readonly runId: string }, true>({
  runId: uuid.required().description('Id of the run.'),
});

/** GET …/receipt. */
export const receiptQuery = Joi.object<{ readonly execution?: number }, true>({
  execution: integerInQuery()
    .min(1)
    .max(1_000_000)
    .description(
      'Number of the execution, counted from 1; by default the last one that has a receipt, else the last one.',
    ),
});

const input = Joi.object({
  storageKey: Joi.string().required().example('accounts/a/uploads/u/1a28.pdb').description('Storage key.'),
  byteSize: count('Size in bytes.').example(4096),
  sha256: digest.description('SHA-256 that every read of the input had to have.'),
}).description('An input that the job has read.');

const output = Joi.object({
  artifactId: uuid.required().description('Id of the output.'),
  taskIndex: place('Index of the task that made the output; null for an output of a step.').example(0),
  name: Joi.string()
    .required()
    .example('ligands/imatinib/poses.sdf')
    .description('Name of the output, unique in its task.'),
  byteSize: count('Size in bytes.').example(20480),
  sha256: digest.description('SHA-256 of the bytes, which the service has verified.'),
}).description('A verified output.');

const repeated = Joi.object({
  taskIndex: count('Index of the task.').example(3),
  attempts: count('Number of starts of the task.').example(2),
}).description('A task that was started more than once, and was verified in the end.');

const adopted = Joi.object({
  taskIndex: count('Index of the task.').example(3),
  fromJobId: uuid.required().description('Job whose verified outputs were copied.'),
  fromTaskIndex: count('Index of the task of that job.').example(3),
}).description(
  'A task for which the earlier result of an equal task stands; its outputs have the same bytes.',
);

const recovery = Joi.object({
  at: time.required().description('When the instance was given up, or the job paused or resumed.'),
  kind: Joi.string()
    .valid(...RECOVERY_KINDS)
    .required()
    .example('LOSS')
    .description('What happened, as in the recovery ledger.'),
  cause: recoveryCause.example('INSTANCE_GONE').description('Why work stopped, or went on.'),
  slot: place(
    'Place of the lost instance in the fleet, counted from 0; null for a pause or a resume.',
  ).example(0),
  generation: place(
    'Number of the lost instance in its place, counted from 1; null for a pause or a resume.',
  ).example(1),
  tasksKept: count('Number of verified tasks, which stayed as they were.').example(12),
  tasksSetBack: count('Number of tasks and steps that were run again.').example(2),
}).description('An entry of the recovery ledger.');

const price = Joi.object({
  priceBookVersion: Joi.string().required().example('2026-11-23').description('Version of the price book.'),
  currency: currency.required().example('USD').description('Currency of the price.'),
  totalMicro: count('Price of what is verified, in millionths of the units of currency.').example(120_000),
  fxRateMicro: count(
    'Exchange rate: millionths of the units of creditCurrency for one of the units of currency.',
  ).example(790_000),
  creditCurrency: currency.required().example('GBP').description('Currency of credits.'),
  heldCents: pence('Credits that were held').example(10),
  chargedCents: pence('Credits that were charged').example(9),
  releasedCents: pence('Credits that were released').example(1),
}).description('What the execution cost.');

const transaction = Joi.object({
  transferId: uuid.required().description('Id of the transfer, as the bill of the job has it.'),
  type: Joi.string()
    .valid(...TRANSACTION_TYPES)
    .required()
    .example('charge')
    .description('What the transfer is, as the type of a transaction.'),
  amountCents: pence('Amount that the transfer moved').example(9),
}).description('A transfer of the ledger.');

const receipt = Joi.object({
  schema: Joi.string().valid(RECEIPT_SCHEMA).required().description('Format of the receipt.'),
  issuer: Joi.string()
    .required()
    .example('https://dockyard.example.org')
    .description('Address of the service.'),
  jobId: uuid.required().description('Id of the job.'),
  execution: count('Number of the execution, counted from 1.').example(1),
  outcome: Joi.string()
    .required()
    .example('SUCCEEDED')
    .description('State of the job when the execution was settled: PAUSED, or a terminal one.'),
  jobType: Joi.string().required().example('simulation').description('Type of the job.'),
  simulator: Joi.string()
    .allow(null)
    .required()
    .example(CUSTOMER_TOOLS[0]?.about.id ?? null)
    .description('Simulator of the job; null for other jobs.'),
  requestSha256: digest.description(
    'SHA-256 of the canonical JSON (RFC 8785) of the request as it was sent, without idempotencyKey and quoteId.',
  ),
  effectiveSeed: place('Seed number that every task has used; null for tools without seeds.').example(42),
  toolchainSha256: Joi.array()
    .items(sha256.example(DIGEST))
    .required()
    .description('Digests of the code that made the results.'),
  cpuClasses: Joi.array()
    .items(Joi.string().example('x86-64-v3'))
    .required()
    .description('Classes of the processors that made the results, where results tell theirs.'),
  submittedAt: time.required().description('When the job was admitted.'),
  startedAt: time.required().description('When the execution was admitted.'),
  settledAt: time.required().description('When the execution was settled.'),
  tasks: Joi.object({
    total: count('Number of tasks of the job.').example(10),
    verified: count('Number of verified tasks, over all executions so far.').example(9),
    failed: count('Number of failed tasks, over all executions so far.').example(1),
  })
    .required()
    .description('Counts of tasks when the execution was settled.'),
  attempts: Joi.object({
    started: count('Number of starts of tasks, all together.').example(11),
    repeated: Joi.array().items(repeated).required().description('Verified tasks that were started again.'),
  })
    .required()
    .description('Attempts at tasks.'),
  adopted: Joi.array()
    .items(adopted)
    .description('Tasks for which earlier results stand; absent where every task was done.'),
  recoveries: Joi.array().items(recovery).required().description('What was lost, paused and resumed.'),
  inputs: Joi.array().items(input).required().description('Inputs with their digests.'),
  outputs: Joi.array().items(output).required().description('Verified outputs with their digests.'),
  price: price.required(),
  transactions: Joi.array()
    .items(transaction)
    .required()
    .description('Transfers of the ledger, in their order.'),
}).description('What is signed.');

/** The signature of a receipt. */
export const signature = Joi.object({
  algorithm: Joi.string().valid('Ed25519').required().description('Ed25519 of RFC 8032.'),
  keyId: keyId.description('Id of the key that has signed; GET /receipt-keys has its public part.'),
  value: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{86}$/)
    .required()
    .example('A'.repeat(86))
    .description('Signature over the UTF-8 of the canonical JSON (RFC 8785) of receipt, in base64url.'),
}).description('The signature of the receipt.');

/** The answer of GET …/receipt. */
export const signedReceiptAnswer = Joi.object({
  receipt: receipt.required(),
  signature: signature.required(),
}).description('A receipt with its signature.');

const key = Joi.object({
  kty: Joi.string().valid('OKP').required().description('Kind of the key.'),
  crv: Joi.string().valid('Ed25519').required().description('Curve of the key.'),
  alg: Joi.string().valid('EdDSA').required().description('Algorithm of the key.'),
  use: Joi.string().valid('sig').required().description('The key signs.'),
  kid: keyId.description('Id of the key.'),
  x: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/)
    .required()
    .example('A'.repeat(43))
    .description('The public key, 32 bytes in base64url.'),
}).description('A public key as a JSON Web Key (RFC 8037).');

/** The answer of GET /receipt-keys. */
export const receiptKeysAnswer = Joi.object({
  keys: Joi.array()
    .items(key)
    .required()
    .description('Keys, the newest first. A key stays in the list when it signs no more.'),
})
  .append(wholeList)
  .description('The public keys of receipts.');

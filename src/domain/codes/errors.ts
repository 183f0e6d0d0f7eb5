/**
 * The error table of the service: every code that an answer of the API or of the gateway can carry, whatever the tool, with
 * its HTTP status and its words. Tools have tables of their own.
 */
import { CALLER_ERRORS } from './caller-errors.ts';
import { final, passing } from './code.ts';
import type { ErrorFacts } from './code.ts';
import { EVENT_ERRORS } from './event-errors.ts';
import { PROJECT_ERRORS } from './project-errors.ts';
import { WEBHOOK_ERRORS } from './webhook-errors.ts';

/** Every code of the service that an answer can carry. */
export const ERROR_CODES = {
  // The request itself.
  VALIDATION_ERROR: final(
    400,
    'The request does not match the contract.',
    'Correct every path that the error names, and send the request again.',
  ),
  IDEMPOTENCY_KEY_MISMATCH: final(
    400,
    'The Idempotency-Key header and the keys in the body differ.',
    'Send the same key in each place, or send it in one place only.',
  ),
  IDEMPOTENCY_KEY_REQUIRED: final(
    400,
    'This operation needs an Idempotency-Key header.',
    'Send a fresh key of 8 to 255 characters.',
  ),
  PART_CHECKSUM_REQUIRED: final(
    400,
    'The upload was started with part checksums, and a part came without one.',
    'Send checksumSha256 for each part.',
  ),
  PART_CHECKSUM_FORBIDDEN: final(
    400,
    'The upload was started without part checksums, and a part came with one.',
    'Leave checksumSha256 out.',
  ),
  NOT_FOUND: final(
    404,
    'There is no such path or resource in this account.',
    'Check the address and the id.',
  ),
  METHOD_NOT_ALLOWED: final(
    405,
    'The path exists, but not with this method.',
    'Use one of the methods that the Allow header lists.',
  ),
  REQUEST_TIMEOUT: passing(
    408,
    'The request, or a part of its body, did not come in time.',
    'Repeat the request, over a faster line if it is large.',
  ),
  PAYLOAD_TOO_LARGE: final(
    413,
    'The body, or the file that the body announces, is larger than this operation takes.',
    'Send at most what the error names.',
  ),
  UNSUPPORTED_MEDIA_TYPE: final(
    415,
    'The body is not JSON in UTF-8.',
    'Send Content-Type application/json without a content encoding.',
  ),
  TRANSFER_CODING_UNSUPPORTED: final(
    501,
    'The body is sent in a transfer coding that is not read here.',
    'Send the body as it is, with Content-Length or in chunks.',
  ),
  HEADERS_TOO_LARGE: final(
    431,
    'The headers of the request have more than 16 KiB together.',
    'Send fewer or shorter headers.',
  ),
  RANGE_NOT_SATISFIABLE: final(
    416,
    'The range starts at or beyond the present end.',
    'Ask again when there is more.',
  ),

  ...CALLER_ERRORS,

  // Idempotency and versions.
  IDEMPOTENCY_KEY_REUSED: final(
    422,
    'The idempotency key was used with another request.',
    'Use a fresh key for a different request.',
  ),
  IDEMPOTENCY_IN_PROGRESS: passing(
    409,
    'The first request with this idempotency key is still running.',
    'Repeat the request after Retry-After seconds.',
  ),
  KEY_ALREADY_ISSUED: final(
    409,
    'The API key of this idempotency key was shown once already.',
    'Revoke the API key, and create another one.',
  ),
  KEY_LIMIT_REACHED: final(
    422,
    'The account has as many open API keys as it may have.',
    'Revoke an API key that nobody uses, then repeat the request.',
  ),
  DESTINATION_REFUSED: final(
    422,
    'The service does not connect to this host or port.',
    'Name a host of the public internet, and port 80, 443 or one from 1024 on.',
  ),
  LICENSE_SECRET_REQUIRED: final(
    422,
    'The stored secret was given for another protocol, host or port.',
    'Send the secret with the change, or null for none.',
  ),
  LICENSE_SERVER_LIMIT_REACHED: final(
    422,
    'The account has as many licence servers as it may have.',
    'Remove a licence server that nobody uses, then repeat the request.',
  ),
  KEY_ENDED: final(
    409,
    'The API key was revoked or has expired, so nothing can take its place.',
    'Create another API key.',
  ),
  ...PROJECT_ERRORS,
  ...EVENT_ERRORS,
  ...WEBHOOK_ERRORS,

  // Jobs.
  PIPELINE_DISABLED: final(
    422,
    'Jobs of type pipeline are not enabled here.',
    'Submit a simulation and a render job instead.',
  ),
  JOB_TYPE_UNAVAILABLE: final(
    422,
    'Jobs of this type, or of this type with this software, cannot be run here.',
    'Use another job type, or a software that the error names.',
  ),
  UNSUPPORTED_SIMULATOR: final(
    422,
    'The simulator is not supported here.',
    'Use a simulator that the error names.',
  ),
  CAPACITY_LIMIT_EXCEEDED: final(
    422,
    'One instance of the job needs more vCPUs, GPUs or seats of its software than a limit ever lets be granted at once, so the job would never begin.',
    'Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.',
  ),
  SCENE_FILE_REQUIRED: final(
    422,
    'This job needs sceneFile.',
    'Upload the scene file, and send its storage key as sceneFile.',
  ),
  INPUT_NOT_FOUND: final(
    404,
    'A storage key names no stored file of this account.',
    'Upload the file, and send the storage key that the upload answered.',
  ),
  INPUT_MISSING: final(
    422,
    'An input that the simulator needs is missing.',
    'Send exactly one of the fields that the error names.',
  ),
  INPUT_CONFLICT: final(
    422,
    'Fields that exclude each other were sent together.',
    'Keep one of the fields that the error names.',
  ),
  TASK_COUNT_MISMATCH: final(
    422,
    'The taskCount does not fit what the inputs hold; the message tells both numbers.',
    'Leave taskCount out, or correct it.',
  ),
  ARTIFACT_MISMATCH: final(
    422,
    'An artifact reference disagrees with the stored artifact.',
    'Send the reference as it was answered.',
  ),
  RECEIPT_NOT_READY: passing(
    409,
    'The execution is not settled yet, or the receipt of the execution or of the revision is just being made.',
    'Wait for the end or the pause of the job, then ask for the receipt again; for that of a revision, ask in a minute.',
  ),
  JOB_NOT_RESUMABLE: final(
    409,
    'The job is in a state that cannot be resumed, or its inputs are gone.',
    'Look at the status: resume a job that is paused or has ended with something missing, or submit it as a new job.',
  ),
  BATCH_RUNNING: final(
    409,
    'A run of the batch is not over.',
    'Wait until the run has ended, or cancel it; then repeat the request.',
  ),
  NOTHING_TO_RETRY: final(
    409,
    'Nothing in the batch failed in the way that was asked for.',
    'Look at the failures of the batch, and send the codes to repeat.',
  ),
  NOTHING_TO_EXPORT: final(
    409,
    'No result of the batch or run is one that the export was asked for.',
    'Look at the results with the same filters; wait for the first result, or ask for others.',
  ),
  INSPECTION_LIMIT: passing(
    429,
    'As many receptors of this account are being inspected as may be at once.',
    'Repeat the request after Retry-After seconds.',
  ),
  INSPECTION_FAILED: final(
    422,
    'The receptor could not be inspected; the error says why.',
    'Choose fewer chains or another file, or report the failure.',
  ),
  FENCED: final(409, 'This generation of the instance has been replaced.', 'Stop the tools and exit.'),

  // Uploads and artifacts.
  UPLOAD_INCOMPLETE: passing(
    409,
    'The upload is not complete yet.',
    'Send the missing bytes, then repeat the request.',
  ),
  FILE_IN_USE: final(
    409,
    'The file is needed by an open job, an experiment, the library of a batch, or a revision of a project.',
    'Let the job end or cancel it, or delete the project; files of experiments and batches stay with them.',
  ),
  UPLOAD_ALREADY_COMPLETE: final(
    409,
    'The upload is complete and cannot be changed.',
    'Start a new upload for other bytes.',
  ),
  UPLOAD_EXPIRED: final(410, 'The upload was not completed in time.', 'Start a new upload.'),
  UPLOAD_ABORTED: final(410, 'The upload was aborted.', 'Start a new upload if the file is still wanted.'),
  SIZE_MISMATCH: final(422, 'The stored object has another size than announced.', 'Upload the file again.'),
  CHECKSUM_MISMATCH: final(
    422,
    'The stored object has another SHA-256 than announced, or than when it was verified.',
    'Upload the file again, and name the digest of these bytes.',
  ),
  STORAGE_QUOTA_EXCEEDED: final(
    413,
    'The account has no room for a file of this size.',
    'Abort open uploads, let files that nobody uses end, or ask for a larger plan.',
  ),

  // Credits.
  QUOTE_INVALID: final(
    422,
    'The quote is not genuine, or was made for another account.',
    'Send the quoteId of an estimate unchanged, or leave it out.',
  ),
  QUOTE_MISMATCH: final(
    422,
    'The quote was made for a job with another price; the error names the field that differs.',
    'Submit the job as it was estimated, or estimate the job that is meant.',
  ),
  QUOTE_EXPIRED: final(
    422,
    'The quote came later than 15 minutes after its estimate.',
    'Estimate the job again, and submit it with the new quoteId.',
  ),
  INSUFFICIENT_CREDITS: final(
    402,
    'The available credits do not cover the hold, or the account owes something, which has to be paid before anything is held.',
    'Top up what the error names, of which a debt is paid first, then repeat the request with the same idempotency key.',
  ),
  NO_PAYMENT_METHOD: final(
    402,
    'Auto top-up needs a card, and none is stored that can be charged.',
    'Store a card at the billing portal, then set auto top-up in the billing settings again.',
  ),
  COST_LIMIT_EXCEEDED: final(
    422,
    'The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost.',
    'Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.',
  ),
  REFUND_EXCEEDS_UNSPENT: final(
    422,
    'More was to be refunded than is unspent of the top-up; what is held counts as spent.',
    'Refund at most what the error names.',
  ),
  UNKNOWN_TIER: final(422, 'There is no such credit tier.', 'Use a tier that the error names.'),

  // The service.
  INTERNAL_ERROR: passing(
    500,
    'The service failed; a task that fails with this code is not charged.',
    'Repeat the request, and report the X-Request-Id when the failure stays. Submit the tasks that failed so as a new job.',
  ),
  PAYMENTS_NOT_CONFIGURED: final(
    503,
    'No provider of payments is set up, so credits cannot be bought here.',
    'Ask the operator of the service for credits.',
  ),
  MAINTENANCE: passing(
    503,
    'The service takes no new jobs at the moment; nothing was accepted. The message has the reason.',
    'Submit again after Retry-After seconds, with the same idempotency key. Jobs that were accepted go on.',
  ),
  SERVICE_UNAVAILABLE: passing(
    503,
    'A part of the service cannot answer at the moment.',
    'Repeat the request with the same idempotency key after Retry-After seconds.',
  ),
} as const satisfies Readonly<Record<string, ErrorFacts>>;

/** A machine-readable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;

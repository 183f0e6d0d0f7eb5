/**
 * The one error type and the one table of codes. A code fixes the HTTP status and whether repeating the same call may
 * help; no code decides by the text of a message. `publicMessage` is the only text that a customer sees; the cause of
 * an error goes to the log.
 */

interface CodeFacts {
  readonly status: number;
  /** Repeating the same call later may succeed. */
  readonly retryable: boolean;
  /** What happened and what to do, in one sentence; shown in the API document. */
  readonly meaning: string;
}

const final = (status: number, meaning: string): CodeFacts => ({ status, retryable: false, meaning });
const passing = (status: number, meaning: string): CodeFacts => ({ status, retryable: true, meaning });

/** Every code that an answer can carry. */
export const ERROR_CODES = {
  // The request itself.
  VALIDATION_ERROR: final(
    400,
    'The request does not match the contract; the error names every failing path: correct them and send it again.',
  ),
  IDEMPOTENCY_KEY_MISMATCH: final(
    400,
    'The Idempotency-Key header and the keys in the body differ; send the same key in each place, or only one.',
  ),
  IDEMPOTENCY_KEY_REQUIRED: final(
    400,
    'This operation needs an Idempotency-Key header; send a fresh key of 8 to 255 characters.',
  ),
  PART_CHECKSUM_REQUIRED: final(
    400,
    'The upload was started with part checksums; send checksumSha256 for each part.',
  ),
  PART_CHECKSUM_FORBIDDEN: final(
    400,
    'The upload was started without part checksums; leave checksumSha256 out.',
  ),
  NOT_FOUND: final(404, 'There is no such path or resource in this account; check the address and the id.'),
  METHOD_NOT_ALLOWED: final(
    405,
    'The path exists, but not with this method; the Allow header lists the methods.',
  ),
  PAYLOAD_TOO_LARGE: final(
    413,
    'The body, or the file that it announces, is larger than this operation takes; the error says what it takes.',
  ),
  UNSUPPORTED_MEDIA_TYPE: final(
    415,
    'The body is not JSON in UTF-8; send Content-Type application/json without a content encoding.',
  ),
  RANGE_NOT_SATISFIABLE: final(
    416,
    'The range starts at or beyond the present end; ask again when there is more.',
  ),

  // Who calls, and how often.
  UNAUTHORIZED: final(
    401,
    'The key is missing, malformed, unknown, expired or revoked; send a valid key as a bearer token.',
  ),
  INSUFFICIENT_SCOPE: final(403, 'The key lacks the scope of this operation; use a key that has it.'),
  TEST_KEY_LIVE_BILLING: final(
    403,
    'A test key cannot call an operation that charges credits; use a live key.',
  ),
  SESSION_REQUIRED: final(403, 'This operation cannot be called with an API key; sign in with a browser.'),
  RATE_LIMITED: passing(429, 'Too many requests with this key; wait for the seconds in Retry-After.'),

  // Idempotency and versions.
  IDEMPOTENCY_KEY_REUSED: final(
    422,
    'The idempotency key was used with another request; use a fresh key for a different request.',
  ),
  IDEMPOTENCY_IN_PROGRESS: passing(
    409,
    'The first request with this idempotency key is still running; repeat it after Retry-After seconds.',
  ),
  KEY_ALREADY_ISSUED: final(
    409,
    'The API key of this idempotency key was shown once already; revoke it and create another.',
  ),
  VERSION_CONFLICT: final(
    409,
    'The resource has moved to currentVersion; read it, then decide what to keep.',
  ),

  // Jobs.
  PIPELINE_DISABLED: final(
    422,
    'Jobs of type pipeline are not enabled here; submit a simulation and a render job.',
  ),
  JOB_TYPE_UNAVAILABLE: final(422, 'Jobs of this type cannot be run here; use another job type.'),
  UNSUPPORTED_SIMULATOR: final(422, 'The simulator is not supported here; use one that the error names.'),
  SCENE_FILE_REQUIRED: final(422, 'This job needs sceneFile; upload the file and send its storage key.'),
  INPUT_NOT_FOUND: final(
    404,
    'A storage key is unknown in this account; upload the file and send the key that the upload answered.',
  ),
  INPUT_MISSING: final(
    422,
    'An input that the simulator needs is missing; send exactly one of the named fields.',
  ),
  INPUT_CONFLICT: final(
    422,
    'Fields that exclude each other were sent together; keep one of the named fields.',
  ),
  TASK_COUNT_MISMATCH: final(
    422,
    'The taskCount differs from the number of ligands; leave it out or correct it.',
  ),
  BOX_MISSING: final(
    422,
    'No centre of the docking box was given; send boxCenterAngstrom, pocketLigand or pocketResidues.',
  ),
  BOX_CONFLICT: final(422, 'More than one centre of the docking box was given; keep one.'),
  BOX_SIZE_REQUIRED: final(422, 'An explicit box centre needs boxSizeAngstrom; send it.'),
  PREPARATION_CONFLICT: final(
    422,
    'The receptor preparation options exclude each other; change the one that the error names.',
  ),
  ARTIFACT_MISMATCH: final(
    422,
    'An artifact reference disagrees with the stored artifact; send the reference as it was answered.',
  ),
  JOB_NOT_RESUMABLE: final(
    409,
    'The job is in a state that cannot be resumed, or its inputs are gone; submit it again.',
  ),
  LIGAND_CONFIRMATION_INVALID: final(
    422,
    'The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave it out, or resolve the ligand again.',
  ),
  INSPECTION_LIMIT: passing(
    429,
    'As many receptors of this account are being inspected as may be at once; repeat after Retry-After seconds.',
  ),
  INSPECTION_FAILED: final(
    422,
    'The receptor could not be inspected; the error says why: choose fewer chains or another file, or report it.',
  ),
  RECEPTOR_NOT_FOUND: final(422, 'The Protein Data Bank has no entry with this id; check the id.'),
  RECEPTOR_FETCH_FAILED: final(
    422,
    'The structure could not be fetched from the archive; repeat later, or upload the file.',
  ),
  RECEPTOR_UNREADABLE: final(
    422,
    'The file is no PDB or mmCIF file, or it is cut off; open it in a viewer and send it whole.',
  ),
  RECEPTOR_EMPTY: final(
    422,
    'Nothing of a protein or nucleic acid is left; check chains, model and assembly.',
  ),
  FENCED: final(409, 'This instance generation has been replaced; stop the tools and exit.'),

  // Uploads and artifacts.
  UPLOAD_INCOMPLETE: passing(
    409,
    'The upload is not complete yet; send the missing bytes, then repeat the call.',
  ),
  UPLOAD_ALREADY_COMPLETE: final(409, 'The upload is complete and cannot be changed; start a new one.'),
  UPLOAD_EXPIRED: final(410, 'The upload was not completed in time; start a new one.'),
  UPLOAD_ABORTED: final(410, 'The upload was aborted; start a new one.'),
  SIZE_MISMATCH: final(422, 'The stored object has another size than announced; upload it again.'),
  CHECKSUM_MISMATCH: final(
    422,
    'The stored object has another SHA-256 than announced, or than when it was verified; upload it again.',
  ),
  STORAGE_QUOTA_EXCEEDED: final(
    413,
    'The account has no room for a file of this size; abort open uploads, let files that nobody uses end, or ask for a larger plan.',
  ),

  // Credits.
  INSUFFICIENT_CREDITS: final(
    402,
    'The available credits do not cover the hold; top up, then repeat with the same key.',
  ),
  NO_PAYMENT_METHOD: final(402, 'A card is needed and none is stored; add one in the billing settings.'),
  COST_LIMIT_EXCEEDED: final(
    422,
    'The hold is above the cost limit of the account; raise the limit or make the job smaller.',
  ),
  UNKNOWN_TIER: final(422, 'There is no such credit tier; use one that the error names.'),

  // The service.
  INTERNAL_ERROR: passing(
    500,
    'The service failed; repeat the request, and report the X-Request-Id when it stays. As the failure of a task: it was not charged; submit what is missing again.',
  ),
  SERVICE_UNAVAILABLE: passing(
    503,
    'A part of the service cannot answer at the moment; repeat with the same idempotency key after Retry-After seconds.',
  ),
} as const satisfies Readonly<Record<string, CodeFacts>>;

/** A machine-readable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a text is one of the codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

/** What an error may carry besides its code and its public message. */
export interface ErrorDetails {
  /** The inner error; the cause is logged and never shown. */
  readonly cause?: unknown;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** The present version of the resource; shown with VERSION_CONFLICT. */
  readonly currentVersion?: number;
}

/** The one error of Dockyard: a refusal or failure with a code and a text for the customer. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly retryAfterSeconds: number | null;
  readonly currentVersion: number | null;

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.currentVersion = details.currentVersion ?? null;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Whether repeating the same call later may succeed. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** The closed error body. */
export interface ErrorEnvelope {
  readonly error: string;
  readonly code: ErrorCode;
  readonly currentVersion?: number;
}

/** The body that the customer gets for an error. */
export function envelopeOf(error: AppError): ErrorEnvelope {
  const envelope = { error: error.publicMessage, code: error.code };
  return error.currentVersion === null ? envelope : { ...envelope, currentVersion: error.currentVersion };
}

/** The refusal of a request whose idempotency key was used before for another request. */
export function keyReused(): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request. Send a fresh key for a different request.',
  );
}

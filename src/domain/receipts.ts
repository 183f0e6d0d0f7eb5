/**
 * A receipt says what one settled execution of a job was: what was asked for, what went in and came out by digests, how it
 * ran, and what it cost. The service signs the canonical JSON (RFC 8785) of a receipt once; whoever has the receipt, the files
 * and the public key proves all of it without the service.
 */

/** The format of a receipt; a change of meaning gets a new one. */
export const RECEIPT_SCHEMA = 'dockyard.receipt/v1';

/** An input that the job has read. */
export interface ReceiptInput {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A verified output. */
export interface ReceiptOutput {
  readonly artifactId: string;
  /** Index of the task that made the output; null for an output of a step. */
  readonly taskIndex: number | null;
  readonly name: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A task that was started more than once, and was verified in the end. */
export interface RepeatedTask {
  readonly taskIndex: number;
  readonly attempts: number;
}

/** A task that was not done again: its outputs are copies of those of an earlier task, with the same bytes. */
export interface AdoptedTask {
  readonly taskIndex: number;
  readonly fromJobId: string;
  readonly fromTaskIndex: number;
}

/** An entry of the recovery ledger. */
export interface ReceiptRecovery {
  readonly at: string;
  readonly kind: string;
  readonly cause: string;
  readonly slot: number | null;
  readonly generation: number | null;
  readonly tasksKept: number;
  readonly tasksSetBack: number;
}

/** Cost of the execution. */
export interface ReceiptPrice {
  readonly priceBookVersion: string;
  readonly currency: string;
  /** The price of what is verified, in millionths of the units of `currency`. */
  readonly totalMicro: number;
  /** Millionths of a unit of credits for one unit of `currency`. */
  readonly fxRateMicro: number;
  readonly creditCurrency: string;
  readonly heldCents: number;
  readonly chargedCents: number;
  readonly releasedCents: number;
}

/** A movement of the ledger. */
export interface ReceiptTransaction {
  readonly transferId: string;
  readonly type: string;
  readonly amountCents: number;
}

/** The part of a receipt that is signed. */
export interface Receipt {
  readonly schema: typeof RECEIPT_SCHEMA;
  /** The address of the service. */
  readonly issuer: string;
  readonly jobId: string;
  readonly execution: number;
  readonly outcome: string;
  readonly jobType: string;
  readonly simulator: string | null;
  /** SHA-256 of the canonical JSON of the request as it was sent, without its idempotency key and its quote. */
  readonly requestSha256: string;
  readonly effectiveSeed: number | null;
  /** The digests of the code that made the results, and the classes of the processors; several only where executions differ. */
  readonly toolchainSha256: string[];
  readonly cpuClasses: string[];
  readonly submittedAt: string;
  readonly startedAt: string;
  readonly settledAt: string;
  readonly tasks: { readonly total: number; readonly verified: number; readonly failed: number };
  readonly attempts: { readonly started: number; readonly repeated: RepeatedTask[] };
  /** Tasks for which earlier verified results stand; absent where every task was done. */
  readonly adopted?: AdoptedTask[];
  readonly recoveries: ReceiptRecovery[];
  readonly inputs: ReceiptInput[];
  readonly outputs: ReceiptOutput[];
  readonly price: ReceiptPrice;
  readonly transactions: ReceiptTransaction[];
}

/** A receipt with its signature. */
export interface SignedReceipt {
  readonly receipt: Receipt;
  readonly signature: ReceiptSignature;
}

/** The signature of a receipt: Ed25519 (RFC 8032) over the UTF-8 of the receipt's canonical JSON. */
export interface ReceiptSignature {
  readonly algorithm: 'Ed25519';
  readonly keyId: string;
  /** Base64url without padding. */
  readonly value: string;
}

/** A public key as a JSON Web Key (RFC 8037). */
export interface ReceiptKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
}

/** The public keys of the service: the one that signs now, and those that have signed before. */
export interface ReceiptKeyList {
  readonly keys: ReceiptKey[];
}

/**
 * Proves a receipt, and the files that it names, without the service: from the receipt, the public keys and a folder alone. The
 * first thing that differs is named, in this order: the form, the key, the signature, then the files as the receipt lists them.
 */
import { createPublicKey, verify } from 'node:crypto';

import { isRecord } from '../../domain/is-record.ts';
import { RECEIPT_SCHEMA } from '../../domain/receipts.ts';
import { REVISION_RECEIPT_SCHEMA } from '../../domain/revision-receipts.ts';
import type { ReceiptSignature, SignedRevisionReceipt } from '../../domain/revision-receipts.ts';
import { canonicalJson } from '../../tools/canonical.ts';
import type { Answers, SignedReceipt } from '../../domain/answers.ts';

type ReceiptKeyList = Pick<Answers['listReceiptKeys'], 'keys'>;
type ReceiptOutput = SignedReceipt['receipt']['outputs'][number];

/** Verdict on a receipt: proven, or the first difference. */
export type ReceiptVerdict<Signed = SignedReceipt> =
  | { readonly ok: true; readonly signed: Signed }
  | { readonly ok: false; readonly what: 'form' | 'key' | 'signature' | 'file'; readonly message: string };

/** A signature of Ed25519 has 64 bytes. */
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;
const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

/** Proves that a receipt of a job is as it was signed. */
export function verifyReceipt(value: unknown, keys: ReceiptKeyList): ReceiptVerdict {
  return isSignedReceipt(value)
    ? proven(value, keys)
    : differs('form', `This is no receipt of the format ${RECEIPT_SCHEMA} with a signature.`);
}

/** Proves that a receipt of a revision is as it was signed. */
export function verifyRevisionReceipt(
  value: unknown,
  keys: ReceiptKeyList,
): ReceiptVerdict<SignedRevisionReceipt> {
  return isSignedRevisionReceipt(value)
    ? proven(value, keys)
    : differs('form', `This is no receipt of the format ${REVISION_RECEIPT_SCHEMA} with a signature.`);
}

function proven<Signed extends { readonly receipt: object; readonly signature: ReceiptSignature }>(
  signed: Signed,
  keys: ReceiptKeyList,
): ReceiptVerdict<Signed> {
  const { receipt, signature } = signed;
  const key = keys.keys.find(({ kid }) => kid === signature.keyId);
  if (key === undefined)
    return differs(
      'key',
      `The receipt was signed with the key ${signature.keyId}, which is not among the known keys.`,
    );
  if (!PUBLIC_KEY.test(key.x)) return differs('key', `The key ${signature.keyId} is no key of Ed25519.`);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' });
  const isGenuine =
    SIGNATURE.test(signature.value) &&
    verify(
      null,
      Buffer.from(canonicalJson(receipt), 'utf8'),
      publicKey,
      Buffer.from(signature.value, 'base64url'),
    );
  return isGenuine
    ? { ok: true, signed }
    : differs('signature', 'The receipt was changed after it was signed, or was not signed by this service.');
}

/** A file of a folder as it is: its size and digest, or null when it is not there. */
export type ReadFileFacts = (output: ReceiptOutput) => Promise<{
  readonly byteSize: number;
  readonly sha256: string;
} | null>;

/** Compares the outputs that a genuine receipt names with files. @returns what differs first, or null. */
export async function firstFileFault(
  { receipt }: SignedReceipt,
  read: ReadFileFacts,
): Promise<string | null> {
  for (const output of receipt.outputs) {
    const file = await read(output);
    if (file === null) return `${output.name} is missing.`;
    if (file.byteSize !== output.byteSize)
      return `${output.name} has ${String(file.byteSize)} bytes; the receipt says ${String(output.byteSize)}.`;
    if (file.sha256 !== output.sha256)
      return `${output.name} has the SHA-256 ${file.sha256}; the receipt says ${output.sha256}.`;
  }
  return null;
}

function differs(what: 'form' | 'key' | 'signature', message: string): ReceiptVerdict<never> {
  return { ok: false, what, message };
}

function isSignedReceipt(value: unknown): value is SignedReceipt {
  if (!isSigned(value)) return false;
  const { receipt } = value;
  return (
    receipt['schema'] === RECEIPT_SCHEMA &&
    Array.isArray(receipt['outputs']) &&
    receipt['outputs'].every(isOutput)
  );
}

function isSignedRevisionReceipt(value: unknown): value is SignedRevisionReceipt {
  return isSigned(value) && value.receipt['schema'] === REVISION_RECEIPT_SCHEMA;
}

interface Signed {
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly signature: ReceiptSignature;
}

function isSigned(value: unknown): value is Signed {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { receipt, signature } = value;
  return (
    isRecord(receipt) &&
    isRecord(signature) &&
    signature['algorithm'] === 'Ed25519' &&
    typeof signature['keyId'] === 'string' &&
    typeof signature['value'] === 'string'
  );
}

function isOutput(value: unknown): value is ReceiptOutput {
  if (!isRecord(value)) return false;
  const { name, byteSize, sha256, artifactId } = value;
  return (
    typeof name === 'string' &&
    typeof byteSize === 'number' &&
    typeof sha256 === 'string' &&
    typeof artifactId === 'string'
  );
}

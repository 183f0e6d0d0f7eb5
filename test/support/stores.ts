/**
 * Both kinds of object store, opened once for the test files of a process, so that one suite of contract tests runs
 * against both.
 */
import { createHash } from 'node:crypto';

import type { SignedRequest } from '../../src/adapters/storage/storage.ts';
import { openAzureTestStore } from './azurite.ts';
import { openTestStore } from './object-store.ts';
import type { TestStore } from './object-store.ts';

/** A kind of store, with the name that tests show. */
export interface StoreKind {
  readonly name: string;
  open(): Promise<TestStore>;
}

const opened: Promise<TestStore>[] = [];

/** The stores that must keep the contract. */
export const STORE_KINDS: readonly StoreKind[] = [
  { name: 'S3 (versitygw)', open: once(() => openTestStore()) },
  { name: 'Azure Blob (azurite)', open: once(() => openAzureTestStore()) },
];

/** Keys with the characters of customers' file names. */
export const UNUSUAL_KEYS: readonly string[] = [
  'two  spaces .txt',
  'ünïcode/漢字/😀.pdb',
  'a:b+c%d.txt',
  'percent%2Fencoded%25.txt',
  'quotes\'"`.txt',
  'query?a=b&c#d;e,f@g~h!$(i)*[j]{k}^|<l>.txt',
  'back\\slash.txt',
  'dots./ends with a dot.',
  ' space at both ends ',
  `${'x'.repeat(200)}/${'y'.repeat(200)}/${'é'.repeat(100)}`,
];

/** SHA-256 of a text or of bytes, in hex or base64. */
export function digestOf(bytes: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(bytes).digest(encoding);
}

/** Sends a signed request as a client would, and answers its status. */
export async function send(
  signed: Pick<SignedRequest, 'url' | 'headers'>,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = signed.headers,
): Promise<number> {
  const answer = await fetch(signed.url, { method: 'PUT', body, headers: { ...headers } });
  await answer.arrayBuffer();
  return answer.status;
}

/** All items of an async iterable of pages. */
export async function gather<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

function once(open: () => Promise<TestStore>): () => Promise<TestStore> {
  let store: Promise<TestStore> | undefined;
  return () => {
    if (store === undefined) opened.push((store = open()));
    return store;
  };
}

// In a test the hook belongs to mocha's root suite.
if (typeof after === 'function') {
  after('ends the object stores of this process', async () => {
    await Promise.all(opened.map(async (store) => (await store).close()));
  });
}

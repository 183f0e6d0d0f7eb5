/**
 * The public keys of receipts that this machine knows, beside the last login. They are learned when a receipt is fetched, and
 * from then on receipts are proven without the service. A key id that comes back with another key is refused: either the
 * service, or whoever answered for it, is not what it was.
 */
import { join } from 'node:path';

import { isRecord } from '../../../domain/is-record.ts';
import { readJsonFile } from '../../../files.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import type { Environment } from '../../settings.ts';
import { loginFile, writeSecretFile } from '../profile.ts';
import type { Answers } from '../../../domain/answers.ts';

type ReceiptKey = Answers['listReceiptKeys']['keys'][number];
type ReceiptKeyList = Pick<Answers['listReceiptKeys'], 'keys'>;

/** Known keys by the address of the service that has told them. */
export type KnownKeys = Readonly<Record<string, readonly ReceiptKey[]>>;

/** The file with the known keys. */
export function knownKeysFile(env: Environment): string {
  return join(loginFile(env), '..', 'receipt-keys.json');
}

/** Reads the known keys; none when there is no such file. */
export function readKnownKeys(env: Environment): KnownKeys {
  const value = readJsonFile(knownKeysFile(env));
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([service, keys]) =>
      Array.isArray(keys) ? [[service, keys.filter(isKey)] as const] : [],
    ),
  );
}

/** Keeps the keys of a service beside those that are known of it. @throws CommandProblem when a known key id has another key now. */
export function learnKeys(env: Environment, service: string, { keys }: ReceiptKeyList): void {
  const known = readKnownKeys(env);
  const before = known[service] ?? [];
  const changed = keys.find(({ kid, x }) => before.some((key) => key.kid === kid && key.x !== x));
  if (changed !== undefined) {
    const message = `${service} tells another key of the id ${changed.kid} than it did before. Ask its operator; if the new key is right, remove ${knownKeysFile(env)}.`;
    throw new CommandProblem(EXIT.refused, 'RECEIPT_KEY_CHANGED', message);
  }
  const added = keys.filter(({ kid }) => before.every((key) => key.kid !== kid));
  if (added.length > 0) writeSecretFile(knownKeysFile(env), { ...known, [service]: [...before, ...added] });
}

/** The keys of a file: a list as the service tells it, or one key. @throws CommandProblem when the file has none. */
export function keysOfFile(path: string): readonly ReceiptKey[] {
  const value = readJsonFile(path);
  const listed = isRecord(value) && Array.isArray(value['keys']) ? value['keys'] : [value];
  const keys = listed.filter(isKey);
  if (keys.length > 0) return keys;
  const message = `${path} has no public key of receipts. Save /.well-known/dockyard-receipt-keys.json of the service there.`;
  throw new CommandProblem(EXIT.refused, 'USAGE_INPUT', message);
}

function isKey(value: unknown): value is ReceiptKey {
  return isRecord(value) && value['crv'] === 'Ed25519' && isText(value['kid']) && isText(value['x']);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

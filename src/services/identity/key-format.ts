/**
 * API keys: `svc_live_` or `svc_test_`, 32 random bytes in base62, and a CRC32 of these characters, so that a key with
 * a typo is refused without a look-up. Only the SHA-256 of a key is stored.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyEnvironment } from '../../domain/access.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 bits and 32 bits in base62. */
const SECRET_CHARACTERS = 43;
const CHECK_CHARACTERS = 6;
const PATTERN = /^(svc_(live|test)_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** Characters of the secret that the stored prefix shows, to tell keys apart; 39 others stay secret. */
const SHOWN_CHARACTERS = 4;

/** A new key; `key` is shown once and never stored. */
export interface NewKey {
  readonly key: string;
  readonly sha256: string;
  readonly prefix: string;
  readonly last4: string;
}

/** Draws a key. */
export function drawKey(environment: KeyEnvironment): NewKey {
  const opening = `svc_${environment}_`;
  const body = opening + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_CHARACTERS);
  const key = body + checkOf(body);
  const prefix = key.slice(0, opening.length + SHOWN_CHARACTERS);
  return { key, sha256: sha256Of(key), prefix, last4: key.slice(-4) };
}

/** Whether a text can be a key at all. */
export function isWellFormedKey(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const body = text.slice(0, -CHECK_CHARACTERS);
  return checkOf(body) === text.slice(-CHECK_CHARACTERS);
}

/** The SHA-256 of a key, under which the key is stored. */
export function sha256Of(key: string): string {
  return hash('sha256', key);
}

/** The check of a key, without big integers: every request with a key computes one. */
function checkOf(body: string): string {
  let text = '';
  for (let rest = crc32(body); text.length < CHECK_CHARACTERS; rest = Math.floor(rest / ALPHABET.length))
    text = (ALPHABET[rest % ALPHABET.length] ?? '') + text;
  return text;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text;
  return text;
}

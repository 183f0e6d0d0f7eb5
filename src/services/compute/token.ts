/**
 * The bearer of an instance at the compute gateway: signed claims, no secret of anybody inside. The key is derived
 * from the installation's secret for this one purpose, so a token is never taken for a cursor or the other way round.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { InstanceClaims } from '../../contracts/compute.ts';

const PREFIX = 'dki1';
const PURPOSE = 'dockyard/instance-token/v1';
const LONGEST_TOKEN = 1024;

/** Signs a token for one generation of one instance slot of one job. */
export function signInstanceToken(secretHex: string, claims: InstanceClaims): string {
  const { jobId, slot, generation, expiresAt } = claims;
  const body = Buffer.from(JSON.stringify({ jobId, slot, generation, expiresAt })).toString('base64url');
  return `${PREFIX}.${body}.${macOf(secretHex, body)}`;
}

/** The claims of a genuine token that has not expired; null for anything else. */
export function verifyInstanceToken(
  secretHex: string,
  token: string,
  nowSeconds: number,
): InstanceClaims | null {
  if (token.length > LONGEST_TOKEN) return null;
  const [prefix, body, mac, ...rest] = token.split('.');
  if (prefix !== PREFIX || body === undefined || mac === undefined || rest.length > 0) return null;
  // Compared as text: several texts decode to the same bytes, one is genuine.
  const given = Buffer.from(mac);
  const expected = Buffer.from(macOf(secretHex, body));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  return isClaims(claims) && claims.expiresAt > nowSeconds ? claims : null;
}

function macOf(secretHex: string, body: string): string {
  const key = createHmac('sha256', Buffer.from(secretHex, 'hex')).update(PURPOSE).digest();
  return createHmac('sha256', key).update(`${PREFIX}.${body}`).digest('base64url');
}

function isClaims(value: unknown): value is InstanceClaims {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['slot', 'generation', 'expiresAt'].every((name) =>
    Number.isInteger(Reflect.get(value, name)),
  );
  return numbers && typeof Reflect.get(value, 'jobId') === 'string';
}

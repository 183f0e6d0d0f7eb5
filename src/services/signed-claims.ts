/**
 * Claims that a customer or an instance carries and cannot change: JSON and a MAC over it. Each kind has a key of its
 * own, derived from the installation's secret for this one purpose, so that a token of one kind is never taken for
 * another. While the secret is changed, tokens of further secrets are taken too, and none is signed with them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A kind of token. */
export interface TokenKind {
  /** The first characters of a token, which tell the version of its claims. */
  readonly prefix: string;
  /** The purpose that the key of this kind is derived for. */
  readonly purpose: string;
  readonly longest: number;
}

/** Signs and reads the tokens of one kind. */
export interface Signer {
  sign(claims: object): string;
  /** The claims of a genuine token, whatever they say; null for anything else. */
  read(token: string): unknown;
}

/** The secrets of a setting that names several, separated by commas. */
export function secretsIn(setting: string): readonly string[] {
  return setting.split(',').filter((secretHex) => secretHex !== '');
}

/** Makes a signer; it signs with the secret, and reads what that or a further secret has signed. */
export function createSigner(
  secretHex: string,
  { prefix, purpose, longest }: TokenKind,
  furtherSecrets: readonly string[] = [],
): Signer {
  const keyOf = (secret: string): Buffer =>
    createHmac('sha256', Buffer.from(secret, 'hex')).update(purpose).digest();
  const own = keyOf(secretHex);
  const keys = [own, ...furtherSecrets.map(keyOf)];
  const macOf = (key: Buffer, body: string): string =>
    createHmac('sha256', key).update(`${prefix}.${body}`).digest('base64url');
  return {
    sign(claims) {
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${prefix}.${body}.${macOf(own, body)}`;
    },
    read(token) {
      if (token.length > longest) return null;
      const [given, body, mac, ...rest] = token.split('.');
      if (given !== prefix || body === undefined || mac === undefined || rest.length > 0) return null;
      const sent = Buffer.from(mac);
      if (!keys.some((key) => isEqual(sent, Buffer.from(macOf(key, body))))) return null;
      const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      return claims;
    },
  };
}

/** MACs are compared as text, because several texts decode to the same bytes and only one of them is genuine. */
function isEqual(sent: Buffer, expected: Buffer): boolean {
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

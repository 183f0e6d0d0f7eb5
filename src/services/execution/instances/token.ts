/** The bearer of an instance at the compute gateway: signed claims, no secret of anybody inside. */
import type { InstanceClaims } from '../../../contracts/instance.ts';
import { createSigner } from '../../signed-claims.ts';
import type { TokenKind } from '../../signed-claims.ts';

const INSTANCE_TOKEN: TokenKind = {
  prefix: 'dki1',
  purpose: 'dockyard/instance-token/v1',
  longest: 1024,
};

/** Signs a token for one generation of one instance slot of one job. */
export function signInstanceToken(secretHex: string, claims: InstanceClaims): string {
  const { jobId, slot, generation, expiresAt } = claims;
  return createSigner(secretHex, INSTANCE_TOKEN).sign({ jobId, slot, generation, expiresAt });
}

/** The next bearer of an instance, once half of the life of the present one is over; null before. */
export function nextToken(
  { secret, tokenSeconds }: { readonly secret: string; readonly tokenSeconds: number },
  claims: InstanceClaims,
  nowSeconds: number,
): string | null {
  if (claims.expiresAt - nowSeconds > tokenSeconds / 2) return null;
  return signInstanceToken(secret, { ...claims, expiresAt: Math.floor(nowSeconds) + tokenSeconds });
}

/**
 * The claims of a genuine token that has not expired; null for anything else. A token of a further secret is genuine too.
 */
export function verifyInstanceToken(
  secretHex: string,
  token: string,
  nowSeconds: number,
  furtherSecrets: readonly string[] = [],
): InstanceClaims | null {
  const claims = createSigner(secretHex, INSTANCE_TOKEN, furtherSecrets).read(token);
  return isClaims(claims) && claims.expiresAt > nowSeconds ? claims : null;
}

function isClaims(value: unknown): value is InstanceClaims {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['slot', 'generation', 'expiresAt'].every((name) =>
    Number.isInteger(Reflect.get(value, name)),
  );
  return numbers && typeof Reflect.get(value, 'jobId') === 'string';
}

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

/** The claims of a genuine token that has not expired; null for anything else. */
export type TokenReader = (token: string, nowSeconds: number) => InstanceClaims | null;

/** Genuine tokens that are known without another MAC; an instance shows its own some times a second, for an hour. */
const MOST_KNOWN = 10_000;

/** Makes a reader of tokens. A token of a further secret is genuine too. */
export function createTokenReader(secretHex: string, furtherSecrets: readonly string[] = []): TokenReader {
  const signer = createSigner(secretHex, INSTANCE_TOKEN, furtherSecrets);
  const known = new Map<string, InstanceClaims>();
  const read = (token: string): InstanceClaims | null => {
    const claims = signer.read(token);
    if (!isClaims(claims)) return null;
    // The one that was learnt first makes room: it is the next to expire.
    for (const oldest of known.keys()) {
      if (known.size < MOST_KNOWN) break;
      known.delete(oldest);
    }
    known.set(token, claims);
    return claims;
  };
  return (token, nowSeconds) => {
    const claims = known.get(token) ?? read(token);
    return claims !== null && claims.expiresAt > nowSeconds ? claims : null;
  };
}

function isClaims(value: unknown): value is InstanceClaims {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['slot', 'generation', 'expiresAt'].every((name) =>
    Number.isInteger(Reflect.get(value, name)),
  );
  return numbers && typeof Reflect.get(value, 'jobId') === 'string';
}

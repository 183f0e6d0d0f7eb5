/**
 * A provider of identities by OpenID Connect: the code flow with a proof key, and with the signature of the identity token
 * checked. Every call to the provider ends after some seconds. The provider's words go into the cause of an error and never into
 * an answer; a provider that cannot be reached is told apart from one that refuses.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';

import { AppError } from '../../domain/errors.ts';
import type { IdentityProvider, ProvedPerson } from './identity-provider.ts';

/** Registration of an operator at the provider; without an issuer nobody signs in there. */
export interface IdentityProviderSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  /** The secret of the client; empty for a client without a secret. */
  readonly oidcClientSecret: string;
  /** Address to which the provider sends browsers back. */
  readonly redirectUrl: string;
}

const TIMEOUT_SECONDS = 5;
/** How long the provider's description of itself is used before it is fetched again. */
const KNOWN_FOR_MS = 60 * 60 * 1000;
const RETRY_AFTER_SECONDS = 5;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The provider of the settings; null where the settings name no provider. */
export function openIdentityProvider(settings: IdentityProviderSettings): IdentityProvider | null {
  if (settings.oidcIssuer === '') return null;
  if (settings.oidcClientId === '')
    throw new Error('DOCKYARD_OIDC_ISSUER is set, and DOCKYARD_OIDC_CLIENT_ID is not');
  const configuration = rememberFor(KNOWN_FOR_MS, () => discover(settings));
  return {
    startUrl: ({ state, nonce, verifier }) =>
      told(async () => {
        const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: settings.redirectUrl,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: Buffer.from(challenge).toString('base64url'),
          code_challenge_method: 'S256',
        });
        return url.href;
      }),
    prove: (parameters, binding) =>
      told(async () => {
        const back = new URL(settings.redirectUrl);
        back.search = new URLSearchParams(parameters).toString();
        const known = await configuration();
        const tokens = await authorizationCodeGrant(known, back, {
          pkceCodeVerifier: binding.verifier,
          idTokenExpected: true,
          expectedState: binding.state,
          expectedNonce: binding.nonce,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw refused();
        const about =
          claims['email'] === undefined
            ? await fetchUserInfo(known, tokens.access_token, claims.sub)
            : claims;
        return personOf(claims, about);
      }),
  };
}

function personOf(
  { iss: issuer, sub: subject }: { readonly iss: string; readonly sub: string },
  about: Readonly<Record<string, unknown>>,
): ProvedPerson {
  const { email, email_verified: verified } = about;
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: verified === true,
  };
}

function discover({
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
}: IdentityProviderSettings): Promise<Configuration> {
  const issuer = new URL(oidcIssuer);
  const isLocal = issuer.protocol === 'http:' && LOOPBACK.has(issuer.hostname);
  return discovery(issuer, oidcClientId, undefined, clientAuth(oidcClientSecret), {
    timeout: TIMEOUT_SECONDS,
    [customFetch]: reach,
    // oxlint-disable-next-line typescript/no-deprecated -- the library marks it so that nobody uses it for other hosts
    execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
  });
}

/** The client proves itself in the header where the provider takes the header or names no methods, and else in the body. */
function clientAuth(secret: string): ClientAuth {
  if (secret === '') return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const takesBasic = methods === undefined || methods.includes('client_secret_basic');
    return (takesBasic ? basic : post)(server, client, body, headers);
  };
}

/** The provider did not answer, or answered that its server has failed. */
class Away extends Error {}

const reach: CustomFetch = async (url, options) => {
  const { body, ...rest } = options;
  const answer = await fetch(url, { ...rest, ...(body === undefined ? {} : { body }) }).catch(
    (cause: unknown) => {
      throw new Away('the provider of identities did not answer', { cause });
    },
  );
  if (answer.status < 500) return answer;
  await answer.body?.cancel();
  throw new Away(`the provider of identities answered ${answer.status}`);
};

/** Runs a call of the provider, and turns its failure into a code of this service. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw isAway(error) ? away(error) : refused(error);
  }
}

function isAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof Away || at.name === 'TimeoutError') return true;
  return false;
}

function away(cause: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The provider of sign-ins cannot be reached. Sign in again later.',
    {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}

function refused(cause?: unknown): AppError {
  return new AppError(
    'OIDC_REFUSED',
    'The provider did not sign you in. Begin again with GET /auth/oidc/start.',
    cause === undefined ? {} : { cause },
  );
}

/** Asks once for all callers, and again after some time or a failure. */
function rememberFor<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly until: number } | null = null;
  return () => {
    if (kept !== null && performance.now() < kept.until) return kept.answer;
    const asked = { answer: ask(), until: performance.now() + milliseconds };
    kept = asked;
    asked.answer.catch(() => {
      if (kept === asked) kept = null;
    });
    return asked.answer;
  };
}

/** Signing in by a provider of identities, in a browser. */
import { AppError } from '../../src/domain/errors.ts';
import { LONGEST_ATTEMPT_COOKIE, OIDC_ATTEMPT_SECONDS } from '../../src/domain/people.ts';
import type { OidcCookies } from '../../src/services/people/index.ts';
import { cookieHeader, readCookie } from '../http/cookies.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { readSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import { TAGS } from '../http/tags.ts';
import { callbackQuery, finishBody, startQuery } from './oidc-schemas.ts';
import { signInAnswer } from './schemas.ts';
import { visitOf } from './visit.ts';

/** The cookie that binds a sign-in to the browser in which it began. */
const NAME = '__Host-dockyard-oidc';
const SESSION_COOKIE = 'The session cookie: for this host alone, over HTTPS, not for scripts.';

function cookiesOf({ cookie }: Readonly<Record<string, string | undefined>>): OidcCookies {
  return { attempt: readCookie(cookie, NAME, LONGEST_ATTEMPT_COOKIE), session: readSessionCookie(cookie) };
}

/** Sends a browser that came from a page back to it with the code of a refusal, in the fragment, which no server sees. */
async function orBack<Body>(
  returnTo: string | null,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  try {
    return await work();
  } catch (error) {
    if (returnTo === null || !(error instanceof AppError)) throw error;
    return { status: 303, headers: { Location: `${returnTo}#sign-in=${error.code}` } };
  }
}

const start = defineEndpoint({
  method: 'GET',
  path: '/auth/oidc/start',
  operationId: 'startOidc',
  tag: TAGS.people,
  summary: 'Sign in by the provider of the operator',
  description:
    'Sends the browser to the provider (OpenID Connect, with a proof key). A cookie of ten minutes binds the sign-in to this browser. Where the operator has named no provider: 404 OIDC_NOT_CONFIGURED. A page of this service sends its own path as returnTo: the browser comes back to it in the end, and a refusal comes as #sign-in=CODE behind the path, such as TOTP_REQUIRED.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  query: startQuery,
  answers: {
    303: {
      description: 'Go on at the provider, or with returnTo back where there is none.',
      headers: {
        Location: 'Where the provider signs people in.',
        'Set-Cookie': 'The cookie of this sign-in.',
      },
    },
  },
  errors: ['OIDC_NOT_CONFIGURED', 'OIDC_REFUSED', 'SERVICE_UNAVAILABLE'],
  handle({ people }, { query: { returnTo = null } }) {
    return orBack(returnTo, async () => {
      const { location, cookie } = await people.startOidc(returnTo);
      return {
        status: 303,
        headers: { ...cookieHeader(NAME, cookie, OIDC_ATTEMPT_SECONDS), Location: location },
      };
    });
  },
});

const callback = defineEndpoint({
  method: 'GET',
  path: '/auth/oidc/callback',
  operationId: 'oidcCallback',
  tag: TAGS.people,
  summary: 'Come back from the provider',
  description:
    'Where the provider sends the browser back to, once. Begins a session with a new cookie, and ends the one that the browser had. A person who is new gets an account; a person who is known by the address is joined only if both the provider and this service have verified the address. 401 TOTP_REQUIRED: send the code to POST /auth/oidc/finish.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  query: callbackQuery,
  answers: {
    200: { description: 'Signed in.', schema: signInAnswer, headers: { 'Set-Cookie': SESSION_COOKIE } },
    303: {
      description: 'A sign-in with returnTo goes on there, also when it was refused.',
      headers: { Location: 'The page.', 'Set-Cookie': SESSION_COOKIE },
    },
  },
  errors: [
    ...(['OIDC_NOT_CONFIGURED', 'OIDC_EXPIRED', 'OIDC_REFUSED', 'OIDC_ADDRESS_UNVERIFIED'] as const),
    ...(['TOTP_REQUIRED', 'ACCOUNT_SUSPENDED', 'ACCOUNT_CLOSED', 'SERVICE_UNAVAILABLE'] as const),
  ],
  async handle({ people }, request) {
    const cookies = cookiesOf(request.headers);
    const returnTo = people.oidcReturnTo(cookies);
    return orBack(returnTo, async () => {
      const { cookie, response } = await people.oidcCallback(visitOf(request), request.query, cookies);
      if (returnTo === null) return json(200, response, setSessionCookie(cookie));
      return { status: 303, headers: { ...setSessionCookie(cookie), Location: returnTo } };
    });
  },
});

const finish = defineEndpoint({
  method: 'POST',
  path: '/auth/oidc/finish',
  operationId: 'finishOidc',
  tag: TAGS.people,
  summary: 'Send the second factor after the provider',
  description:
    'Ends a sign-in that the provider has proved and that waits for a code of the second factor, in the browser in which it began. Codes are counted as at the sign-in.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: finishBody,
  answers: {
    200: { description: 'Signed in.', schema: signInAnswer, headers: { 'Set-Cookie': SESSION_COOKIE } },
  },
  errors: ['OIDC_NOT_CONFIGURED', 'OIDC_EXPIRED', 'TOTP_REFUSED', 'ACCOUNT_SUSPENDED', 'ACCOUNT_CLOSED'],
  async handle({ people }, request) {
    const cookies = cookiesOf(request.headers);
    const { cookie, response } = await people.finishOidc(visitOf(request), request.body, cookies);
    return json(200, response, setSessionCookie(cookie));
  },
});

/** Endpoints of sign-ins by a provider. */
export const oidcEndpoints: readonly Endpoint[] = [start, callback, finish];

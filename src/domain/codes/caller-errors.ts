/** Errors of callers: who they are, what they may, and how often they may ask. */
import { final, passing } from './code.ts';
import type { ErrorFacts } from './code.ts';

/** Every code of the service about callers and their rates. */
export const CALLER_ERRORS = {
  UNAUTHORIZED: final(
    401,
    'The API key is missing, malformed, unknown, expired or revoked, or the session has ended.',
    'Send a valid key as a bearer token, or sign in.',
  ),
  SIGN_IN_REFUSED: final(
    401,
    'The address or the password is wrong, or the address has not been confirmed.',
    'Confirm the address with the code of the mail, or ask for a new password.',
  ),
  TOTP_REQUIRED: final(
    401,
    'The password is right, and the person has a second factor that is asked for as well.',
    'Send the present code of the authenticator, or a recovery code, with the same request.',
  ),
  TOTP_REFUSED: final(
    403,
    'The code of the second factor is wrong, or was taken before.',
    'Wait for the next code of the authenticator, and check the clock of its device.',
  ),
  TOTP_ENABLED: final(
    409,
    'The person has a second factor already.',
    'Take the second factor away, then begin with another one.',
  ),
  OIDC_NOT_CONFIGURED: final(
    404,
    'The operator of the service has named no provider of sign-ins.',
    'Sign in with address and password instead.',
  ),
  OIDC_EXPIRED: final(
    410,
    'This browser has begun no such sign-in at the provider, or the sign-in was used or is too old.',
    'Begin at GET /auth/oidc/start again, in the same browser and with its cookies.',
  ),
  OIDC_REFUSED: final(
    403,
    'The provider of sign-ins refused the person, or what it sent back cannot be trusted.',
    'Begin again; when it happens again, ask the operator, whose log has the reason.',
  ),
  OIDC_ADDRESS_UNVERIFIED: final(
    403,
    'The e-mail address of the person is not proved at both the provider and this service.',
    'Confirm the address where it is not proved, then begin the sign-in again.',
  ),
  CROSS_SITE_REQUEST: final(
    403,
    'A write of a session did not come from a page of this service.',
    'Call from a page of the service, whose Origin the browser sends; programs use an API key.',
  ),
  CODE_EXPIRED: final(
    410,
    'The code of the mail is unknown, was used, or is too old.',
    'Ask for another mail, and use its code at once.',
  ),
  LAST_OWNER: final(
    409,
    'An account has at least one owner, and this is the last one.',
    'Make somebody else an owner first. Whoever is alone in an account without credits, debt, jobs and keys may leave it, which closes it; else ask the operator of the service to close it.',
  ),
  ACCOUNT_IN_USE: final(
    409,
    'Something of the account goes on, such as a job, a subscription or a payment, or the account owes something.',
    'Let it end, or end it, as the message names it; then close the account.',
  ),
  ALREADY_MEMBER: final(
    409,
    'The person of this address is a member of the account already.',
    'Change the role of the member, if that was the wish.',
  ),
  OTHER_ACCOUNT: final(
    409,
    'The person of this address belongs to another account, and nobody belongs to two.',
    'Leave the other account first, as the error says, or be invited with another address. An account of your own is left when it has no credits, debt, jobs and keys.',
  ),
  MEMBER_LIMIT_REACHED: final(
    422,
    'The account has as many members and open invitations as it may have.',
    'End an invitation, or let a member leave, then repeat the request.',
  ),
  INSUFFICIENT_SCOPE: final(
    403,
    'The API key lacks the scope of this operation.',
    'Use a key that has the scope.',
  ),
  TEST_KEY_LIVE_BILLING: final(
    403,
    'A test key cannot call an operation that charges credits.',
    'Use a live key.',
  ),
  SESSION_REQUIRED: final(
    403,
    'This operation cannot be called with an API key.',
    'Sign in with a browser, and do it there.',
  ),
  SIGN_IN_AGAIN: final(
    403,
    'This operation needs a sign-in of the last twelve hours.',
    'Sign in again, then repeat the request.',
  ),
  KEY_REQUIRED: final(
    403,
    'This operation is about the API key that it is called with, and was called without one.',
    'Send the API key as a bearer token.',
  ),
  ADDRESS_NOT_ALLOWED: final(
    403,
    'The API key is bound to networks, and the call came from another one.',
    'Call from a network of the list allowedCidrs of the key, or make another key.',
  ),
  OWNER_REQUIRED: final(
    403,
    'This operation is for the owners of the account.',
    'Ask an owner of the account to do it, or to make you an owner.',
  ),
  ACCOUNT_SUSPENDED: final(
    403,
    'The account is suspended: it can call nothing and start nothing, and its open jobs run to their end.',
    'Ask the operator of the service; the same request is accepted once the account is active again.',
  ),
  ACCOUNT_CLOSED: final(
    403,
    'The account was closed while the request was under way.',
    'Use a key of another account.',
  ),
  RATE_LIMITED: passing(
    429,
    'There were too many requests of one key, person or network.',
    'Wait for the seconds in Retry-After, then repeat the request.',
  ),
} as const satisfies Readonly<Record<string, ErrorFacts>>;

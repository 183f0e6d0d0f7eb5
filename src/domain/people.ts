/** People: what they send to sign up and to sign in, and what they are answered. */

/** An e-mail address with a password. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Credentials of a sign-in; a person with a second factor sends a code of it, or a recovery code, as well. */
export interface SignInRequest extends Credentials {
  readonly totp?: string;
}

/** A code of the second factor, or a recovery code. */
export interface TotpCodeRequest {
  readonly code: string;
}

/** Asks for a code by mail to set a new password with. */
export interface ForgotPasswordRequest {
  readonly email: string;
}

/** A code that came by mail, and the password of the sign-up. */
export interface VerifyRequest {
  readonly code: string;
  readonly password: string;
}

/** A code that came by mail, and the new password. */
export interface ResetPasswordRequest {
  readonly code: string;
  readonly password: string;
}

/** Query with which a provider sends a browser back. Other parameters that providers add are named here and not read. */
export interface OidcCallbackQuery {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

/** The code of the second factor of a person whom a provider has proved. */
export interface OidcFinishRequest {
  readonly totp: string;
}

/** How long a browser may take to sign in at a provider, the second factor included. */
export const OIDC_ATTEMPT_SECONDS = 600;
/** The longest cookie of a sign-in at a provider, with the page that it goes on to. */
export const LONGEST_ATTEMPT_COOKIE = 1_000;

/** An e-mail address of at most `LONGEST_EMAIL` characters. */
export const EMAIL =
  /^[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Characters of the longest e-mail address. */
export const LONGEST_EMAIL = 254;

/** Characters of the shortest and the longest password. */
export const PASSWORD_CHARACTERS = { min: 10, max: 200 } as const;

/** Sessions that a person can have open; a further sign-in ends the oldest one. */
export const MOST_SESSIONS = 100;

/** Tries of one address from one network that are answered within a quarter of an hour. */
export const TRIES_PER_QUARTER_HOUR = 10;

/** Origin of a person's request. */
export interface Visit {
  readonly address: string;
  /** The network of the address, as limits count it. */
  readonly network: string;
  readonly userAgent: string | null;
}

/** How long a code that lets a command line in can be used. */
export const CLI_CODE_SECONDS = 120;

/** Lets the command line in that knows the secret whose SHA-256 (base64url) the challenge is. */
export interface CliApprovalRequest {
  readonly challenge: string;
}

/** Code and secret for which a command line gets a person's session. */
export interface CliSessionRequest {
  readonly code: string;
  readonly verifier: string;
}

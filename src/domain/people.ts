/** People: what they send to sign up and to sign in, and what they are answered. */
import type { AccountPlan, AccountRole } from './access.ts';

/** An e-mail address with a password. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Credentials of a sign-in; a person with a second factor sends a code of it, or a recovery code, as well. */
export interface SignInRequest extends Credentials {
  readonly totp?: string;
}

/** State of a person's second factor. */
export interface TotpState {
  readonly enabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** A secret that counts once it is confirmed, in base32 and as the address that authenticators read. */
export interface BegunTotp {
  readonly secret: string;
  readonly uri: string;
}

/** A code of the second factor, or a recovery code. */
export interface TotpCodeRequest {
  readonly code: string;
}

/** Codes that are each taken once in the place of a code, shown this once. */
export interface EnabledTotp {
  readonly recoveryCodes: string[];
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

/** The answer that a mail was sent; equal for every address, known or not. */
export interface MailSentResponse {
  readonly message: string;
}

/** The address that the code has proved. */
export interface VerifiedResponse {
  readonly email: string;
}

/** The person, the account, and the session that the cookie of the answer stands for. */
export interface SignInResponse {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly account: { readonly id: string; readonly plan: AccountPlan; readonly role: AccountRole };
  readonly expiresAt: string;
}

/** A session of the person who asks. */
export interface SessionRecord {
  readonly id: string;
  /** Whether it is the session that asks. */
  readonly current: boolean;
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
}

/** The open sessions of a person, newest first. */
export interface SessionListResponse {
  readonly sessions: SessionRecord[];
}

/** A session that has ended, now or before. */
export interface EndedSession {
  readonly id: string;
  readonly endedAt: string;
}

/** How many sessions have ended. */
export interface EndedSessions {
  readonly ended: number;
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

/** The code for the command line. */
export interface CliApproval {
  readonly code: string;
  readonly expiresInSeconds: number;
}

/** Code and secret for which a command line gets a person's session. */
export interface CliSessionRequest {
  readonly code: string;
  readonly verifier: string;
}

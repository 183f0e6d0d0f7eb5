/** People who sign in: their sessions, the codes that they get by mail, their tries, recovery codes, names at a provider, and invitations to accounts. */
import { EntitySchema } from 'typeorm';

import { insertTime, nullable, primary, text, time, timeArray, uuid } from './columns.ts';

/** A browser in which a person has signed in; the secret of its cookie is known by digest only. */
export interface Session {
  id: string;
  userId: string;
  secretSha256: string;
  /** The address and the program of the sign-in, for the person's list of sessions. */
  address: string;
  userAgent: string | null;
  createdAt: Date;
  /** The last use of the session, exact to a minute. */
  lastSeenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** When the session ends whatever its use; null for the thirty days of a browser's. */
  endsAt: Date | null;
}

/** Table `sessions`. */
export const SessionEntity = new EntitySchema<Session>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    id: primary(uuid),
    userId: uuid,
    secretSha256: text,
    address: text,
    userAgent: nullable(text),
    createdAt: insertTime,
    lastSeenAt: insertTime,
    expiresAt: time,
    endedAt: nullable(time),
    endsAt: nullable(time),
  },
});

/** A code that was sent by mail and proves the address once. */
export interface MailCode {
  secretSha256: string;
  purpose: 'sign-up' | 'reset';
  email: string;
  /** The user whose password is to be set; null for a sign-up. */
  userId: string | null;
  /** The password of a sign-up, which becomes the user's with the proof of the address. */
  passwordHash: string | null;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
}

/** Table `mail_codes`. */
export const MailCodeEntity = new EntitySchema<MailCode>({
  name: 'MailCode',
  tableName: 'mail_codes',
  columns: {
    secretSha256: primary(text),
    purpose: text,
    email: text,
    userId: nullable(uuid),
    passwordHash: nullable(text),
    createdAt: insertTime,
    expiresAt: time,
    usedAt: nullable(time),
  },
});

/** When somebody of a network tried an address in the last quarter of an hour. */
export interface SignInTries {
  /** A digest of network and e-mail address. */
  pair: string;
  triedAt: Date[];
  lastTriedAt: Date;
}

/** Table `sign_in_tries`. */
export const SignInTriesEntity = new EntitySchema<SignInTries>({
  name: 'SignInTries',
  tableName: 'sign_in_tries',
  columns: { pair: primary(text), triedAt: timeArray, lastTriedAt: insertTime },
});

/** An invitation to an account; the code of its mail is known by digest only. */
export interface Invitation {
  id: string;
  accountId: string;
  email: string;
  role: 'owner' | 'member';
  secretSha256: string;
  /** The user who invited. */
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** When somebody accepted the invitation, an owner ended it, or another one took its place. */
  endedAt: Date | null;
  /** The user who accepted. */
  acceptedBy: string | null;
}

/** Table `invitations`. */
export const InvitationEntity = new EntitySchema<Invitation>({
  name: 'Invitation',
  tableName: 'invitations',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    email: text,
    role: text,
    secretSha256: text,
    invitedBy: uuid,
    createdAt: insertTime,
    expiresAt: time,
    endedAt: nullable(time),
    acceptedBy: nullable(uuid),
  },
});

/** The name of a person at a provider of identities. */
export interface Identity {
  issuer: string;
  subject: string;
  userId: string;
  createdAt: Date;
}

/** Table `identities`. */
export const IdentityEntity = new EntitySchema<Identity>({
  name: 'Identity',
  tableName: 'identities',
  columns: { issuer: primary(text), subject: primary(text), userId: uuid, createdAt: insertTime },
});

/** A sign-in at a provider that a browser has brought back; known by the digest of the secret in its cookie. */
export interface OidcAttempt {
  secretSha256: string;
  /** The person that the provider has proved; null before. */
  userId: string | null;
  usedAt: Date;
  /** When the session began. */
  endedAt: Date | null;
}

/** Table `oidc_attempts`. */
export const OidcAttemptEntity = new EntitySchema<OidcAttempt>({
  name: 'OidcAttempt',
  tableName: 'oidc_attempts',
  columns: {
    secretSha256: primary(text),
    userId: nullable(uuid),
    usedAt: insertTime,
    endedAt: nullable(time),
  },
});

/** A code that is taken once in the place of a code of the second factor; known by digest only. */
export interface RecoveryCode {
  userId: string;
  codeSha256: string;
  usedAt: Date | null;
}

/** Table `recovery_codes`. */
export const RecoveryCodeEntity = new EntitySchema<RecoveryCode>({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: { userId: primary(uuid), codeSha256: primary(text), usedAt: nullable(time) },
});

/** A code with which a person has let a command line in; known by digest only. */
export interface CliCode {
  secretSha256: string;
  /** The session in which the person did so. */
  sessionId: string;
  /** The SHA-256 (base64url) of the secret that the command line must show. */
  challenge: string;
  createdAt: Date;
  usedAt: Date | null;
}

/** Table `cli_codes`. */
export const CliCodeEntity = new EntitySchema<CliCode>({
  name: 'CliCode',
  tableName: 'cli_codes',
  columns: {
    secretSha256: primary(text),
    sessionId: uuid,
    challenge: text,
    createdAt: insertTime,
    usedAt: nullable(time),
  },
});

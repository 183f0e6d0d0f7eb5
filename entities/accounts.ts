/** Accounts, their users and their API keys. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  insertTime,
  nullable,
  primary,
  text,
  textArray,
  time,
  uuid,
} from './columns.ts';

/** The owner of jobs, files and credits. */
export interface Account {
  id: string;
  plan: 'free' | 'pro';
  /** Only an active account calls, submits and gets credits. */
  state: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  createdAt: Date;
}

/** Table `accounts`. */
export const AccountEntity = new EntitySchema<Account>({
  name: 'Account',
  tableName: 'accounts',
  columns: {
    id: primary(uuid),
    plan: defaulted(text, "'free'"),
    state: defaulted(text, "'ACTIVE'"),
    createdAt: insertTime,
  },
});

/** A person of an account. */
export interface User {
  id: string;
  /** Null until the person has signed in for the first time. */
  accountId: string | null;
  /** Unique without regard to case. */
  email: string;
  /** The person's role in the account. */
  role: 'owner' | 'member';
  /** Argon2id; null for a person who has set no password yet. */
  passwordHash: string | null;
  emailVerifiedAt: Date | null;
  /** The sealed secret of the second factor, which counts from `totpEnabledAt` on. */
  totpSecret: string | null;
  totpEnabledAt: Date | null;
  /** The step of the last code that was taken. */
  totpLastStep: number | null;
  createdAt: Date;
}

/** Table `users`. */
export const UserEntity = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: primary(uuid),
    accountId: nullable(uuid),
    email: text,
    role: defaulted(text, "'owner'"),
    passwordHash: nullable(text),
    emailVerifiedAt: nullable(time),
    totpSecret: nullable(text),
    totpEnabledAt: nullable(time),
    totpLastStep: nullable(bigint),
    createdAt: insertTime,
  },
});

/** A bearer key; its secret is known by digest only. */
export interface ApiKey {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  environment: 'live' | 'test';
  scopes: string[];
  secretSha256: string;
  /** The first characters of the key, to tell keys apart. */
  prefix: string;
  last4: string;
  createdAt: Date;
  /** The last use of the key, exact to a minute. */
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The networks that the key may be used from; null for any. */
  allowedCidrs: string[] | null;
  /** The fingerprint of the request that made the key under an idempotency key. */
  requestSha256: string | null;
  /** The first of the keys that took each other's place by rotation, which share one limit; null for the first key itself. */
  firstKeyId: string | null;
}

/** Table `api_keys`. */
export const ApiKeyEntity = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    name: text,
    environment: text,
    scopes: textArray,
    secretSha256: text,
    prefix: text,
    last4: text,
    createdAt: insertTime,
    lastUsedAt: nullable(time),
    expiresAt: nullable(time),
    revokedAt: nullable(time),
    allowedCidrs: nullable(textArray),
    requestSha256: nullable(text),
    firstKeyId: nullable(uuid),
  },
});

/** The one row whose number rises with every revocation, so that caches of keys notice a revocation. */
export interface RevocationEpoch {
  onlyRow: boolean;
  epoch: number;
}

/** Table `revocation_epoch`. */
export const RevocationEpochEntity = new EntitySchema<RevocationEpoch>({
  name: 'RevocationEpoch',
  tableName: 'revocation_epoch',
  columns: { onlyRow: primary(defaulted(boolean, 'true')), epoch: defaulted(bigint, '0') },
});

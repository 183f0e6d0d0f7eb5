/** Callers and their rights. A service gets an `Actor`, never an HTTP context. */
import { AppError } from './errors.ts';

/** Every scope that a key can carry. */
export const SCOPES = [
  'jobs:read',
  'jobs:write',
  'credits:read',
  'convert',
  'molecular:chat',
  'projects:read',
  'projects:write',
] as const;

/** A permission of a key; a session has all of them. */
export type Scope = (typeof SCOPES)[number];

/** Every environment of a key. */
export const KEY_ENVIRONMENTS = ['live', 'test'] as const;

/** A live key bills real credits; a test key is never billed and cannot submit. */
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/** The account's plan; it multiplies rate limits and sets queue priority. */
export type AccountPlan = 'free' | 'pro';

/** A person's role in an account: an owner decides on keys, members, billing and settings, too. */
export type AccountRole = 'owner' | 'member';

/** The account and the person that every actor acts for. */
interface Principal {
  readonly accountId: string;
  readonly userId: string;
  readonly plan: AccountPlan;
}

/** A program that calls with an API key. */
export interface KeyActor extends Principal {
  readonly kind: 'key';
  readonly keyId: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly Scope[];
  /** The networks that the key may be used from; any when it is left out. */
  readonly allowedCidrs?: readonly string[];
}

/** A person who has signed in with a browser. */
export interface SessionActor extends Principal {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly role: AccountRole;
  /** Whether the person has signed in within the last twelve hours. */
  readonly isRecent: boolean;
}

/** The authenticated caller. */
export type Actor = KeyActor | SessionActor;

/** The key or the session of a call, as limits count it and as logs and jobs name it. */
export interface Caller {
  readonly kind: Actor['kind'];
  readonly id: string;
}

/** The key or the session that an actor calls with. */
export function callerOf(actor: Actor): Caller {
  switch (actor.kind) {
    case 'key':
      return { kind: 'key', id: actor.keyId };
    case 'session':
      return { kind: 'session', id: actor.sessionId };
    default:
      return actor satisfies never;
  }
}

/** The environment in which an actor calls; what a person does is real. */
export function environmentOf(actor: Actor): KeyEnvironment {
  return actor.kind === 'key' ? actor.environment : 'live';
}

/**
 * Names the scope of an actor's idempotency keys: the account, and for test keys a part of it. The text for live keys is part of
 * ids that are stored.
 */
export function keyScopeOf(actor: Actor): string {
  return environmentOf(actor) === 'live' ? actor.accountId : `${actor.accountId}/test`;
}

/** Refuses a key without the scope. @throws INSUFFICIENT_SCOPE. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === 'session' || actor.scopes.includes(scope)) return;
  throw new AppError('INSUFFICIENT_SCOPE', `This key lacks the scope ${scope}. Use a key that has it.`);
}

/** Refuses a person where only a key may act, because the operation is about the key of the call. @throws KEY_REQUIRED. */
export function requireKey(actor: Actor): asserts actor is KeyActor {
  if (actor.kind === 'key') return;
  throw new AppError('KEY_REQUIRED', 'Call this operation with an API key: Authorization: Bearer <API_KEY>.');
}

/** Refuses a key where only a person may act. @throws SESSION_REQUIRED. */
export function requireSession(actor: Actor): asserts actor is SessionActor {
  if (actor.kind === 'session') return;
  throw new AppError(
    'SESSION_REQUIRED',
    'This operation cannot be called with an API key. Sign in with a browser, and do it there.',
  );
}

/** Refuses whoever is no owner of the account. @throws SESSION_REQUIRED, OWNER_REQUIRED. */
export function requireOwner(actor: Actor): void {
  requireSession(actor);
  if (actor.role === 'owner') return;
  throw new AppError('OWNER_REQUIRED', 'Only an owner of the account may do this. Ask an owner.');
}

/** Refuses a session that has begun longer ago than what it is about to do allows. @throws SIGN_IN_AGAIN. */
export function requireRecent(actor: Actor): void {
  if (actor.kind === 'key' || actor.isRecent) return;
  throw new AppError(
    'SIGN_IN_AGAIN',
    'Your sign-in is more than twelve hours ago. Sign in again, then repeat the request.',
  );
}

/** Refuses a test key on an operation that bills. @throws TEST_KEY_LIVE_BILLING. */
export function requireLive(actor: Actor): void {
  if (actor.kind === 'session' || actor.environment === 'live') return;
  throw new AppError(
    'TEST_KEY_LIVE_BILLING',
    'A test key cannot call an operation that charges credits. Use a live key.',
  );
}

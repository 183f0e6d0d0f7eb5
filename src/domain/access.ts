/** Who calls, and what they may do. A service gets an `Actor`, never an HTTP context. */
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

/** What a key permits. */
export type Scope = (typeof SCOPES)[number];

/** A live key bills real credits; a test key is never billed and cannot submit. */
export type KeyEnvironment = 'live' | 'test';

/** The account's plan; it multiplies rate limits and sets queue priority. */
export type AccountPlan = 'free' | 'pro';

/** The authenticated caller. */
export interface Actor {
  readonly accountId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly Scope[];
  readonly plan: AccountPlan;
}

/** Refuses an actor without the scope. @throws INSUFFICIENT_SCOPE. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.includes(scope)) return;
  throw new AppError('INSUFFICIENT_SCOPE', `This key lacks the scope ${scope}. Use a key that has it.`);
}

/** Refuses a test key on an operation that bills. @throws TEST_KEY_LIVE_BILLING. */
export function requireLive(actor: Actor): void {
  if (actor.environment === 'live') return;
  throw new AppError(
    'TEST_KEY_LIVE_BILLING',
    'A test key cannot call an operation that charges credits. Use a live key.',
  );
}

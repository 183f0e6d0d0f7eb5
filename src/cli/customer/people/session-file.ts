/** The session that a browser has let the command line have: kept beside the login, for its owner only, for one service. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isRecord } from '../../../domain/is-record.ts';
import { readJsonFile } from '../../../files.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import type { Environment } from '../../settings.ts';
import { findApiUrl, loginFile, writeSecretFile } from '../profile.ts';

/** A session and the service that it is of. */
export interface KeptSession {
  readonly apiUrl: string;
  readonly session: string;
  readonly expiresAt: string;
  /** Id of the account, which stays over sign-ins; sessions that were kept by an earlier version have none. */
  readonly accountId?: string;
}

function sessionFile(env: Environment): string {
  return join(dirname(loginFile(env)), 'session.json');
}

/** Keeps a session. @returns the file. */
export function writeSession(env: Environment, kept: KeptSession): string {
  return writeSecretFile(sessionFile(env), kept);
}

/** Forgets the session. */
export function removeSession(env: Environment): void {
  rmSync(sessionFile(env), { force: true });
}

/** The session for the service that is named; null without one that goes on. */
export function findSession(env: Environment, folder: string): KeptSession | null {
  const apiUrl = findApiUrl(env, folder);
  const kept = readSession(env);
  const isOf = kept !== null && (apiUrl ?? kept.apiUrl) === kept.apiUrl;
  return isOf && Date.parse(kept.expiresAt) > Date.now() ? kept : null;
}

/** The session for the service that is named. @throws CommandProblem without one. */
export function findKeptSession(env: Environment, folder: string): KeptSession {
  const kept = findSession(env, folder);
  if (kept === null) throw notSignedIn(findApiUrl(env, folder) ?? 'the service');
  return kept;
}

/** The problem of a command that needs a person. */
export function notSignedIn(apiUrl: string): CommandProblem {
  const message = `You are not signed in at ${apiUrl}, or not any more. Sign in with: dockyard login --browser, or sign up with: dockyard sign-up`;
  return new CommandProblem(EXIT.refused, 'NOT_SIGNED_IN', message);
}

function readSession(env: Environment): KeptSession | null {
  const value = readJsonFile(sessionFile(env));
  if (!isRecord(value)) return null;
  const { apiUrl, session, expiresAt, accountId } = value;
  return typeof apiUrl === 'string' && typeof session === 'string' && typeof expiresAt === 'string'
    ? { apiUrl, session, expiresAt, ...(typeof accountId === 'string' ? { accountId } : {}) }
    : null;
}

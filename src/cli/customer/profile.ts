/**
 * A customer's service and key: those of the environment, else the last login, else the address of a stack on this machine. A
 * stored key goes to the service that it was stored for and to no other.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { endpointsFile } from '../../stack/endpoints.ts';
import { isRecord } from '../../domain/is-record.ts';
import { readJsonFile, writeFileAtomically } from '../../files.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { homesOf } from '../settings.ts';
import type { Environment } from '../settings.ts';

/** A service and the key for it. */
export interface Login {
  /** Root of the service, without `/api/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

const SECRET_FILE = 0o600;
const SECRET_FOLDER = 0o700;

/** The variable whose address goes before that of a login. */
export const API_URL = 'DOCKYARD_API_URL';
/** The variable whose key goes before that of a login. */
export const API_KEY = 'DOCKYARD_API_KEY';

/** Whether the environment has a value for a variable. */
export function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

/** The file that a login is kept in: the XDG folder for configuration. */
export function loginFile(env: Environment): string {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification says that a relative path is to be ignored.
  const root = isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.config');
  return join(root, 'dockyard', 'login.json');
}

/** The login that was kept last; null when none was kept. */
export function readLogin(env: Environment): Login | null {
  const value = readJsonFile(loginFile(env));
  if (!isRecord(value)) return null;
  const { apiUrl, apiKey } = value;
  return typeof apiUrl === 'string' && typeof apiKey === 'string' ? { apiUrl, apiKey } : null;
}

/** Keeps a login, readable for its owner only. @returns the file. */
export function writeLogin(env: Environment, { apiUrl, apiKey }: Login): string {
  return writeSecretFile(loginFile(env), { apiUrl, apiKey });
}

/** Writes a file that only its owner can read. @returns the file. */
export function writeSecretFile(file: string, content: object): string {
  mkdirSync(join(file, '..'), { recursive: true, mode: SECRET_FOLDER });
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`, SECRET_FILE, false);
  // The mask of the process may have taken rights away from the new file, so the rights are set once more.
  chmodSync(file, SECRET_FILE);
  return file;
}

/** The address of the service; null when neither the environment, a login nor a stack of this machine names one. */
export function findApiUrl(env: Environment, folder: string): string | null {
  const named = env[API_URL] ?? '';
  if (named !== '') return apiUrlOf(named);
  return readLogin(env)?.apiUrl ?? localApiUrl(env, folder);
}

/** The address of a stack on this machine. */
function localApiUrl(env: Environment, folder: string): string | null {
  for (const home of homesOf(env, folder)) {
    const endpoints = readJsonFile(endpointsFile(home));
    const apiUrl = isRecord(endpoints) ? endpoints['apiUrl'] : undefined;
    if (typeof apiUrl === 'string') return apiUrl;
  }
  return null;
}

/** The service and the key; null when one of the two is not known. */
export function findKey(env: Environment, folder: string): Login | null {
  const apiUrl = findApiUrl(env, folder);
  if (apiUrl === null) return null;
  const named = env[API_KEY] ?? '';
  if (named !== '') return { apiUrl, apiKey: named };
  const stored = readLogin(env);
  return stored?.apiUrl === apiUrl ? stored : null;
}

/** The service and the key. @throws CommandProblem when one of the two is not known. */
export function findLogin(env: Environment, folder: string): Login {
  const found = findKey(env, folder);
  if (found !== null) return found;
  const apiUrl = findApiUrl(env, folder);
  const what = apiUrl === null ? 'No service is named' : `There is no key for ${apiUrl}`;
  const advice = `Log in with: dockyard login, or set ${API_URL} and ${API_KEY}. Without an account begin with: dockyard sign-up`;
  throw new CommandProblem(EXIT.refused, 'NOT_LOGGED_IN', `${what}. ${advice}`);
}

/** The root of a service as people write it, with or without the path of the API. @throws CommandProblem */
export function apiUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '' || url.search !== '') {
    const message = `${text} is no address of a service, such as https://dockyard.example.org.`;
    throw new CommandProblem(EXIT.refused, 'USAGE_URL', message);
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${url.origin}${path}`;
}

/**
 * State of a listener between its runs, one file for each account and address, for its user only: the cursor to go on with and the
 * secret that signs. One listener at a time works with it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { tryLock } from '../../../client/lock.mjs';
import { isRecord } from '../../../domain/is-record.ts';
import { readJsonFile } from '../../../files.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import type { Environment } from '../../settings.ts';
import { writeSecretFile } from '../profile.ts';
import type { Caller } from '../service.ts';
import { drawSecret } from './message.ts';

/** The state of a listener. */
export interface ListenState {
  readonly secret: string;
  /** The cursor of the last run; null on the first. */
  readonly cursor: string | null;
  /** Keeps a cursor, once all events before it were forwarded. */
  keep(cursor: string): void;
  close(): void;
}

/** Opens the state of a listener. @throws CommandProblem while another one forwards to the same address. */
export function openListenState(env: Environment, caller: Caller, forwardTo: string): ListenState {
  const named = env['XDG_STATE_HOME'] ?? '';
  const folder = join(
    named === '' ? join(env['HOME'] ?? homedir(), '.local', 'state') : named,
    'dockyard',
    'listen',
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${nameOf(caller, forwardTo)}.json`);
  const { lock } = tryLock(`${file}.lock`, { isShared: false });
  if (lock === null) {
    const message = `Another dockyard listen forwards to ${forwardTo} already. Stop it first.`;
    throw new CommandProblem(EXIT.refused, 'LISTENER_RUNNING', message);
  }
  const found = readJsonFile(file);
  const kept = isRecord(found) ? found : {};
  const secret = typeof kept['secret'] === 'string' ? kept['secret'] : drawSecret();
  return {
    secret,
    cursor: typeof kept['cursor'] === 'string' ? kept['cursor'] : null,
    keep: (cursor) => void writeSecretFile(file, { apiUrl: caller.apiUrl, forwardTo, secret, cursor }),
    close: () => lock.release(),
  };
}

/** Names the file; an account is known by its id where a person has signed in, else by the key, of which the name tells nothing. */
function nameOf(caller: Caller, forwardTo: string): string {
  const account = 'apiKey' in caller ? caller.apiKey : (caller.accountId ?? '');
  return createHash('sha256')
    .update(JSON.stringify([caller.apiUrl, account, forwardTo]))
    .digest('hex')
    .slice(0, 40);
}

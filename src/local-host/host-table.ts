/**
 * The compute host's durable memory: one small file per launch token, written whole or not at all. A token that was
 * ever launched or terminated is remembered, so a late repetition never starts a second instance.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile } from '../files.ts';

/** An instance as the table keeps it. */
export interface InstanceRecord {
  readonly id: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
  readonly endedAt: string | null;
}

const REMEMBERED_MS = 7 * 24 * 3600 * 1000;

/** The id of the instance that a token starts: the same token, the same instance. */
export function instanceIdOf(token: string): string {
  return createHash('sha256').update(`dockyard/instance/${token}`).digest('hex').slice(0, 24);
}

/** The table. */
export class HostTable {
  readonly #folder: string;
  readonly #records = new Map<string, InstanceRecord>();
  #writes: Promise<void> = Promise.resolve();

  /** Opens the table in a folder and reads what is there; a file that is torn was never answered and is dropped. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const record = readRecord(join(folder, name));
      if (record !== null) this.#records.set(record.token, record);
    }
  }

  /** The record of a token. */
  get(token: string): InstanceRecord | null {
    return this.#records.get(token) ?? null;
  }

  /** Every record. */
  all(): readonly InstanceRecord[] {
    return [...this.#records.values()];
  }

  /** Remembers a record; returns when it is on disk. */
  async put(record: InstanceRecord): Promise<void> {
    this.#records.set(record.token, record);
    await this.#enqueue(() => replaceFile(this.#pathOf(record.id), JSON.stringify(record), 0o600));
  }

  /** Forgets instances that have been gone for a week: nobody repeats a launch for so long. */
  async prune(now: Date): Promise<void> {
    for (const record of this.all()) {
      if (record.endedAt === null || now.getTime() - Date.parse(record.endedAt) < REMEMBERED_MS) continue;
      this.#records.delete(record.token);
      await this.#enqueue(() => rm(this.#pathOf(record.id), { force: true }));
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  /** One write after the other: the last word about an instance is the last on disk. */
  #enqueue(write: () => Promise<void>): Promise<void> {
    const next = this.#writes.then(write);
    this.#writes = next.catch(() => undefined);
    return next;
  }
}

function readRecord(path: string): InstanceRecord | null {
  if (!path.endsWith('.json')) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is InstanceRecord {
  if (typeof value !== 'object' || value === null) return false;
  return ['id', 'token', 'state', 'launchedAt'].every((name) => typeof Reflect.get(value, name) === 'string');
}

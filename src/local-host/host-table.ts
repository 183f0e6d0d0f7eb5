/**
 * The table of the local host on disk: one small file per launch token, written whole or not at all. The table knows every
 * token that was launched or terminated, so that a late repetition of a launch never starts a second instance. The files name no
 * token, because tools run as the user of the host: a file is found by the digest of its token.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isRecord } from '../domain/is-record.ts';
import type { Market } from '../domain/recoveries.ts';
import { replaceFile } from '../files.ts';

/** An instance as the table keeps it. */
export interface InstanceRecord {
  readonly id: string;
  /** Null for an instance of an earlier process of the host. */
  readonly token: string | null;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
  readonly endedAt: string | null;
  /** Absent for a token that never started an instance. */
  readonly market?: Market;
  /** The host took the instance away, as a spot market does. */
  readonly cause?: 'PREEMPTED';
  /** Owner of the instance, for the log; absent for a token that never started an instance. */
  readonly place?: { readonly jobId: string; readonly slot: number; readonly generation: number };
}

const REMEMBERED_MS = 7 * 24 * 3600 * 1000;

/** The id of the instance that a token starts; the same token always means the same instance. */
export function instanceIdOf(token: string): string {
  return createHash('sha256').update(`dockyard/instance/${token}`).digest('hex').slice(0, 24);
}

/** The instances that the host has launched or terminated. */
export class HostTable {
  readonly #folder: string;
  /** By id. */
  readonly #records = new Map<string, InstanceRecord>();
  #writes: Promise<void> = Promise.resolve();

  /** Opens the table in a folder and reads its files; a torn file is dropped, because its launch was never answered. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const record = readRecord(join(folder, name));
      if (record !== null) this.#records.set(record.id, record);
    }
  }

  /** The record of a token; null when the token was never seen. */
  get(token: string): InstanceRecord | null {
    return this.byId(instanceIdOf(token));
  }

  /** The record of an instance; null when the instance was never seen. */
  byId(id: string): InstanceRecord | null {
    return this.#records.get(id) ?? null;
  }

  /** Every record. */
  all(): readonly InstanceRecord[] {
    return [...this.#records.values()];
  }

  /** Writes a record; returns when the record is on disk. */
  async put(record: InstanceRecord): Promise<void> {
    this.#records.set(record.id, record);
    const written = { ...record, token: undefined };
    await this.#enqueue(() => replaceFile(this.#pathOf(record.id), JSON.stringify(written), 0o600));
  }

  /** Drops the records of instances that ended a week ago or earlier: no launch is repeated for so long. */
  async prune(now: Date): Promise<void> {
    for (const record of this.all()) {
      if (record.endedAt === null || now.getTime() - Date.parse(record.endedAt) < REMEMBERED_MS) continue;
      this.#records.delete(record.id);
      await this.#enqueue(() => rm(this.#pathOf(record.id), { force: true }));
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  /** Writes one record after the other, so that the last state of an instance is the last on disk. */
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
    return isWritten(value) ? { ...value, token: null } : null;
  } catch {
    return null;
  }
}

function isWritten(value: unknown): value is Omit<InstanceRecord, 'token'> {
  if (!isRecord(value)) return false;
  return ['id', 'state', 'launchedAt'].every((name) => typeof value[name] === 'string');
}

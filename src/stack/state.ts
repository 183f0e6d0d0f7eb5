// stack.json in the data folder, readable by its owner only: the ports and secrets of this stack, kept so that it comes
// back at the same addresses with the same keys, and the settings with which the operator's command line reaches it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../domain/is-record.ts';
import { readJsonFile, writeFileAtomically } from '../files.ts';

/** Secrets made once per data folder. */
export interface StackSecrets {
  readonly databasePassword: string;
  readonly storageAccessKeyId: string;
  readonly storageSecretAccessKey: string;
  readonly computeToken: string;
  readonly secret: string;
  readonly settingsKey: string;
  readonly receiptKey: string;
}

/** Content of stack.json. */
export interface StackState {
  readonly ports: Readonly<Record<string, number>>;
  readonly secrets: StackSecrets;
  /** A namespace in the Temporal of this data folder, by which that Temporal is known. */
  readonly temporalNamespace: string;
  /** The object store keeps its metadata in files because the file system has no extended attributes. */
  readonly storageSidecar: boolean;
  /** Settings of the control side (`DOCKYARD_*`), for the command line. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The path of stack.json. */
export function stateFile(home: string): string {
  return join(home, 'stack.json');
}

/** The state of a data folder; secrets that are missing are made. */
export function loadState(home: string): StackState {
  const saved = readJsonFile(stateFile(home));
  const value = isRecord(saved) ? saved : {};
  const { temporalNamespace } = onlyStrings(value);
  return {
    ports: onlyNumbers(value['ports']),
    secrets: loadSecrets(value['secrets']),
    temporalNamespace: temporalNamespace ?? `dockyard-${randomBytes(6).toString('hex')}`,
    storageSidecar: value['storageSidecar'] === true,
    environment: onlyStrings(value['environment']),
  };
}

/** Writes the state, readable by its owner only. */
export function saveState(home: string, state: StackState): void {
  writeFileAtomically(stateFile(home), `${JSON.stringify(state, null, 2)}\n`, 0o600, true);
}

/**
 * The settings of the stack in a data folder, so that a command finds its database, Temporal and object store by
 * `DOCKYARD_HOME` alone; empty when no stack was started there.
 */
export function readStackEnvironment(home: string): Record<string, string> {
  const value = readJsonFile(stateFile(home));
  return isRecord(value) ? onlyStrings(value['environment']) : {};
}

function loadSecrets(value: unknown): StackSecrets {
  const saved = onlyStrings(value);
  const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
  return {
    databasePassword: saved['databasePassword'] ?? hex(24),
    storageAccessKeyId: saved['storageAccessKeyId'] ?? `dockyard${hex(6)}`,
    storageSecretAccessKey: saved['storageSecretAccessKey'] ?? hex(32),
    computeToken: saved['computeToken'] ?? hex(32),
    secret: saved['secret'] ?? hex(32),
    settingsKey: saved['settingsKey'] ?? hex(32),
    receiptKey: saved['receiptKey'] ?? `stack-${hex(4)}:${hex(32)}`,
  };
}

function onlyStrings(value: unknown): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, entry] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof entry === 'string') result[key] = entry;
  }
  return result;
}

function onlyNumbers(value: unknown): Record<string, number> {
  const result: Record<string, number> = {};
  for (const [key, entry] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof entry === 'number') result[key] = entry;
  }
  return result;
}

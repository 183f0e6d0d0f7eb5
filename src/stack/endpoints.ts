// endpoints.json in the data folder: where everything is and which processes there are, for people, scripts and tests.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../domain/is-record.ts';
import { readJsonFile, writeFileAtomically } from '../files.ts';

/** One process of the stack: `postgres`, `temporal`, `storage`, `api`, `api-2`, `instance/{id}` and so on. */
export interface ProcessEntry {
  readonly name: string;
  readonly pid: number;
}

/**
 * Content of endpoints.json once everything has come up; before, and while a process has to change its address, that address is
 * missing.
 */
export interface Endpoints {
  readonly apiUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string;
  readonly storageUrl: string;
  readonly gatewayUrl: string;
  /** Address of the metrics of each process of ours, by its name. */
  readonly metricsUrls: Readonly<Record<string, string>>;
  readonly processes: readonly ProcessEntry[];
}

/** The path of endpoints.json. */
export function endpointsFile(home: string): string {
  return join(home, 'endpoints.json');
}

/** Replaces endpoints.json in one step. */
export function writeEndpoints(
  home: string,
  endpoints: Partial<Endpoints> & Pick<Endpoints, 'processes'>,
): void {
  writeFileAtomically(endpointsFile(home), `${JSON.stringify(endpoints, null, 2)}\n`, 0o644, false);
}

/** Removes endpoints.json: nothing of the stack runs any more. */
export function removeEndpoints(home: string): void {
  rmSync(endpointsFile(home), { force: true });
}

/** The processes that endpoints.json names; none when it is missing or damaged. */
export function readProcesses(home: string): ProcessEntry[] {
  const value = readJsonFile(endpointsFile(home));
  const list: unknown = isRecord(value) ? value['processes'] : undefined;
  if (!Array.isArray(list)) return [];
  const entries: ProcessEntry[] = [];
  for (const item of list) {
    if (!isRecord(item)) continue;
    const { name, pid } = item;
    if (typeof name === 'string' && typeof pid === 'number' && Number.isInteger(pid) && pid > 1)
      entries.push({ name, pid });
  }
  return entries;
}

// Small files that other processes read while we write them: a reader sees the old text or the new one, never half.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

let counter = 0;

/** Replaces a file in one step; `mode` holds for the new file. `durably` makes it outlive a crash of the machine. */
export function writeFileAtomically(file: string, text: string, mode: number, durably: boolean): void {
  counter += 1;
  const fresh = `${file}.${process.pid}.${counter}`;
  const descriptor = openSync(fresh, 'w', mode);
  try {
    writeSync(descriptor, text);
    if (durably) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}

/** The parsed JSON of a file, or undefined when it is missing or damaged. */
export function readJsonFile(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return value;
  } catch {
    return undefined;
  }
}

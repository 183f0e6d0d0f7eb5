// Small files that other processes read while we write them: a reader sees the old text or the new one, never half.
// Everybody imports this module, so it imports nothing of ours.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

let counter = 0;

/** A name beside the file that nothing else has. */
function draftOf(file: string): string {
  counter += 1;
  return `${file}.${process.pid}.${counter}`;
}

/** Replaces a file in one step; `mode` holds for the new file. `durably` makes it outlive a crash of the machine. */
export function writeFileAtomically(file: string, text: string, mode: number, durably: boolean): void {
  const fresh = draftOf(file);
  const descriptor = openSync(fresh, 'w', mode);
  try {
    writeSync(descriptor, text);
    if (durably) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}

/** Replaces a file in one step, without holding up the process, and makes the new one outlive a crash of the machine. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const fresh = draftOf(file);
  const handle = await open(fresh, 'w', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
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

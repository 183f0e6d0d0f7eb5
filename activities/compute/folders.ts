/** Work folders: made fresh, measured while a tool fills them, removed whole whatever a tool has put there. */
import { chmod, lstat, mkdir, opendir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes below a folder, symbolic links not followed; counting ends once the sum is over `enough`. What vanishes
 * meanwhile counts nothing.
 */
export async function folderBytes(folder: string, enough: number): Promise<number> {
  let sum = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && sum <= enough; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else sum += (await lstat(path)).size;
      }
    } catch {
      // Removed while it was looked at.
    }
  }
  return sum;
}

/** Makes an empty folder for one task, with its output folder. */
export async function makeTaskFolder(folder: string): Promise<void> {
  await mkdir(join(folder, 'out'), { recursive: true });
}

/** Removes a folder and everything in it; nothing there is no error. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A tool may have taken the write permission from its folders.
    await openUp(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(folder, entry.name));
  }
}

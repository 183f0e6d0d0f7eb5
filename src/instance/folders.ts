/** Work folders of tools: made empty, measured while a tool writes, removed whole whatever the tool has put there. */
import { chmod, lstat, mkdir, opendir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** How much is in a folder: entries of every kind, and bytes of the entries that are no folders. */
export interface FolderUse {
  readonly bytes: number;
  readonly entries: number;
}

/**
 * Measures a folder without following symbolic links. Counting ends once one of the sums is over its bound in `enough`.
 * A file that is removed while the folder is measured counts nothing.
 */
export async function folderUse(folder: string, enough: FolderUse): Promise<FolderUse> {
  let bytes = 0;
  let entries = 0;
  const isEnough = (): boolean => bytes > enough.bytes || entries > enough.entries;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && !isEnough(); next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        entries += 1;
        const path = join(next, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else bytes += (await lstat(path)).size;
        // One folder may hold any number of files.
        if (isEnough()) break;
      }
    } catch {
      // The folder or file was removed while the folder was measured.
    }
  }
  return { bytes, entries };
}

/** Makes an empty folder for one task, with its output folder. */
export async function makeTaskFolder(folder: string): Promise<void> {
  await mkdir(join(folder, 'out'), { recursive: true });
}

/** Removes a folder and everything in the folder; a folder that does not exist is no error. */
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

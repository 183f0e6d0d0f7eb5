/** Looks at what a tool writes while it runs. */
import { folderUse } from './folders.ts';
import type { FolderUse } from './folders.ts';

/** Between the end of one look and the next, so that a folder with many files is never looked at twice at once. */
const PAUSE_MS = 1000;

/**
 * Looks at a folder again and again, one look at a time, until there is too much in it, which is told once.
 * Returns what ends the watch.
 */
export function watchDisk(folder: string, most: FolderUse, onOver: (used: FolderUse) => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const used = await folderUse(folder, most);
    if (isOver) return;
    if (used.bytes > most.bytes || used.entries > most.entries) onOver(used);
    else wait();
  };
  const wait = (): void => {
    timer = setTimeout(() => void look(), PAUSE_MS);
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Measures the work folder of a tool while the tool runs. */
import { folderUse } from './folders.ts';
import type { FolderUse } from './folders.ts';

/** The pause after each measurement, so that a folder with many files is never measured twice at once. */
const PAUSE_MS = 1000;

/**
 * Measures a folder again and again until the folder holds more than `most`; then `onOver` is called once.
 * Returns a function that ends the watch.
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

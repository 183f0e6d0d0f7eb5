/**
 * Files by which an instance and its machine exchange signs: the machine writes the notice that it is to be taken away, and the
 * worker gives a sign of life each time the gateway has answered. The instance trusts neither clock: a notice counts from when it
 * is seen, and the machine looks for changes of the sign alone.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

const LOOK_MS = 500;

/** Calls once when the notice is there; the function that is answered ends the watch. */
export function watchNotice(file: string, onNotice: () => void, lookMs = LOOK_MS): () => void {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    onNotice();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Gives the sign of life; an error is told, because a machine without a sign powers itself off. */
export function createSignOfLife(file: string, onFault: (error: unknown) => void): () => void {
  let count = 0;
  return () => {
    count += 1;
    void writeFile(file, `${String(count)}\n`).catch(onFault);
  };
}

/** An upload while it goes on: a bar on a terminal; elsewhere a line for every tenth, so that a log stays short. */
import type { UploadProgress } from '../client/index.ts';
import { printable } from './table.ts';
import type { Screen } from './terminal.ts';

/** Shows an upload. */
export interface UploadBar {
  readonly show: (progress: UploadProgress) => void;
  /** Ends the bar with the result of the upload; null when the result is printed elsewhere. */
  readonly end: (outcome: string | null) => void;
}

const BAR_WIDTH = 24;
const TENTHS = 10;
const NAME_WIDTH = 32;
const CLEAR_LINE = '\r\u001B[2K';

/** Makes the bar of one file or folder. */
export function createUploadBar(screen: Screen, name: string): UploadBar {
  const shown = shorten(printable(name));
  let tenth = 0;
  let isDrawn = false;
  return {
    show(progress) {
      if (screen.isTTY) {
        isDrawn = true;
        const line = `${shown}  ${barOf(progress)} ${progressText(progress)}`;
        screen.write(`${CLEAR_LINE}${line.slice(0, Math.max(20, screen.columns - 1))}`);
        return;
      }
      const reached = Math.floor(shareOf(progress) * TENTHS);
      if (reached > tenth && reached < TENTHS) screen.write(`${shown}  ${progressText(progress)}\n`);
      tenth = Math.max(tenth, reached);
    },
    end(outcome) {
      if (isDrawn) screen.write(outcome === null ? '\n' : CLEAR_LINE);
      if (outcome !== null) screen.write(`${shown}  ${outcome}\n`);
    },
  };
}

/** How far an upload is, in words. */
export function progressText(progress: UploadProgress): string {
  const percent = `${Math.floor(shareOf(progress) * 100)} %`;
  const bytes = `${bytesText(progress.doneBytes)} of ${bytesText(progress.totalBytes)}`;
  if (progress.phase === 'verifying') return `${percent}  ${bytes}  the service verifies the file`;
  const rate = `${bytesText(progress.bytesPerSecond)}/s`;
  const left = progress.secondsLeft === null ? '' : `  ${secondsText(progress.secondsLeft)} left`;
  return `${percent}  ${bytes}  ${rate}${left}`;
}

/** Bytes in the unit that people read. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? Math.round(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`;
}

/** A time in the two units that matter. */
export function secondsText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function shareOf({ doneBytes, totalBytes }: UploadProgress): number {
  return totalBytes === 0 ? 1 : doneBytes / totalBytes;
}

function barOf(progress: UploadProgress): string {
  const filled = Math.round(Math.min(1, Math.max(0, shareOf(progress))) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

/** A long name keeps its end, where versions and extensions are. */
function shorten(name: string): string {
  return name.length <= NAME_WIDTH ? name : `…${name.slice(1 - NAME_WIDTH)}`;
}

/**
 * A job while it goes on: a bar and the best ligands so far, drawn over and over on a terminal; a line for each change
 * anywhere else. It is progress, so it never goes to standard output.
 */
import type { JobStatusResponse } from '../../client/types.ts';
import { printable } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { progressText, stateText } from './job-text.ts';
import type { RankedLigand } from './ranking.ts';

/** Shows a job as it goes on. */
export interface JobDisplay {
  show(status: JobStatusResponse, ranking: readonly RankedLigand[]): void;
  /** Leaves what was drawn last standing, so that text may follow. */
  end(): void;
}

/** How a display differs from that of `watch`. */
export interface DisplayOptions {
  /** Put before each line. */
  readonly indent?: string;
}

const BEST_SHOWN = 10;
const BAR_WIDTH = 24;
/** Lines that are not a terminal's come at most this often, in percent. */
const LINE_STEP_PERCENT = 10;
/** Up so many lines, then everything below away. */
const upAndClear = (lines: number): string => (lines === 0 ? '' : `\u001B[${lines}A\u001B[0J`);

/** Makes the display for a screen. */
export function createJobDisplay(screen: Screen, { indent = '' }: DisplayOptions = {}): JobDisplay {
  return screen.isTTY ? createDrawing(screen, indent) : createLines(screen, indent);
}

function createDrawing(screen: Screen, indent: string): JobDisplay {
  let drawn = 0;
  let state = '';
  return {
    show(status, ranking) {
      const lines = [`${indent}${barOf(status)} ${progressText(status)}`, ...bestLines(ranking, indent)];
      const now = stateText(status);
      // States stay on the screen; the rest is drawn over.
      const change = now === state ? '' : `${indent}${now}\n`;
      state = now;
      const text = lines.map((line) => `${line.slice(0, Math.max(20, screen.columns - 1))}\n`).join('');
      screen.write(`${upAndClear(drawn)}${change}${text}`);
      drawn = lines.length;
    },
    end: () => (drawn = 0),
  };
}

function createLines(screen: Screen, indent: string): JobDisplay {
  let [state, step, best] = ['', -1, ''];
  return {
    show(status, ranking) {
      const now = stateText(status);
      if (now !== state) screen.write(`${indent}${now}\n`);
      state = now;
      const reached = Math.floor(status.progress.percent / LINE_STEP_PERCENT);
      if (reached !== step && status.progress.percent > 0) screen.write(`${indent}${progressText(status)}\n`);
      step = reached;
      const leader = ranking[0];
      if (leader === undefined || leader.ligandId === best) return;
      best = leader.ligandId;
      screen.write(
        `${indent}best so far: ${printable(best)} ${leader.bestAffinityKcalMol.toFixed(2)} kcal/mol\n`,
      );
    },
    end: () => undefined,
  };
}

function barOf({ progress }: JobStatusResponse): string {
  const filled = Math.round((Math.min(100, Math.max(0, progress.percent)) / 100) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

function bestLines(ranking: readonly RankedLigand[], indent: string): readonly string[] {
  const shown = ranking.slice(0, BEST_SHOWN);
  const lines = shown.map(
    ({ rank, ligandId, bestAffinityKcalMol }) =>
      `${indent}${String(rank).padStart(4)}  ${bestAffinityKcalMol.toFixed(2).padStart(7)}  ${printable(ligandId)}`,
  );
  const more = ranking.length - shown.length;
  return more > 0 ? [...lines, `${indent}      and ${more} more`] : lines;
}

/**
 * A job while it goes on: a bar and what is found so far, drawn over and over on a terminal; a line for each change
 * anywhere else. The display is progress, so it goes to standard error and never to standard output.
 */
import type { JobStatusResponse } from '../../client/types.ts';
import { printable } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { createNoticeLines, progressText, stateText } from './job-text.ts';
import type { Ranking } from './ranking.ts';

/** Shows a job as it goes on. */
export interface JobDisplay {
  show(status: JobStatusResponse, ranking: Ranking): void;
  /** Ends the drawing and leaves what was drawn last on the screen, so that other text may follow. */
  end(): void;
}

/** Settings in which a display differs from the display of `watch`. */
export interface DisplayOptions {
  /** Text before each line. */
  readonly indent?: string;
}

const BEST_SHOWN = 10;
const BAR_WIDTH = 24;
/** Without a terminal, a line is written each time the job has gone on by this many percent. */
const LINE_STEP_PERCENT = 10;
/** Moves the cursor up by a number of lines and clears everything below. */
const upAndClear = (lines: number): string => (lines === 0 ? '' : `\u001B[${lines}A\u001B[0J`);

/** Makes the display for a screen. */
export function createJobDisplay(screen: Screen, { indent = '' }: DisplayOptions = {}): JobDisplay {
  return screen.isTTY ? createDrawing(screen, indent) : createLines(screen, indent);
}

function createDrawing(screen: Screen, indent: string): JobDisplay {
  let drawn = 0;
  let state = '';
  const noticeLines = createNoticeLines();
  return {
    show(status, ranking) {
      const lines = [`${indent}${barOf(status)} ${progressText(status)}`, ...foundLines(ranking, indent)];
      const now = stateText(status);
      // Lines about states stay on the screen; the bar and the tasks are drawn over.
      const notices = noticeLines(status).map((line) => `${indent}${line}\n`);
      const change = `${notices.join('')}${now === state ? '' : changeText(status, now, indent)}`;
      state = now;
      const text = lines.map((line) => `${line.slice(0, Math.max(20, screen.columns - 1))}\n`).join('');
      screen.write(`${upAndClear(drawn)}${change}${text}`);
      drawn = lines.length;
    },
    end: () => (drawn = 0),
  };
}

function createLines(screen: Screen, indent: string): JobDisplay {
  let [state, step] = ['', -1];
  let told: string | null = null;
  const noticeLines = createNoticeLines();
  return {
    show(status, ranking) {
      for (const line of noticeLines(status)) screen.write(`${indent}${line}\n`);
      const now = stateText(status);
      if (now !== state) screen.write(changeText(status, now, indent));
      state = now;
      const reached = Math.floor(status.progress.percent / LINE_STEP_PERCENT);
      if (reached !== step && status.progress.percent > 0) screen.write(`${indent}${progressText(status)}\n`);
      step = reached;
      const { line } = ranking;
      if (line !== null && line !== told) screen.write(`${indent}${printable(line)}\n`);
      told = line;
    },
    end: () => undefined,
  };
}

/** The state that the job has now, and under a pause what to do. */
function changeText({ status, cost }: JobStatusResponse, now: string, indent: string): string {
  const { toFinishAdvice: advice } = cost;
  const next = status === 'PAUSED' && advice !== null ? `${indent}${printable(advice)}\n` : '';
  return `${indent}${now}\n${next}`;
}

function barOf({ progress }: JobStatusResponse): string {
  const filled = Math.round((Math.min(100, Math.max(0, progress.percent)) / 100) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

/** The best of a ranking, else what is found in one line. */
function foundLines({ line, view, tasks }: Ranking, indent: string): readonly string[] {
  if (view === null) return line === null ? [] : [`${indent}${printable(line)}`];
  const shown = tasks.slice(0, BEST_SHOWN);
  const lines = shown.map(({ liveLine }) => `${indent}${printable(liveLine)}`);
  const more = tasks.length - shown.length;
  return more > 0 ? [...lines, `${indent}      and ${more} more`] : lines;
}

/** A job's progress: a bar that moves on a terminal, plain lines anywhere else. */
import { Presets, SingleBar } from 'cli-progress';

import type { JobStatusResponse } from '../../domain/responses.ts';

/** Shows a job as it goes on. */
export interface ProgressDisplay {
  show(status: JobStatusResponse): void;
  /** Prints a line without tearing the bar. */
  line(text: string): void;
  end(): void;
}

/** Lines that are not a terminal's come at most this often, in percent. */
const LINE_STEP_PERCENT = 10;

/** Makes the display for where errors go; lines between go to standard output. */
export function createProgressDisplay(
  screen: NodeJS.WriteStream,
  print: (line: string) => void,
): ProgressDisplay {
  return screen.isTTY ? createBar(screen, print) : createLines(screen, print);
}

function createBar(screen: NodeJS.WriteStream, print: (line: string) => void): ProgressDisplay {
  const format = '   {bar} {value}/{total} tasks · {running} running · {state} · {duration_formatted}';
  const bar = new SingleBar(
    { stream: screen, format, hideCursor: true, clearOnComplete: false },
    Presets.shades_grey,
  );
  let isShown = false;
  let last: JobStatusResponse | null = null;
  const draw = ({ progress, status }: JobStatusResponse): void => {
    const payload = { running: progress.running, state: status };
    const done = progress.completed + progress.failed;
    if (isShown) bar.update(done, payload);
    else bar.start(progress.total, done, payload);
    isShown = true;
  };
  const hide = (): void => {
    if (!isShown) return;
    bar.stop();
    isShown = false;
  };
  return {
    show(status) {
      last = status;
      draw(status);
    },
    line(text) {
      // The bar's line is overwritten by the text and drawn again below it.
      if (isShown) screen.write('\r\u001B[2K');
      print(text);
      if (last !== null && isShown) draw(last);
    },
    end: hide,
  };
}

function createLines(screen: NodeJS.WriteStream, print: (line: string) => void): ProgressDisplay {
  let shown = -1;
  return {
    show({ progress }) {
      const step = Math.floor(progress.percent / LINE_STEP_PERCENT);
      if (step === shown) return;
      shown = step;
      const done = progress.completed + progress.failed;
      screen.write(`   ${done}/${progress.total} tasks, ${progress.running} running\n`);
    },
    line: print,
    end: () => undefined,
  };
}

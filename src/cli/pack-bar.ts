/** An install while it goes on: one live line on a terminal; elsewhere a line for every step and every tenth of one. */
import type { PackProgress } from '../packs/pack.ts';
import { printable } from './table.ts';
import type { Screen } from './terminal.ts';
import { bytesText } from './upload-bar.ts';

const CLEAR_LINE = '\r\u001B[2K';
const TENTHS = 10;
const BAR_WIDTH = 24;

/** Shows an install. */
export interface PackBar extends PackProgress {
  /** Takes the live line away. */
  end(): void;
}

/** Makes the bar of one pack. */
export function createPackBar(screen: Screen, title: string): PackBar {
  let label = '';
  let tenth = 0;
  let startedAt = performance.now();
  const draw = (more: string): void => {
    if (!screen.isTTY) return;
    const seconds = `${Math.round((performance.now() - startedAt) / 1000)} s`;
    const line = [`${title}: ${label}`, printable(more), seconds].filter((part) => part !== '').join('  ');
    screen.write(`${CLEAR_LINE}${line.slice(0, Math.max(20, screen.columns - 1))}`);
  };
  return {
    step(text) {
      label = printable(text);
      tenth = 0;
      startedAt = performance.now();
      if (screen.isTTY) draw('');
      else screen.write(`${title}: ${label}\n`);
    },
    bytes(done, total) {
      const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
      const text = total === null ? bytesText(done) : `${bytesText(done)} of ${bytesText(total)}`;
      if (screen.isTTY) {
        draw(total === null ? text : `${barOf(share)} ${Math.floor(share * 100)} %  ${text}`);
        return;
      }
      const reached = Math.floor(share * TENTHS);
      if (reached > tenth) screen.write(`${title}: ${label}  ${text}\n`);
      tenth = Math.max(tenth, reached);
    },
    detail: draw,
    end() {
      if (screen.isTTY) screen.write(CLEAR_LINE);
    },
  };
}

function barOf(share: number): string {
  const filled = Math.round(BAR_WIDTH * share);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

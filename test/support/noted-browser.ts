/** A browser for command lines that only notes what it is asked to open. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './until.ts';

/** The browser: the environment in which a command line finds it, and the page that it was asked to open. */
export interface NotedBrowser {
  readonly env: Readonly<Record<string, string>>;
  page(): Promise<URL>;
}

/** Makes one in a folder. */
export function notedBrowser(folder: string): NotedBrowser {
  const [program, note] = [join(folder, 'browser.sh'), join(folder, 'opened.txt')];
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${note}.new' && mv '${note}.new' '${note}'\n`, {
    mode: 0o755,
  });
  return {
    env: { BROWSER: program },
    async page() {
      await until('the browser', () => existsSync(note));
      return new URL(readFileSync(note, 'utf8'));
    },
  };
}

/** A generated page of the docs, as the formatter of the repository would leave it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The text as it is committed at this path of the repository. */
export function formattedPage(root: string, path: string, input: string): string {
  const formatter = [join(root, 'node_modules/oxfmt/bin/oxfmt'), `--stdin-filepath=${path}`];
  return execFileSync(process.execPath, formatter, { cwd: root, input, encoding: 'utf8' });
}

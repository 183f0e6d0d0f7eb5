// Writes `.env.example` from the settings that src/config.ts describes: `node scripts/env-example.ts`. A test fails
// when the committed file differs from what this prints (`--print` sends it to standard output instead).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfig } from '../src/config.ts';
import type { ConfigDescription } from '../src/config.ts';

const HEADER = `# Every setting of a process. Written by \`node scripts/env-example.ts\`; do not edit. Nothing reads this file: a setting
# is a variable in the environment of its process. The roles in brackets are the processes that read it; required ones
# stand without a value, the others behind a # with their default. \`npm start\` and \`npm run demo\` need none of them.
# The command line, the set-up and the benchmark have a few of their own: README.md, \`node scripts/setup.mjs --help\`.
`;

/** The text of `.env.example`. */
export function renderEnvExample(settings: readonly ConfigDescription[]): string {
  const entries = settings.map(({ name, roles, required, default: fallback, description }) => {
    const line = required ? `${name}=` : `#${name}=${fallback ?? ''}`;
    return `\n# ${description} [${roles.join(', ')}]${required ? ' Required.' : ''}\n${line}\n`;
  });
  return HEADER + entries.join('');
}

if (import.meta.main) {
  const text = renderEnvExample(describeConfig());
  if (process.argv.includes('--print')) process.stdout.write(text);
  else writeFileSync(join(import.meta.dirname, '..', '.env.example'), text);
}

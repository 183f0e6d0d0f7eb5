// Writes `.env.example` from the settings that src/config.ts describes: `node scripts/env-example.ts`. A test fails
// when the committed file differs from what this prints (`--print` sends it to standard output instead).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfig } from '../src/config.ts';
import type { ConfigDescription } from '../src/config.ts';

const HEADER = `# Every variable that Dockyard reads. Written by \`node scripts/env-example.ts\`; do not edit.
# \`npm start\` and \`npm run demo\` need none of them. The roles in brackets are the processes that read a variable;
# required ones stand without a value, the others behind a # with their default.
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

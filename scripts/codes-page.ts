// Writes docs/codes.md, the page of all codes, from the tables of the service and the tools; with --check it only compares, and
// fails when the committed page is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ALL_GROUPS, factsOfCode } from '../src/cli/customer/explain/codes.ts';
import type { CodeGroup } from '../src/domain/codes/code.ts';
import { formattedPage } from './lib/page.ts';

/** The page within the repository. */
export const CODES_PAGE = 'docs/codes.md';

const HEAD = `<!-- Written by \`npm run docs:codes\` from the tables of the service and its tools. Do not edit. -->

# Codes

Every code that an answer of the API, a job, the client or the command line can carry: what it means, and _what to do_. \`dockyard explain CODE\`
says the same on the command line. Clients decide by the code, never by the message, and treat codes that they do not know
generically: new ones may be added at any time. A code belongs to every job unless its group names a simulator.
`;

/** The text of the page. */
export function renderCodesPage(root: string): string {
  return formattedPage(root, CODES_PAGE, [HEAD, ...ALL_GROUPS.map(sectionOf)].join('\n'));
}

function sectionOf({ title, tool, note, codes }: CodeGroup): string {
  const lines = Object.keys(codes).map(lineOf);
  const owner = tool === null ? '' : `Simulator \`${tool}\`. `;
  return `## ${title}\n\n${owner}${note.replaceAll('_', '\\_')}\n\n${lines.join('\n')}\n`;
}

function lineOf(code: string): string {
  const facts = factsOfCode(code);
  if (facts === null) throw new Error(`${code} is in no table`);
  const { meaning, advice, toolAdvice, status, retryable } = facts;
  const answer = status === null ? '' : ` (${status}${retryable === true ? ', may be repeated' : ''})`;
  const escaped = (text: string): string => text.replaceAll(/[_*<]/g, '\\$&');
  const more = Object.entries(toolAdvice).map(([tool, own]) => ` With \`${tool}\`: _${escaped(own)}_`);
  return `- \`${code}\`${answer}: ${escaped(meaning)} _${escaped(advice)}_${more.join('')}`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const file = join(root, CODES_PAGE);
  const text = renderCodesPage(root);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    console.log(`${CODES_PAGE} written`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${CODES_PAGE} is out of date. Run: npm run docs:codes`);
    process.exitCode = 1;
  }
}

// Writes docs/settings.md, the page of all settings, from the tables in src/config. A test fails when the committed page is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeConfig, describeTuning } from '../src/config.ts';
import type { ConfigDescription } from '../src/config.ts';
import { TUNING_VARIABLE } from '../src/config/tuning.ts';
import { formattedPage } from './lib/page.ts';

/** The page within the repository. */
export const SETTINGS_PAGE = 'docs/settings.md';

const HEAD = `<!-- Written by \`npm run docs:settings\` from src/config. Do not edit. -->

# Settings

Every variable of the environment that a process reads. Whoever deploys begins with \`deploy/production.env.example\`, which has the
sixty that an installation may need; \`npm start\` and \`npm run demo\` need none. A process reads the settings of its role alone, at its
start, and does not start with a wrong one. The command line, the set-up and the benchmark have a few of their own: README.md,
\`node scripts/setup.mjs --help\`.
`;

/** The sections of the page, and which variables stand in each; the first that takes a variable has it. */
const SECTIONS: readonly (readonly [title: string, takes: RegExp])[] = [
  ['Only for tests', /_TEST_TOOLS|VALIDATE_ANSWERS|STRIPE_API_URL|EC2_ENDPOINT|COMPUTE_MODE|SPOT_PLACES/],
  ['Temporal', /TEMPORAL|CODEC|BUILD|DEPLOYMENT_NAME/],
  ['Database and object store', /DATABASE|STORAGE/],
  ['Payments', /STRIPE|FX_URL/],
  ['Where jobs run', /EC2|INSTANCE|CAPACITY|PROVIDER|COMPUTE|GATEWAY|MACHINE|SCIENCE|CCD|TUNING|STRUCTURES/],
  ['Watching', /OTEL|TRACES|LOG_LEVEL|HEALTH/],
  ['The service', /./],
];

/** The text of the page. */
export function renderSettingsPage(root: string): string {
  const required = describeConfig().filter((setting) => setting.required);
  const sections = SECTIONS.map(([title, takes]): readonly [string, ConfigDescription[]] => [
    title,
    describeConfig().filter(
      (setting) => !setting.required && SECTIONS.find(([, each]) => each.test(setting.name))?.[1] === takes,
    ),
  ]);
  const inOrder = [['Required', required] as const, ...sections.toReversed()];
  const profile = `## The profile of leases: ${TUNING_VARIABLE}

Leases, pauses and bounds of work under way, as one JSON object of those that differ from production's: \`${TUNING_VARIABLE}={"giveUpSeconds":120}\`. Every
process of an installation gets the same profile. Nobody needs it to begin with; docs/operations.md says when which one is raised.

${tableOf(describeTuning())}`;
  const tables = inOrder.map(([title, settings]) => `## ${title}\n\n${tableOf(settings)}`);
  return formattedPage(root, SETTINGS_PAGE, [HEAD, ...tables, profile].join('\n'));
}

function tableOf(settings: readonly ConfigDescription[]): string {
  const rows = settings.map(
    ({ name, roles, default: fallback, description }) =>
      `| \`${name}\` | ${fallback === null || fallback === '' ? '' : `\`${fallback}\``} | ${roles.join(', ')} | ${description.replaceAll(/[|<*_]/g, '\\$&')} |`,
  );
  return `| setting | default | read by | what it is for |\n|-|-|-|-|\n${rows.join('\n')}\n`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  writeFileSync(join(root, SETTINGS_PAGE), renderSettingsPage(root));
}

/** A tool is one folder and one line: outside the folder nothing in the product's code calls a tool by its name. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { TOOLS } from '../../src/tools/index.ts';

const SETUP = 'The set-up installs the Python side, which has no tool of its own yet.';
const SCORING = 'A function that scores poses is called as the tool that brought it.';
const INSPECTIONS = 'The service itself makes the jobs of the tools that inspect and convert.';
const LIGANDS =
  'The lookup of ligands is an endpoint beside docking, and uses its chemistry and its refusal.';
const DEMO = 'The demo tells of a docking.';

const SEARCHES = 'Two tools share the folder, and its words tell one from the other.';

/** The files that may name a tool, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/tools/index.ts': 'The one line.',
  'src/tools/commands.ts': 'A line for a tool with a command, so that help needs no tools.',
  'src/tools/blast/codes.ts': SEARCHES,
  'src/tools/blast/command.ts': SEARCHES,
  'src/tools/blast/fasta.ts': SEARCHES,
  'src/tools/blast/pack.ts': SEARCHES,
  'src/tools/waves/command.ts': 'One command runs cases of either wave model.',
  'src/domain/simulators.ts': 'The contract’s own list of simulators, whether or not there is a tool.',
  'src/domain/requests.ts': SCORING,
  'api/docking/schemas.ts': SCORING,
  'api/jobs/job-fields.ts':
    'The contract names the engines of molecular renders, one of which is an engine of films, too.',
  'src/client/api-types.ts': 'Generated from the API document.',
  'src/services/inspections/inspect.ts': INSPECTIONS,
  'src/services/inspections/records.ts': INSPECTIONS,
  'src/services/inspections/convert.ts': INSPECTIONS,
  'api/receptors/routes.ts': INSPECTIONS,
  'api/convert/routes.ts': INSPECTIONS,
  'src/services/ligands/confirmation.ts': LIGANDS,
  'src/bin/process/ligand-services.ts': LIGANDS,
  'src/cli/customer/inspection-text.ts':
    'An inspection says which other program, fpocket-rs, ranks its pockets.',
  'src/cli/demo/story.ts': DEMO,
  'src/cli/demo/report.ts': DEMO,
  'src/config/settings.ts':
    'A setting names the lock of the Python packages, which is in the folder of a tool.',
  'scripts/history/docking-cases.ts': 'Histories of docking are recorded.',
  'scripts/lib/science.mjs': SETUP,
  'scripts/mutations/product.ts': 'Planted changes are in files of tools, too.',
  'scripts/test-plan.ts': 'The plan of the test runner says which suites share one stack.',
  'scripts/test.ts': 'The usage of the test runner says what the long dockings are compared with.',
};

const FOLDERS = ['src', 'api', 'workflows', 'activities', 'entities', 'migrations', 'scripts'];

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...FOLDERS], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|mjs|cjs|sql)$/.test(path));

/** The names by which a text could mean a tool: its id, its aliases and its title. */
const names = TOOLS.flatMap(({ about }) => [about.id, ...about.aliases, about.title]);
const pattern = new RegExp(`(?<![a-z0-9])(?:${names.join('|')})(?![a-z0-9])`, 'i');

describe('the name of a tool', () => {
  it('stands in no file outside folders of tools but those that are listed with a reason', () => {
    const naming = files.filter(
      (path) =>
        !TOOLS.some(({ about }) => path.startsWith(`src/tools/${about.id}/`)) &&
        pattern.test(readFileSync(join(repositoryRoot, path), 'utf8')),
    );
    expect(files.length).to.be.greaterThan(300);
    expect(naming.filter((path) => EXCEPTIONS[path] === undefined)).to.deep.equal([]);
    const needless = Object.keys(EXCEPTIONS).filter((path) => !naming.includes(path));
    expect(needless, 'an exception that is not needed any more').to.deep.equal([]);
  });

  it('is the name of its folder, of its tests’ folder and of its page', () => {
    const index = readFileSync(join(repositoryRoot, 'docs/tools/README.md'), 'utf8');
    for (const { about } of TOOLS) {
      expect(files).to.include(`src/tools/${about.id}/index.ts`);
      expect(about.docsPage).to.equal(`docs/tools/${about.id}.md`);
      const page = readFileSync(join(repositoryRoot, about.docsPage), 'utf8');
      expect(page.startsWith(`# ${about.title}\n\n${about.summary}\n`), about.id).to.equal(true);
      expect(index).to.contain(`[${about.title}](${about.id}.md)`);
    }
    expect(index.match(/\]\([a-z0-9-]+\.md\)/g)).to.have.length(TOOLS.length);
  });

  it('has no kin in execution, which plans, commits, reuses and settles without a word of what tasks compute', () => {
    const rooms = /^src\/services\/execution\/((plan|commit|reuse|settle)\/|recorder|stop)/;
    const known = files.filter((file) => rooms.test(file) && file.endsWith('.ts'));
    expect(known).to.have.length.above(15);
    // The manifest names the item of each output as the contract has it.
    const words = known.filter(
      (file) =>
        file !== 'src/services/execution/settle/manifest-text.ts' &&
        /docking|ligand/i.test(readFileSync(join(repositoryRoot, file), 'utf8')),
    );
    expect(words).to.deep.equal([]);
  });
});

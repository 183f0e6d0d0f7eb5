// What `npm test` consists of: static checks, then mocha suites from quick to slow. Adding a check or a suite is one
// entry here; scripts/test.ts knows only how to run and to count them. The Python side is in test-science.ts.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the checkout. */
export const repositoryRoot = join(import.meta.dirname, '..');

/** A command that passes or fails as a whole and counts as one. */
export interface Check {
  readonly name: string;
  /** The program; Node when not given. */
  readonly program?: string;
  /** Its arguments; for Node the entry file first, relative to the root. */
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A mocha process over a list of test files. */
export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  /** A suite that takes longer hangs, and is ended as failed. */
  readonly limitSeconds: number;
  /** Whether it may share the machine with the checks: it starts no servers and times nothing. */
  readonly isLight: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

const SOURCE_FOLDERS = [
  'api',
  'workflows',
  'activities',
  'entities',
  'migrations',
  'src',
  'scripts',
  'bench',
];

/** Static checks in the order in which their findings help most. */
export function listChecks(): Check[] {
  const modules = 'node_modules';
  const folders = SOURCE_FOLDERS.filter((folder) => existsSync(join(repositoryRoot, folder)));
  const checks: Check[] = [
    {
      name: 'typecheck',
      arguments: [
        `${modules}/typescript/bin/tsc`,
        ...[
          '--noEmit',
          '-p',
          'tsconfig.json',
          '--incremental',
          '--tsBuildInfoFile',
          '.cache/tsc.tsbuildinfo',
        ],
      ],
    },
    { name: 'lint', arguments: [`${modules}/eslint/bin/eslint.js`, '--max-warnings', '0', '.'] },
    {
      name: 'format',
      arguments: [
        `${modules}/prettier/bin/prettier.cjs`,
        ...['--check', '--log-level', 'warn', '--cache', '--cache-location', '.cache/prettier', '.'],
      ],
    },
    {
      name: 'boundaries',
      arguments: [
        `${modules}/dependency-cruiser/bin/dependency-cruise.mjs`,
        ...['--config', '.dependency-cruiser.cjs', ...folders],
      ],
    },
  ];
  if (existsSync(join(repositoryRoot, 'scripts/openapi.ts'))) {
    checks.push({ name: 'openapi', arguments: ['scripts/openapi.ts', '--check'] });
    checks.push({ name: 'codes', arguments: ['scripts/codes-page.ts', '--check'] });
  }
  return checks;
}

interface SuiteFolders {
  readonly name: string;
  readonly folders: readonly string[];
  readonly limitSeconds: number;
  readonly isLight: boolean;
}

const SUITES: readonly SuiteFolders[] = [
  { name: 'unit', folders: ['test/unit', 'test/architecture'], limitSeconds: 300, isLight: true },
  { name: 'replay', folders: ['test/replay'], limitSeconds: 300, isLight: true },
  {
    name: 'integration',
    folders: ['test/api', 'test/services', 'test/activities', 'test/workflows', 'test/integration'],
    limitSeconds: 2400,
    isLight: false,
  },
  { name: 'faults', folders: ['test/faults'], limitSeconds: 2400, isLight: false },
];

const FULL_FAULTS_LIMIT_SECONDS = 3 * 3600;
const LONG_DOCKINGS_LIMIT_SECONDS = 2 * 3600;

/** Names that `--only` takes. */
export const stageNames: readonly string[] = ['checks', 'science', ...SUITES.map(({ name }) => name)];

/** The suites in order, each with the files it has now; one without files is left out. */
export function listSuites(): Suite[] {
  return SUITES.map(({ folders, ...suite }) => ({
    ...suite,
    files: folders.flatMap(testFilesIn),
    environment: {},
  })).filter(({ files }) => files.length > 0);
}

/** The faults with the times of production instead of the scaled ones. */
export function listFullFaults(): Suite[] {
  return listSuites()
    .filter(({ name }) => name === 'faults')
    .map((suite) => ({
      ...suite,
      limitSeconds: FULL_FAULTS_LIMIT_SECONDS,
      environment: { DOCKYARD_FAULTS: 'full' },
    }));
}

/** Whole dockings of deposited complexes, minutes each; `npm test` has the quick ones. */
export function listLongDockings(): Suite[] {
  const files = testFilesIn('test/docking');
  return [
    { name: 'docking', files, limitSeconds: LONG_DOCKINGS_LIMIT_SECONDS, isLight: false, environment: {} },
  ];
}

/** A suite of the files a developer named. */
export function suiteOf(files: readonly string[]): Suite {
  return { name: 'files', files, limitSeconds: FULL_FAULTS_LIMIT_SECONDS, isLight: false, environment: {} };
}

function testFilesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { cwd: repositoryRoot }).sort();
}

// Parts of `npm test`: static checks and mocha suites. Adding a check or a suite is one entry here; scripts/test.ts knows only
// how to run and to count them. The Python side is in test-science.ts.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the checkout. */
export const repositoryRoot = join(import.meta.dirname, '..');

/** A command that passes or fails. */
export interface Check {
  readonly name: string;
  /** The program; Node when not given. */
  readonly program?: string;
  /** Its arguments; for Node the entry file first, relative to the root. */
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Suites that may run beside a suite. `any`: the tests time nothing. `steady`: the tests wait for leases and time-outs, so only
 * suites of `any` run beside them, at a lower priority. `none`: the tests compare times, so nothing runs beside them.
 */
export type Company = 'any' | 'steady' | 'none';

/** A mocha process over a list of test files. */
export interface Suite {
  readonly name: string;
  /** The name that `--only` takes; several suites may share one stage. */
  readonly stage: string;
  readonly files: readonly string[];
  /** A suite that takes longer hangs, and is ended as failed. */
  readonly limitSeconds: number;
  readonly company: Company;
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
  'web/src',
];

/** The linter of the API document neither asks for a newer version of itself nor tells of its use. */
const OFFLINE_LINT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Static checks in the order in which their findings help most. */
export function listChecks(): Check[] {
  const modules = 'node_modules';
  const folders = SOURCE_FOLDERS.filter((folder) => existsSync(join(repositoryRoot, folder)));
  const checks: Check[] = [
    { name: 'types and lint', arguments: [`${modules}/oxlint/bin/oxlint`] },
    {
      name: 'types and lint of the web app',
      arguments: [`${modules}/oxlint/bin/oxlint`, '-c', 'web/oxlint.json', 'web'],
    },
    { name: 'format', arguments: [`${modules}/oxfmt/bin/oxfmt`, '--check', '.'] },
    {
      name: 'boundaries',
      arguments: [
        `${modules}/dependency-cruiser/bin/dependency-cruise.mjs`,
        '--config',
        '.dependency-cruiser.cjs',
        ...folders,
      ],
    },
  ];
  if (existsSync(join(repositoryRoot, 'scripts/openapi.ts'))) {
    checks.push({ name: 'openapi', arguments: ['scripts/openapi.ts', '--check'] });
    checks.push({ name: 'codes', arguments: ['scripts/codes-page.ts', '--check'] });
    checks.push({ name: 'v1 rules', arguments: ['scripts/compatibility.ts'] });
    checks.push({
      name: 'document lint',
      arguments: [`${modules}/@redocly/cli/bin/cli.js`, 'lint', 'docs/openapi.json'],
      environment: OFFLINE_LINT,
    });
  }
  return checks;
}

interface SuiteFiles {
  readonly name: string;
  readonly stage: string;
  /** Patterns of files; a file belongs to the first suite that names it. */
  readonly patterns: readonly string[];
  readonly limitSeconds: number;
  readonly company: Company;
  /** Only `npm run test:faults` runs the suite, because it takes minutes or compares times with a bound. */
  readonly isLong?: true;
}

const UNIT = { stage: 'unit', limitSeconds: 1200, company: 'any' } as const;
const INTEGRATION = { stage: 'integration', limitSeconds: 2400 } as const;
/** The services of money, a suite of their own: in one with the others they would run on when every other suite has ended. */
const MONEY =
  'auto-topup|bill*|credits|disputes|fx-rates|ledger*|oper*|payment*|plans|reconciliation|refunds|statements|stripe*|subscription*|topups';

/**
 * Suites in the order in which the lanes take them: long ones of `any` first, quick ones of `steady`. The files of a suite share stacks,
 * which cost something as long as the suite runs, so what needs none is in a suite of its own.
 */
const SUITES: readonly SuiteFiles[] = [
  {
    ...INTEGRATION,
    name: 'long',
    patterns: [
      'test/workflows/job-size.test.ts',
      'test/integration/{allowance-year,docking-native,ec2-sim,payload-codec,tracing}.test.ts',
      'test/integration/{storage-azure-stack,temporal-tls,uploads-stuck}.test.ts',
    ],
    company: 'steady',
    isLong: true,
  },
  {
    ...INTEGRATION,
    name: 'api',
    patterns: [
      'test/api/!(contract|dependencies-away|readiness|refused-by-limit|submit-unavailable).test.ts',
    ],
    company: 'any',
  },
  { ...INTEGRATION, name: 'web', patterns: ['test/web/**/*.test.ts'], company: 'any' },
  {
    ...INTEGRATION,
    name: 'tools',
    patterns: [
      'test/integration/{docking-batches,docking-refusals,inspections,conversions,cli*,fpocket,searches*,swan,wavewatch3}.test.ts',
      'test/integration/{ec2-provider,ec2-refusals,operator-maintenance,receipts,upload-cli}.test.ts',
    ],
    company: 'any',
  },
  {
    ...INTEGRATION,
    name: 'services',
    patterns: [`test/services/!(${MONEY}).test.ts`, 'test/{activities,instance}/**/*.test.ts'],
    company: 'any',
  },
  { ...INTEGRATION, name: 'money', patterns: [`test/services/@(${MONEY}).test.ts`], company: 'any' },
  {
    ...UNIT,
    name: 'pauses',
    patterns: ['test/unit/tools/heavy-outputs.test.ts'],
    company: 'none',
    isLong: true,
  },
  { ...UNIT, name: 'fetched tools', patterns: ['test/unit/stack/go-wheel.test.ts'], isLong: true },
  {
    ...UNIT,
    name: 'unit',
    patterns: ['unit', 'tools', 'architecture'].map((name) => `test/${name}/**/*.test.ts`),
  },
  {
    ...INTEGRATION,
    name: 'docking',
    patterns: ['test/integration/docking{,-experiments,-libraries}.test.ts'],
    company: 'any',
  },
  { ...INTEGRATION, name: 'contract', patterns: ['test/api/contract.test.ts'], company: 'any' },
  {
    ...INTEGRATION,
    name: 'stores',
    patterns: ['test/integration/{storage*,toy-tool}.test.ts'],
    company: 'any',
  },
  { ...UNIT, name: 'replay', stage: 'replay', patterns: ['test/replay/**/*.test.ts'] },
  {
    ...INTEGRATION,
    name: 'limits',
    patterns: ['test/integration/shared-limits.test.ts'],
    company: 'none',
  },
  { ...INTEGRATION, name: 'workflows', patterns: ['test/workflows/**/*.test.ts'], company: 'steady' },
  {
    ...INTEGRATION,
    name: 'integration',
    patterns: ['api', 'integration'].map((name) => `test/${name}/**/*.test.ts`),
    company: 'steady',
  },
  {
    name: 'fairness',
    stage: 'faults',
    patterns: ['test/faults/one-account.test.ts'],
    limitSeconds: 600,
    company: 'none',
    isLong: true,
  },
  {
    name: 'long faults',
    stage: 'faults',
    patterns: [
      'test/faults/{admission,alerts,bearers,builds,dead-ends,ec2,limits,log-ids,losses}.test.ts',
      'test/faults/{lying-instances,measured-prices,merge,projects,render,seats,spot,swan,taken-up}.test.ts',
      'test/faults/{topups,two-stacks,upload-client,wavewatch3}.test.ts',
    ],
    limitSeconds: 2400,
    company: 'steady',
    isLong: true,
  },
  {
    name: 'faults',
    stage: 'faults',
    patterns: ['test/faults/**/*.test.ts'],
    limitSeconds: 2400,
    company: 'steady',
  },
];

const FULL_FAULTS_LIMIT_SECONDS = 3 * 3600;
const LONG_DOCKINGS_LIMIT_SECONDS = 2 * 3600;

/** Names that `--only` takes. */
export const stageNames: readonly string[] = [
  ...new Set(['checks', 'science', ...SUITES.map(({ stage }) => stage)]),
];

/** The suites of `npm test` in order, each with the files it has now; one without files is left out. */
export function listSuites(): Suite[] {
  return filled().filter(({ isLong }) => isLong !== true);
}

function filled(): (Suite & Pick<SuiteFiles, 'isLong'>)[] {
  const taken = new Set<string>();
  return SUITES.map(({ patterns, ...suite }) => {
    const files = testFiles(patterns).filter((file) => !taken.has(file));
    for (const file of files) taken.add(file);
    return { ...suite, files, environment: {} };
  }).filter(({ files }) => files.length > 0);
}

/** Tells the tests of a process that the long ones among them run, too (`test/support/long.ts`). */
const WITH_LONG_TESTS = { DOCKYARD_LONG: '1' };

/**
 * The long suites, the files of others that have long tests, the faults with the times of production instead of the scaled ones, and what
 * kills and loses at random for long, which has the scaled times, because more is lost in an hour with them.
 */
export function listFullFaults(): Suite[] {
  const faults = filled()
    .map((suite) => {
      const isWhole = suite.stage === 'faults' || suite.isLong === true;
      return isWhole ? suite : { ...suite, files: suite.files.filter(hasLongTests) };
    })
    .filter(({ files }) => files.length > 0)
    .map((suite) => ({
      ...suite,
      limitSeconds: FULL_FAULTS_LIMIT_SECONDS,
      environment: { DOCKYARD_FAULTS: 'full', ...WITH_LONG_TESTS },
    }));
  const files = testFiles(['test/endurance/**/*.test.ts']);
  const limitSeconds = FULL_FAULTS_LIMIT_SECONDS;
  const environment = WITH_LONG_TESTS;
  const endurance = { name: 'endurance', stage: 'endurance', files, limitSeconds, environment };
  return [...faults, { ...endurance, company: 'steady' }];
}

/**
 * The tests that run the programs of packs, with their long ones. A pack that is not found is named with the reason, and its tests are
 * counted as not run; `npm test` has the short ones.
 */
export function listToolSuites(): Suite[] {
  const files = testFiles(['test/{faults,integration,tools}/**/*.test.ts']).filter((file) =>
    imports(file, '/support/real-packs.ts'),
  );
  const limitSeconds = FULL_FAULTS_LIMIT_SECONDS;
  const environment = WITH_LONG_TESTS;
  return [{ name: 'programs', stage: 'programs', files, limitSeconds, company: 'steady', environment }];
}

/** Whole dockings of deposited complexes, minutes each; `npm test` has the quick ones. */
export function listLongDockings(): Suite[] {
  const files = testFiles(['test/docking/**/*.test.ts']);
  const limitSeconds = LONG_DOCKINGS_LIMIT_SECONDS;
  return [{ name: 'docking', stage: 'docking', files, limitSeconds, company: 'steady', environment: {} }];
}

/** A suite of the files a developer named, with their long tests. */
export function suiteOf(files: readonly string[]): Suite {
  const limitSeconds = FULL_FAULTS_LIMIT_SECONDS;
  return {
    name: 'files',
    stage: 'files',
    files,
    limitSeconds,
    company: 'steady',
    environment: WITH_LONG_TESTS,
  };
}

/** Whether a file has tests that the long runs alone have; such a file says so by what it imports. */
function hasLongTests(file: string): boolean {
  return imports(file, '/support/long.ts');
}

function imports(file: string, module: string): boolean {
  return readFileSync(join(repositoryRoot, file), 'utf8').includes(`${module}'`);
}

function testFiles(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: repositoryRoot }).sort();
}

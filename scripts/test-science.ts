// The Python side of `npm test`: ruff and mypy count as one each, pytest by its cases. All of them run from the environment
// that the set-up makes for tests, laid over the one that production uses.
import { globSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { findTool } from '../src/stack/tools.ts';
import { repositoryRoot } from './test-plan.ts';
import type { Check } from './test-plan.ts';
import { runCheck, runCounted } from './test-process.ts';
import type { Outcome } from './test-process.ts';

const PYTEST_LIMIT_SECONDS = 1800;
// The panels of whole dockings take half an hour of processor by themselves.
const LONG_PYTEST_LIMIT_SECONDS = 3600;
const CONFIGURATION = 'science/pyproject.toml';
const PACKAGES = 'science/*/src/*';
const PYTEST_FILES = 'science/*/tests/**/test_*.py';

/** Runs one tool of the Python side. */
export type ScienceRun = () => Promise<Outcome>;

/**
 * The runs in the order in which their findings help most.
 * @throws ToolMissingError where the set-up has not made the environment of the tests.
 */
export function listScienceRuns(): ScienceRun[] {
  const { module, pytest } = runners('not long', PYTEST_LIMIT_SECONDS);
  const checked = ['science', 'test/contract', 'test/readers'];
  return [
    () => runCheck(module('ruff', 'ruff', 'check', '--quiet', '--output-format', 'concise', ...checked)),
    () => runCheck(module('ruff format', 'ruff', 'format', '--check', '--quiet', ...checked)),
    () => runCheck(module('mypy', 'mypy', '--config-file', CONFIGURATION, ...listed(PACKAGES))),
    ...listPytestParts().map(pytest),
  ];
}

/** Lists the Python runs of `npm run test:science` alone: the tests with the mark `long`. */
export function listLongScienceRuns(): ScienceRun[] {
  const { pytest } = runners('long', LONG_PYTEST_LIMIT_SECONDS);
  return [pytest(['long', listed(PYTEST_FILES)])];
}

interface Runners {
  readonly module: (name: string, moduleName: string, ...args: readonly string[]) => Check;
  readonly pytest: (part: readonly [string, readonly string[]]) => ScienceRun;
}

/** Makes checks; `marks` is the expression of marks whose tests pytest takes, in at most `limitSeconds`. */
function runners(marks: string, limitSeconds: number): Runners {
  const program = findTool('science-dev', process.env);
  const environment = { DOCKYARD_CCD: findTool('ccd', process.env), PYTHONDONTWRITEBYTECODE: '1' };
  const module: Runners['module'] = (name, moduleName, ...args) => ({
    name,
    program,
    arguments: ['-P', '-m', moduleName, ...args],
    environment,
  });
  const pytest: Runners['pytest'] = ([name, files]) => {
    const report = join(
      repositoryRoot,
      '.cache',
      `pytest-${name.replace(' ', '-')}-${String(process.pid)}.xml`,
    );
    const options = ['-c', CONFIGURATION, '-m', marks, '--junitxml', report];
    const check = module(`pytest ${name}`, 'pytest', ...options, ...files);
    return () => runCounted(check, report, limitSeconds);
  };
  return { module, pytest };
}

/**
 * The tests of each package of `science/`, and of each folder of a package's tests, are a part that runs by itself,
 * because it shares what is costly to prepare.
 */
function listPytestParts(): (readonly [string, readonly string[]])[] {
  const named = listed(PYTEST_FILES).map((file) => {
    const [, folder = '', , ...path] = dirname(file).split(sep);
    return { file, name: [folder, ...path].join(' ') };
  });
  const parts = Map.groupBy(named, ({ name }) => name);
  return [...parts].map(([name, files]) => [name, files.map(({ file }) => file)] as const);
}

function listed(pattern: string): string[] {
  const found = globSync(pattern, { cwd: repositoryRoot }).filter((path) => basename(path) !== '__pycache__');
  return found.sort();
}

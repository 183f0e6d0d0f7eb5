// The Python side of `npm test`: ruff and mypy count as one each, pytest by its cases. They run from the environment
// that the set-up makes for tests, laid over the one that production uses.
import { join } from 'node:path';
import { findTool } from '../src/stack/tools.ts';
import { repositoryRoot } from './test-plan.ts';
import type { Check } from './test-plan.ts';
import { runCheck, runCounted } from './test-process.ts';
import type { Outcome } from './test-process.ts';

const PYTEST_LIMIT_SECONDS = 900;
const CONFIGURATION = 'science/pyproject.toml';

/** Runs one tool of the Python side. */
export type ScienceRun = () => Promise<Outcome>;

/**
 * The runs in the order in which their findings help most.
 * @throws ToolMissingError where the set-up has not made the environment of the tests.
 */
export function listScienceRuns(): ScienceRun[] {
  const program = findTool('science-dev', process.env);
  const environment = { DOCKYARD_CCD: findTool('ccd', process.env), PYTHONDONTWRITEBYTECODE: '1' };
  const module = (name: string, moduleName: string, ...args: readonly string[]): Check => ({
    name,
    program,
    arguments: ['-P', '-m', moduleName, ...args],
    environment,
  });
  const report = join(repositoryRoot, '.cache', `pytest-${String(process.pid)}.xml`);
  const pytest = module('pytest', 'pytest', '-c', CONFIGURATION, '--junitxml', report, 'science/tests');
  const checked = ['science', 'test/contract'];
  return [
    () => runCheck(module('ruff', 'ruff', 'check', '--quiet', '--output-format', 'concise', ...checked)),
    () => runCheck(module('ruff format', 'ruff', 'format', '--check', '--quiet', ...checked)),
    () => runCheck(module('mypy', 'mypy', '--config-file', CONFIGURATION, 'science/src/dockyard_science')),
    () => runCounted(pytest, report, PYTEST_LIMIT_SECONDS),
  ];
}

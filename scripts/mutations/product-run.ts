/**
 * Makes the changes of `product.ts` one after the other in a copy of the checkout, and runs the tests that should notice each. Nothing
 * of the checkout itself is changed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findTool } from '../../src/stack/tools.ts';
import { repositoryRoot } from '../test-plan.ts';
import { PRODUCT_MUTANTS } from './product.ts';
import type { ProductMutant } from './product.ts';

/** Makes those whose file contains a text in a copy at this folder; false where one of them is missed, or not decided. */
export function runProductMutants(only: string, folder: string): boolean {
  copyCheckout(folder);
  const wanted = PRODUCT_MUTANTS.filter(({ file }) => file.includes(only));
  for (const file of new Set(wanted.flatMap(({ tests }) => tests))) {
    const said = run(folder, file);
    if (said !== 'passed') throw new Error(`${file} ${said} without a change: run it first.`);
  }
  const found = wanted.map((mutant) => findMutant(folder, mutant));
  const count = (finding: Finding): string => String(found.filter((one) => one === finding).length);
  console.log(
    `${count('caught')} of ${String(wanted.length)} changes are caught, ${count('MISSED')} missed, ${count('NOT DECIDED')} not decided.`,
  );
  return found.every((one) => one === 'caught');
}

type Finding = 'caught' | 'MISSED' | 'NOT DECIDED';

function findMutant(folder: string, { file, from, to, tests }: ProductMutant): Finding {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const { finding, by } = findIn(folder, tests);
    console.log(`${finding}  ${file}  ${to.trim() || `without ${from.trim()}`}  ${by}`);
    return finding;
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs the files until one fails; `by` says which it was, or what ended one before its tests did. */
function findIn(folder: string, tests: readonly string[]): { finding: Finding; by: string } {
  const ended: string[] = [];
  for (const test of tests) {
    const said = run(folder, test);
    if (said === 'failed') return { finding: 'caught', by: test };
    if (said !== 'passed') ended.push(`${test} ${said}`);
  }
  return ended.length === 0
    ? { finding: 'MISSED', by: '' }
    : { finding: 'NOT DECIDED', by: ended.join(', ') };
}

/** Runs a file of tests. One that a signal ended has said nothing of the change: memory or a person ended it. */
function run(folder: string, file: string): string {
  const isPython = file.endsWith('.py');
  const program = isPython ? findTool('science-dev', process.env) : process.execPath;
  const args = isPython
    ? ['-P', '-m', 'pytest', '-q', '-x', '-c', 'science/pyproject.toml', '-m', 'not long', file]
    : ['node_modules/mocha/bin/mocha.js', '--bail', file];
  const ccd = isPython ? { DOCKYARD_CCD: findTool('ccd', process.env) } : {};
  const env = { ...process.env, ...ccd, NODE_ENV: 'test', PYTHONDONTWRITEBYTECODE: '1' };
  const { status, signal, error } = spawnSync(program, args, { cwd: folder, env, stdio: 'ignore' });
  if (error !== undefined) throw error;
  if (signal !== null) return `was ended by ${signal}`;
  return status === 0 ? 'passed' : 'failed';
}

/** Copies the files that git knows and the new ones, with the packages of the checkout. */
function copyCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file));
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
}

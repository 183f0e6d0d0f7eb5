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

/** Makes those whose file contains a text in a copy at this folder; false where one of them is missed. */
export function runProductMutants(only: string, folder: string): boolean {
  copyCheckout(folder);
  const wanted = PRODUCT_MUTANTS.filter(({ file }) => file.includes(only));
  for (const file of new Set(wanted.flatMap(({ tests }) => tests)))
    if (!passes(folder, file)) throw new Error(`${file} fails without a change: run it first.`);
  const missed = wanted.filter((mutant) => !isCaught(folder, mutant)).length;
  console.log(
    `${String(wanted.length - missed)} of ${String(wanted.length)} changes are caught, ${String(missed)} missed.`,
  );
  return missed === 0;
}

function isCaught(folder: string, { file, from, to, tests }: ProductMutant): boolean {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const by = tests.find((test) => !passes(folder, test));
    console.log(
      `${by === undefined ? 'MISSED' : 'caught'}  ${file}  ${to.trim() || `without ${from.trim()}`}  ${by ?? ''}`,
    );
    return by !== undefined;
  } finally {
    writeFileSync(path, text);
  }
}

function passes(folder: string, file: string): boolean {
  const isPython = file.endsWith('.py');
  const program = isPython ? findTool('science-dev', process.env) : process.execPath;
  const args = isPython
    ? ['-P', '-m', 'pytest', '-q', '-x', '-c', 'science/pyproject.toml', '-m', 'not long', file]
    : ['node_modules/mocha/bin/mocha.js', '--bail', file];
  const ccd = isPython ? { DOCKYARD_CCD: findTool('ccd', process.env) } : {};
  const env = { ...process.env, ...ccd, NODE_ENV: 'test', PYTHONDONTWRITEBYTECODE: '1' };
  return spawnSync(program, args, { cwd: folder, env, stdio: 'ignore' }).status === 0;
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

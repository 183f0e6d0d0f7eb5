/** A customer who searches, and the bare programs that results are compared with. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { InstalledPack } from '../../src/packs/pack.ts';
import { findTool } from '../../src/stack/tools.ts';
import type { Answer, TestApi } from './api.ts';

/** A file of queries and the database that has them among decoys. */
export interface SearchFiles {
  readonly queries: string;
  readonly database: string;
}

/** The chains of the shipped structures, and a database of them among decoys; the same in every run. */
export function chainsAmongDecoys(folder: string, decoys: number): SearchFiles {
  const structures = join(folder, 'structures');
  mkdirSync(structures, { recursive: true });
  const shipped = [join(repositoryRoot, 'test/fixtures/structures'), join(repositoryRoot, 'examples/1a28')];
  for (const from of shipped) {
    for (const name of readdirSync(from).filter((file) => file.endsWith('.pdb'))) {
      copyFileSync(join(from, name), join(structures, name));
    }
  }
  execFileSync(findTool('science-python', process.env), [
    join(repositoryRoot, 'examples/blast/make_database.py'),
    ...['--structures', structures, '--decoys', String(decoys)],
    ...['--database', join(folder, 'decoys.fasta'), '--queries', join(folder, 'chains.fasta')],
  ]);
  return {
    queries: readFileSync(join(folder, 'chains.fasta'), 'utf8'),
    database: readFileSync(join(folder, 'decoys.fasta'), 'utf8'),
  };
}

/** Runs a program bare over all queries and reads its output. */
export function bareRun(
  pack: InstalledPack,
  folder: string,
  {
    program,
    files,
    args,
    name: database = 'decoys',
  }: {
    readonly program: string;
    readonly files: SearchFiles;
    readonly args: readonly string[];
    readonly name?: string;
  },
): { readonly hits: string; readonly report: unknown } {
  const run = (name: string, given: readonly string[], input?: string): string =>
    execFileSync(pack.programs[name] ?? name, [...given], {
      cwd: folder,
      env: { ...pack.environment, BLAST_USAGE_REPORT: 'false' },
      encoding: 'utf8',
      maxBuffer: 1e9,
      ...(input === undefined ? {} : { input }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  const type = program === 'blastp' ? 'prot' : 'nucl';
  run('makeblastdb', ['-in', '-', '-dbtype', type, '-out', database, '-title', database], files.database);
  const search = (format: string): string =>
    run(program, ['-db', database, '-outfmt', format, ...args], files.queries);
  return { hits: search('6'), report: JSON.parse(search('15')) };
}

/** Submits a search and waits for the end. */
export async function searched(
  api: TestApi,
  key: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer['body']> {
  const answer = await api.submit(key, body);
  expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  return (await api.ends(key, answer.body.jobId, 240)).body;
}

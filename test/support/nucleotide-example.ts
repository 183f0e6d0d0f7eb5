/** The nucleotide example of the package that the pack of searches is made of; the pack itself leaves documents out. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { blastPack } from '../../src/tools/blast/pack.ts';
import type { SearchFiles } from './searching.ts';

/** Queries and database of the example; null, after saying why, where the package manager does not give the package. */
export function nucleotideExample(folder: string): SearchFiles | null {
  const { way } = blastPack;
  const [wanted] = way !== null && 'packages' in way ? way.packages : [];
  if (wanted === undefined) return null;
  const place = join(folder, 'package');
  mkdirSync(place);
  try {
    execFileSync('apt-get', ['download', `${wanted.name}=${wanted.version}`], { cwd: place, stdio: 'pipe' });
  } catch (error) {
    process.stderr.write(`not run: the nucleotide example of ${wanted.name}: ${String(error)}\n`);
    return null;
  }
  const archive = join(place, readdirSync(place).find((name) => name.endsWith('.deb')) ?? '');
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (sha256 !== wanted.sha256) throw new Error(`${archive} is not the pinned package: ${sha256}`);
  execFileSync('dpkg-deb', ['-x', archive, place]);
  const examples = join(place, 'usr/share/doc', wanted.name, 'examples');
  return {
    queries: readFileSync(join(examples, 'test.fa'), 'utf8'),
    database: readFileSync(join(examples, 'testdatabase.fa'), 'utf8'),
  };
}

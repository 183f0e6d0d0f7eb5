// What a newcomer finds: a short README in each folder, and files that name no machine but the reader's own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../scripts/test-plan.ts';

const MAXIMUM_README_LINES = 30;
const MAXIMUM_SCANNED_BYTES = 4 * 1024 * 1024;

/** Files that are committed or about to be. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)));

const folders = [
  ...new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? '')),
]
  .filter((folder) => !folder.startsWith('.'))
  .sort();

function textOf(path: string): string | undefined {
  const target = join(repositoryRoot, path);
  if (statSync(target).size > MAXIMUM_SCANNED_BYTES) return undefined;
  const bytes = readFileSync(target);
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

// The words are put together from parts, so that the test does not find this file.
const homes = ['work', 'root', 'home', 'Users', 'workspace', 'builds'].join('|');
const mirrors = [
  ['artifact', 'ory'],
  ['verdac', 'cio'],
  ['dev', 'pi'],
  ['jf', 'rog'],
  ['nexus', '-proxy'],
]
  .map((parts) => parts.join(''))
  .join('|');
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'an absolute path of one machine', pattern: new RegExp(`(?<![\\w.@~*}/-])/(${homes})/[\\w.-]+`) },
  { what: 'a scratch path of one machine', pattern: new RegExp('/' + 'tmp/(dock|gobin)\\b') },
  { what: 'a package mirror', pattern: new RegExp(`\\b(${mirrors})\\b`, 'i') },
  { what: 'a registry setting', pattern: /^\s*(registry|index-url|GOPROXY)\s*=\s*\S+/m },
  { what: 'where a package was downloaded', pattern: /"resolved":\s*"https?:/ },
  {
    what: 'a private address',
    pattern: /https?:\/\/(10\.\d+|192\.168|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+/,
  },
];

describe('repository', () => {
  // What follows the beginning in deploy/ is the procedure by which an installation is made and kept.
  for (const folder of folders) {
    it(`${folder}/ says in at most ${String(MAXIMUM_README_LINES)} lines what it is for`, () => {
      const path = join(repositoryRoot, folder, 'README.md');
      expect(existsSync(path), `${folder}/README.md exists`).to.equal(true);
      const [beginning = ''] = readFileSync(path, 'utf8').split(
        folder === 'deploy' ? /^## /m : /$(?![\s\S])/,
      );
      const lines = beginning.trimEnd().split('\n');
      expect(lines.length).to.be.within(3, MAXIMUM_README_LINES);
    });
  }

  for (const { what, pattern } of FORBIDDEN) {
    it(`names nowhere ${what}`, () => {
      const found = files.flatMap((path) => {
        const match = pattern.exec(textOf(path) ?? '');
        return match === null ? [] : [`${path}: ${match[0].trim()}`];
      });
      expect(found).to.deep.equal([]);
    });
  }

  it('has the files that a reader expects', () => {
    const expected = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', '.ci/run'];
    expect(expected.filter((path) => !existsSync(join(repositoryRoot, path)))).to.deep.equal([]);
  });

  it('lets the build machine start .ci/run', () => {
    expect(statSync(join(repositoryRoot, '.ci/run')).mode & 0o111).to.not.equal(0);
  });
});

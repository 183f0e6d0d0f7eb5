/** The weight of the app: what a browser loads before it shows the first page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';

const DIST = join(repositoryRoot, 'web', 'dist');

/** Bytes of a file as gzip, with those of all files that it imports at once. */
function weightOf(start: readonly string[]): number {
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = readFileSync(join(DIST, 'assets', name), 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) add(other);
  };
  for (const name of start) add(name);
  return [...seen].reduce(
    (sum, name) => sum + readFileSync(join(DIST, 'assets', `${name}.gz`)).byteLength,
    0,
  );
}

describe('the built app', () => {
  it('is at most 200 kB of scripts and 20 kB of styles on its heaviest page', () => {
    const document = readFileSync(join(DIST, 'index.html'), 'utf8');
    const first = [...document.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
    const names = readdirSync(join(DIST, 'assets'));
    const pages = names.filter((name) => /-(page|tab)-[^.]+\.js$/.test(name));
    expect(pages.length).to.be.greaterThan(5);
    for (const page of pages) expect(weightOf([...first, page]), page).to.be.lessThan(200_000);
    const styles = names.filter((name) => name.endsWith('.css.gz'));
    const weight = styles.reduce((sum, name) => sum + readFileSync(join(DIST, 'assets', name)).byteLength, 0);
    expect(weight).to.be.lessThan(20_000);
  });
});

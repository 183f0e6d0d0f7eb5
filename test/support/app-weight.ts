/** The weight of the built app: the bytes that a browser loads before the app shows a page, compressed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../../scripts/test-plan.ts';

const DIST = join(repositoryRoot, 'web', 'dist');

/** Bytes of scripts as gzip for each page, first load included, and of all styles. */
export interface AppWeight {
  readonly pages: ReadonlyMap<string, number>;
  readonly styles: number;
}

/** Weighs the built app. */
export function weighApp(): AppWeight {
  const document = readFileSync(join(DIST, 'index.html'), 'utf8');
  const first = [...document.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const names = readdirSync(join(DIST, 'assets'));
  const pages = names.filter((name) => /-(page|tab)-[^.]+\.js$/.test(name));
  return {
    pages: new Map(pages.map((page) => [page, weightOf([...first, page])])),
    styles: sumOf(names.filter((name) => name.endsWith('.css'))),
  };
}

/** Bytes of files with those of all files that they import at once. */
function weightOf(start: readonly string[]): number {
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = readFileSync(join(DIST, 'assets', name), 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) add(other);
  };
  for (const name of start) add(name);
  return sumOf([...seen]);
}

function sumOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + readFileSync(join(DIST, 'assets', `${name}.gz`)).byteLength, 0);
}

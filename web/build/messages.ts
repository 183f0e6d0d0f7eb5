/**
 * The words of the app: a catalogue for each feature (`src/<place>/en.json`), which Paraglide compiles to functions. Its plug-in comes from
 * node_modules. With `pseudo` every text is longer and marked, so that a text that is in no catalogue, or is cut, is seen.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { compile } from '@inlang/paraglide-js';

import { web } from './paths.ts';

const PLUGIN = join(web, 'node_modules/@inlang/plugin-message-format/dist/index.js');

/** Compiles all catalogues into the folder `messages` of a folder of its own. */
export async function compileMessages({ pseudo = false, cache = join(web, '.cache') } = {}): Promise<void> {
  const project = join(cache, 'project.inlang');
  const catalogues = join(cache, 'catalogues');
  const files = globSync('src/**/en.json', { cwd: web }).sort();
  rmSync(catalogues, { recursive: true, force: true });
  const texts = namesOf(files);
  for (const file of files) {
    const copy = join(catalogues, file);
    mkdirSync(dirname(copy), { recursive: true });
    if (pseudo) writeFileSync(copy, JSON.stringify(pseudoOf(readJson(file))));
    else cpSync(join(web, file), copy);
  }
  mkdirSync(project, { recursive: true });
  // Places in the settings are told from the folder of the project.
  const pathPattern = files.map((file) => `./catalogues/${dirname(file)}/{locale}.json`);
  const settings = {
    baseLocale: 'en',
    locales: ['en'],
    modules: [relative(cache, PLUGIN)],
    'plugin.inlang.messageFormat': { pathPattern },
  };
  writeFileSync(join(project, 'settings.json'), JSON.stringify(settings));
  await compile({
    project,
    outdir: join(cache, 'messages'),
    outputStructure: 'message-modules',
    strategy: ['baseLocale'],
    emitGitIgnore: false,
    emitReadme: false,
    emitPrettierIgnore: false,
    isServer: 'false',
    disableAsyncLocalStorage: true,
  });
  const compiled = readFileSync(join(cache, 'messages/messages/_index.js'), 'utf8');
  const missing = texts.filter((name) => !compiled.includes(`/${name}.js`));
  if (missing.length > 0) throw new Error(`These texts were not compiled: ${missing.join(', ')}.`);
}

function readJson(file: string): object {
  const value: unknown = JSON.parse(readFileSync(join(web, file), 'utf8'));
  if (typeof value === 'object' && value !== null) return value;
  throw new Error(`${file} is no catalogue.`);
}

/** A text is in one catalogue: of two with one name the later would win in silence. */
function namesOf(files: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const file of files)
    for (const name of Object.keys(readJson(file))) {
      const before = seen.get(name);
      if (before !== undefined) throw new Error(`The text ${name} is in ${before} and in ${file}.`);
      seen.set(name, file);
    }
  return [...seen.keys()];
}

const ACCENTED = new Map(
  'aeiouAEIOUcnsyz'.split('').map((letter, at) => [letter, 'àéîöûÀÉÎÖÛçñšýž'.charAt(at)]),
);

/** A text with accents, brackets and a third more letters; what stands in braces stays. */
function pseudoOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pseudoOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === 'declarations' || key === 'selectors' ? inner : pseudoOf(inner),
      ]),
    );
  if (typeof value !== 'string') return value;
  const accented = value
    .split(/(\{[^}]*\})/)
    .map((part) =>
      part.startsWith('{')
        ? part
        : part
            .split('')
            .map((letter) => ACCENTED.get(letter) ?? letter)
            .join(''),
    )
    .join('');
  return `⟦${accented}${'·'.repeat(Math.ceil(value.length / 3))}⟧`;
}

/**
 * Documents name files that exist. Every README, the pages of docs/ and CONTRIBUTING.md are read: each path in backticks or
 * in a link has to be there, seen from the root or from the document's own folder. Outputs of jobs, keys of the store and
 * examples with placeholders are no paths of the repository; only words that look like its files and folders count.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { TOOL_AREAS } from '../../bench/tools.ts';
import { repositoryRoot } from '../../scripts/test-plan.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)));

const documents = files.filter(
  (path) => /(^|\/)README\.md$|^docs\/[^/]+\.md$/.test(path) || path === 'CONTRIBUTING.md',
);
const topFolders = new Set(
  files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''),
);

/** Folders that set-up and runs make in a checkout. */
const MADE_BY_RUNNING = new Set(['.dockyard', '.cache', 'node_modules']);
/** A file of code or configuration; other names may be those of outputs. */
const SOURCE_FILE = /\.(ts|mjs|cjs|js|py|sh|toml|yml)$/;
const PATH = /^[\w@.*-]+(\/[\w@.*-]+)*\/?$/;

/** The text without blocks of code, whose commands and answers are examples. */
function proseOf(document: string): string {
  return readFileSync(join(repositoryRoot, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** Whether a word of a document claims to be a file or folder of the repository. */
function isPath(word: string, document: string): boolean {
  if (!PATH.test(word) || word.includes('@') || /^\.\w+$/.test(word)) return false;
  const [first = ''] = word.split('/');
  if (MADE_BY_RUNNING.has(first)) return false;
  if (SOURCE_FILE.test(word)) return true;
  if (!word.includes('/')) return false;
  // In a README a name with a slash at its end is a folder; elsewhere it may be a prefix in the store.
  if (document.endsWith('README.md') && word.endsWith('/')) return true;
  return topFolders.has(first) || existsSync(join(repositoryRoot, dirname(document), first));
}

/** Whether a path is there from the root or from the document's folder; the reader makes a file from its example. */
function isThere(path: string, document: string): boolean {
  const places = [path, join(dirname(document), path)].map((one) => join(repositoryRoot, one));
  if (path.includes('*')) return places.some((pattern) => globSync(pattern).length > 0);
  if (existsSync(join(repositoryRoot, `${path}.example`))) return true;
  return places.some((one) => existsSync(one) && (!path.endsWith('/') || statSync(one).isDirectory()));
}

/** The paths in backticks that a document names and nobody finds. */
function missingPaths(document: string, text: string): string[] {
  const words = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.split(/[\s,:]+/));
  return [...new Set(words)].filter((word) => isPath(word, document) && !isThere(word, document));
}

function missingLinks(document: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const ours = targets.filter((target) => !/^[a-z]+:/.test(target));
  return ours.filter((target) => !existsSync(join(repositoryRoot, dirname(document), target)));
}

const architecture = readFileSync(join(repositoryRoot, 'docs/architecture.md'), 'utf8');
const glossaryPage = readFileSync(join(repositoryRoot, 'docs/glossary.md'), 'utf8');

/** The rows of the glossary: word, meaning, files. */
const glossary = glossaryPage
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', meaning = '', where = '']) => ({
    word,
    meaning,
    paths: [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }));

describe('documents', () => {
  for (const document of documents) {
    it(`${document} names only files and folders that exist`, () => {
      const text = proseOf(document);
      expect(missingPaths(document, text)).to.deep.equal([]);
      expect(missingLinks(document, text)).to.deep.equal([]);
    });
  }

  it('and messages name no command by which npm would take a package of our name that is not ours', () => {
    const sources = files.filter((path) => /^src\/.*\.ts$/.test(path));
    const found = [...documents, ...sources].filter((path) =>
      /npx dockyard|npm (?:install|i|add) dockyard/.test(readFileSync(join(repositoryRoot, path), 'utf8')),
    );
    expect(found).to.deep.equal([]);
  });

  it('find a path that does not exist', () => {
    const text =
      'Read `src/no-such-file.ts`, `workflows/job.ts`, `old/`, `src/old/` and `node scripts/old.mjs`.';
    expect(missingPaths('README.md', text)).to.deep.equal([
      'src/no-such-file.ts',
      'old/',
      'src/old/',
      'scripts/old.mjs',
    ]);
  });

  it('take outputs of jobs and keys of the store for what they are', () => {
    const text = 'A job writes `receptor/preparation.json` below `accounts/{a}/jobs/{job}/` and `box.json`.';
    expect(missingPaths('docs/docking.md', text)).to.deep.equal([]);
  });
});

/** Folders whose README says of every file and folder what it is for. */
const TOLD_WHOLE = [
  ...['api', 'bench', 'examples', 'science', 'scripts', 'src', 'test', 'test/support'],
  ...['src/instance', 'src/services/events', 'src/services/execution'],
];

/** The files and folders of a folder that its README does not name; a name with a star stands for several. */
function untold(folder: string, text: string): string[] {
  const words = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.split(/[\s,]+/));
  const paths = words.filter((word) => /^[\w.*/-]+$/.test(word));
  const patterns = paths.map(
    (word) => new RegExp(`^${word.replace(/\/.*$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  const inside = files.filter((path) => path.startsWith(`${folder}/`) && path !== `${folder}/README.md`);
  const names = new Set(inside.map((path) => path.slice(folder.length + 1).replace(/\/.*$/, '')));
  return [...names].filter((name) => !patterns.some((pattern) => pattern.test(name)));
}

describe('READMEs of folders', () => {
  for (const folder of TOLD_WHOLE)
    it(`${folder}/README.md names every file and folder beside it`, () => {
      expect(untold(folder, proseOf(`${folder}/README.md`))).to.deep.equal([]);
    });

  it('find a file that is not named', () => {
    const text = '`ports.ts`, `s*.ts` and `faults/world.ts`';
    const names = untold('test/support', text);
    expect(names).to.include('until.ts');
    expect(names).to.not.include.members(['ports.ts', 'stack.ts', 'faults']);
  });
});

describe('glossary', () => {
  it('explains the words of the core', () => {
    const words = [
      'part',
      'shard',
      'slot',
      'lane',
      'generation',
      'execution',
      'step',
      'item',
      'ordinal',
      'fence',
    ];
    const others = [
      'claim',
      'commit',
      'mark',
      'pin',
      'carry',
      'hold',
      'settle',
      'round',
      'staging',
      'attempt',
    ];
    expect(glossary.map(({ word }) => word)).to.include.members([...words, ...others, 'window', 'dead end']);
  });

  it('has its words in the order of the alphabet, each once and with one sentence or two', () => {
    const words = glossary.map(({ word }) => word);
    expect(words).to.deep.equal([...new Set(words)].sort());
    for (const { word, meaning } of glossary) expect(meaning, word).to.match(/^[A-Z].{20,}\.$/);
  });

  it('names for each word a file that exists and speaks of it', () => {
    for (const { word, paths } of glossary) {
      expect(paths, word).to.not.have.length(0);
      for (const path of paths) {
        expect(existsSync(join(repositoryRoot, path)), `${word}: ${path}`).to.equal(true);
        expect(readFileSync(join(repositoryRoot, path), 'utf8').toLowerCase(), path).to.include(word);
      }
    }
  });
});

describe('the picture of claim, run and commit', () => {
  it('names only files that exist', () => {
    const picture = /^```mermaid\n(sequenceDiagram\n[\s\S]*?)^```/m.exec(architecture)?.[1] ?? '';
    const paths = [...picture.matchAll(/[\w/-]+\.ts\b/g)].map(([path]) => path);
    expect(paths.length).to.be.greaterThan(8);
    expect(paths.filter((path) => !existsSync(join(repositoryRoot, path)))).to.deep.equal([]);
  });

  it('has every half of the instance that a task goes through', () => {
    for (const half of ['run-shard', 'task-board', 'shard-runner', 'task-reporter'])
      expect(architecture).to.match(new RegExp(`participant \\w+ as \\w+ \\(src/instance/${half}\\.ts\\)`));
  });
});

describe('the page of the benchmarks', () => {
  it('lists every area that can be measured alone', () => {
    const main = readFileSync(join(repositoryRoot, 'bench/main.ts'), 'utf8');
    const [, areas = ''] = /^const AREAS = \[([^\]]*)\]/m.exec(main) ?? [];
    const page = readFileSync(join(repositoryRoot, 'docs/benchmarks.md'), 'utf8');
    const [, listed = ''] = /# areas: ([\w,\s#-]*?)\nnpm/.exec(page) ?? [];
    const names = [...areas.matchAll(/'([\w-]+)'|\.\.\.TOOL_AREAS/g)].flatMap(
      ([, name]) => name ?? TOOL_AREAS,
    );
    expect(names).to.have.length.greaterThan(8);
    expect(listed.split(/[\s,#]+/)).to.deep.equal(names);
  });
});

// Proves that the lint rules report what they should, and nothing else: snippets are written to their paths in a tree that has the
// configuration of this one, and the linter goes over the tree once, without type information, so that the test stays quick.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../scripts/test-plan.ts';

const DOCUMENTED = 'dockyard(documented-exports)';
const ENVIRONMENT = ['dockyard(no-environment)'];
const CLOCK = ['dockyard(no-clock-or-chance)'];
const BUNDLE = ['dockyard(closed-bundle)'];
const NAMED = ['dockyard(named-exports)'];
const NOUNS = ['dockyard(comment-nouns)'];

const env = 'export const home = process.env.HOME;';
const lines = (count: number): string => Array.from({ length: count }, () => 'work();').join('\n');

const CASES: readonly (readonly [what: string, path: string, code: string, rules: readonly string[]])[] = [
  ['the environment in a service', 'src/services/jobs.ts', env, ENVIRONMENT],
  [
    'the environment, imported',
    'api/app.ts',
    `import { env } from 'node:process';\nexport const a = env;`,
    ENVIRONMENT,
  ],
  ['the environment in src/config.ts', 'src/config.ts', env, []],
  ['the environment in an entry point', 'src/bin/api.ts', env, []],
  ['the environment in the supervisor', 'src/stack/child.ts', env, []],
  ['the clock in domain', 'src/domain/a.ts', 'export const now = Date.now();', CLOCK],
  ['a new date of now in domain', 'src/domain/a.ts', 'export const now = new Date();', CLOCK],
  [
    'a date made from an argument in domain',
    'src/domain/a.ts',
    'export const at = (t: number) => new Date(t);',
    [],
  ],
  ['chance in domain', 'src/domain/a.ts', 'export const luck = Math.random();', CLOCK],
  ['waiting in domain', 'src/domain/a.ts', 'setTimeout(() => {}, 1);', CLOCK],
  ['the clock in a workflow', 'workflows/job.ts', 'export const now = Date.now();', []],
  [
    'a Node built-in in a workflow',
    'workflows/job.ts',
    `import fs from 'node:fs';\nexport const f = fs;`,
    BUNDLE,
  ],
  ['a dynamic import in a workflow', 'workflows/job.ts', `export const f = import('./x.ts');`, BUNDLE],
  ['a default export', 'src/services/jobs.ts', 'const a = 1;\nexport default a;', NAMED],
  ['a default export by name', 'src/tools/noop.ts', 'const a = 1;\nexport { a as default };', NAMED],
  ['a default export in a tool configuration', 'tool.config.js', 'export default [];', []],
  ['the console in a service', 'src/services/jobs.ts', 'console.log(1);', ['eslint(no-console)']],
  ['the console in a command', 'src/cli/admin.ts', 'console.log(1);', []],
  ['any', 'src/services/a.ts', 'export const a = (b: any) => b;', ['typescript(no-explicit-any)']],
  ['a bang', 'api/app.ts', 'export const a = (b?: string) => b!;', ['typescript(no-non-null-assertion)']],
  [
    'a cast',
    'src/services/a.ts',
    'export const a = (b: unknown) => b as string;',
    ['typescript(consistent-type-assertions)'],
  ],
  ['as const', 'src/services/a.ts', `export const a = ['x'] as const;`, []],
  ['a cast in a test', 'test/unit/a.test.ts', 'export const a = (b: unknown) => b as string;', []],
  [
    'a function of 61 lines',
    'src/services/a.ts',
    `export function a(): void {\n${lines(59)}\n}`,
    ['eslint(max-lines-per-function)'],
  ],
  ['a function of 60 lines', 'src/services/a.ts', `export function a(): void {\n${lines(58)}\n}`, []],
  ['a file of 401 lines', 'src/services/a.ts', lines(401), ['eslint(max-lines)']],
  ['a comment without its noun', 'src/a.ts', '/** What a needs. */\nexport const a = 1;', NOUNS],
  ['a line without its noun', 'bench/a.ts', '// Whoever asks waits.\nwork();', NOUNS],
  ['a file without its noun', 'test/support/a.ts', '/**\n * Which jobs run.\n */\nwork();', NOUNS],
  ['a comment with its noun', 'src/a.ts', '/** Settings that a needs. */\nexport const a = 1;', []],
];

const DOCUMENTATION: typeof CASES = [
  ['a function without a sentence', 'src/services/a.ts', 'export function a(): void {}', [DOCUMENTED]],
  ['a class without a sentence', 'api/a.ts', 'export class A {}', [DOCUMENTED]],
  ['a value without a sentence', 'workflows/a.ts', 'export const a = 1;', [DOCUMENTED]],
  ['a type without a sentence', 'src/domain/a.ts', 'export interface A {}', [DOCUMENTED]],
  ['half a sentence', 'src/domain/a.ts', '/** The answer */\nexport const a = 1;', [DOCUMENTED]],
  ['a function with a sentence', 'src/a.ts', '/** Does it. */\nexport function a(): void {}', []],
  [
    'a sentence before a tag',
    'src/a.ts',
    '/** Does it. @throws NOT_FOUND */\nexport function a(): void {}',
    [],
  ],
  ['dependencies without a sentence', 'src/services/a.ts', 'export interface ADependencies {}', []],
  ['options without a sentence', 'src/client/a.ts', 'export interface AOptions {}', []],
  ['settings without a sentence', 'src/adapters/a.ts', 'export interface ASettings {}', []],
  ['a test without a sentence', 'test/support/a.ts', 'export const a = 1;', []],
];

/** Writes a snippet to its path, or beside it where an earlier snippet lies there. Returns the path. */
function place(tree: string, path: string, code: string): string {
  let free = path;
  for (let again = 1; existsSync(join(tree, free)); again += 1)
    free = path.replace(/\.(?=[^.]+$)/, `-${String(again)}.`);
  mkdirSync(dirname(join(tree, free)), { recursive: true });
  writeFileSync(join(tree, free), code);
  return free;
}

/** The rules that the files of a tree break, by path. */
async function brokenRules(tree: string): Promise<Map<string, Set<string>>> {
  const oxlint = join(repositoryRoot, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [oxlint, '--format', 'json'], { cwd: tree }, (_, stdout) => {
      resolve(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  const rules = new Map<string, Set<string>>();
  for (const { code, filename } of diagnostics)
    rules.set(filename, (rules.get(filename) ?? new Set()).add(code));
  return rules;
}

describe('lint rules', () => {
  const paths = new Map<(typeof CASES)[number], string>();
  let broken: Map<string, Set<string>>;

  before(async () => {
    const tree = mkdtempSync(join(tmpdir(), 'dockyard-test-lint-'));
    try {
      for (const name of ['package.json', 'scripts/lint-rules.js'])
        cpSync(join(repositoryRoot, name), join(tree, name));
      const configuration = readFileSync(join(repositoryRoot, '.oxlintrc.json'), 'utf8');
      const untyped = configuration.replaceAll(/"(typeAware|typeCheck)": true/g, '"$1": false');
      writeFileSync(join(tree, '.oxlintrc.json'), untyped);
      for (const one of [...CASES, ...DOCUMENTATION]) paths.set(one, place(tree, one[1], one[2]));
      broken = await brokenRules(tree);
    } finally {
      rmSync(tree, { recursive: true });
    }
  });

  const rulesOf = (one: (typeof CASES)[number]): string[] => [...(broken.get(paths.get(one) ?? '') ?? [])];

  for (const one of CASES) {
    it(`${one[3].length === 0 ? 'allow' : 'refuse'} ${one[0]}`, () => {
      expect(rulesOf(one).filter((rule) => rule !== DOCUMENTED)).to.deep.equal(one[3]);
    });
  }

  for (const one of DOCUMENTATION) {
    it(`${one[3].length === 0 ? 'allow' : 'refuse'} ${one[0]}`, () => {
      expect(rulesOf(one).filter((rule) => rule === DOCUMENTED)).to.deep.equal(one[3]);
    });
  }
});

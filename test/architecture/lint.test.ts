// Proves that the syntax rules of eslint.config.js report what they should, and nothing else. The rules are taken from
// the real configuration of a path and run over a snippet, without type information, so that the test stays quick.
import { expect } from 'chai';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { repositoryRoot } from '../../scripts/test-plan.ts';

const DOCUMENTED = 'dockyard/documented-exports';
const SYNTAX_RULES = [
  'no-restricted-syntax',
  'no-console',
  'max-lines',
  'max-lines-per-function',
  '@typescript-eslint/no-explicit-any',
  '@typescript-eslint/no-non-null-assertion',
  '@typescript-eslint/consistent-type-assertions',
  '@typescript-eslint/consistent-type-imports',
];

const eslint = new ESLint({ cwd: repositoryRoot });
const linter = new Linter();

/** The rules that a snippet would break if it stood at `path`. */
async function broken(
  path: string,
  code: string,
  names: readonly string[] = SYNTAX_RULES,
): Promise<string[]> {
  const { rules, plugins } = (await eslint.calculateConfigForFile(path)) as {
    rules: Linter.RulesRecord;
    plugins: Record<string, ESLint.Plugin>;
  };
  const messages = linter.verify(code, {
    files: ['**/*'],
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      ...(plugins['dockyard'] === undefined ? {} : { dockyard: plugins['dockyard'] }),
    },
    languageOptions: { parser: tseslint.parser },
    rules: Object.fromEntries(names.map((name) => [name, rules[name] ?? 'off'])),
  });
  return [...new Set(messages.map(({ ruleId, message }) => ruleId ?? message))];
}

const SYNTAX = ['no-restricted-syntax'];
const env = 'export const home = process.env.HOME;';
const lines = (count: number): string => Array.from({ length: count }, () => 'work();').join('\n');

const CASES: readonly (readonly [what: string, path: string, code: string, rules: readonly string[]])[] = [
  ['the environment in a service', 'src/services/jobs.ts', env, SYNTAX],
  [
    'the environment, imported',
    'api/app.ts',
    `import { env } from 'node:process';\nexport const a = env;`,
    SYNTAX,
  ],
  ['the environment in src/config.ts', 'src/config.ts', env, []],
  ['the environment in an entry point', 'src/bin/api.ts', env, []],
  ['the environment in the supervisor', 'src/stack/child.ts', env, []],
  ['the clock in domain', 'src/domain/a.ts', 'export const now = Date.now();', SYNTAX],
  ['a new date of now in domain', 'src/domain/a.ts', 'export const now = new Date();', SYNTAX],
  [
    'a date made from an argument in domain',
    'src/domain/a.ts',
    'export const at = (t: number) => new Date(t);',
    [],
  ],
  ['chance in domain', 'src/domain/a.ts', 'export const luck = Math.random();', SYNTAX],
  ['waiting in domain', 'src/domain/a.ts', 'setTimeout(() => {}, 1);', SYNTAX],
  ['the clock in a workflow', 'workflows/job.ts', 'export const now = Date.now();', []],
  [
    'a Node built-in in a workflow',
    'workflows/job.ts',
    `import fs from 'node:fs';\nexport const f = fs;`,
    SYNTAX,
  ],
  ['a dynamic import in a workflow', 'workflows/job.ts', `export const f = import('./x.ts');`, SYNTAX],
  ['a default export', 'src/services/jobs.ts', 'const a = 1;\nexport default a;', SYNTAX],
  ['a default export by name', 'src/tools/noop.ts', 'const a = 1;\nexport { a as default };', SYNTAX],
  ['a default export in a tool configuration', 'eslint.config.js', 'export default [];', []],
  ['the console in a service', 'src/services/jobs.ts', 'console.log(1);', ['no-console']],
  ['the console in a command', 'src/cli/admin.ts', 'console.log(1);', []],
  ['any', 'src/services/a.ts', 'export const a = (b: any) => b;', ['@typescript-eslint/no-explicit-any']],
  [
    'a bang',
    'api/app.ts',
    'export const a = (b?: string) => b!;',
    ['@typescript-eslint/no-non-null-assertion'],
  ],
  [
    'a cast',
    'src/services/a.ts',
    'export const a = (b: unknown) => b as string;',
    ['@typescript-eslint/consistent-type-assertions'],
  ],
  ['as const', 'src/services/a.ts', `export const a = ['x'] as const;`, []],
  ['a cast in a test', 'test/unit/a.test.ts', 'export const a = (b: unknown) => b as string;', []],
  [
    'a function of 61 lines',
    'src/services/a.ts',
    `export function a(): void {\n${lines(59)}\n}`,
    ['max-lines-per-function'],
  ],
  ['a function of 60 lines', 'src/services/a.ts', `export function a(): void {\n${lines(58)}\n}`, []],
  ['a file of 401 lines', 'src/services/a.ts', lines(401), ['max-lines']],
];

const DOCUMENTATION: typeof CASES = [
  ['a function without a sentence', 'src/services/a.ts', 'export function a(): void {}', [DOCUMENTED]],
  ['a class without a sentence', 'api/a.ts', 'export class A {}', [DOCUMENTED]],
  ['a value without a sentence', 'workflows/a.ts', 'export const a = 1;', [DOCUMENTED]],
  ['a type without a sentence', 'src/domain/a.ts', 'export interface A {}', [DOCUMENTED]],
  ['half a sentence', 'src/domain/a.ts', '/** The answer */\nexport const a = 1;', [DOCUMENTED]],
  ['the name of a type again', 'src/a.ts', '/** What a needs. */\nexport interface ADeps {}', [DOCUMENTED]],
  ['an empty sentence', 'src/a.ts', '/** What a needs. */\nexport interface AOptions {}', [DOCUMENTED]],
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

describe('lint rules', () => {
  for (const [what, path, code, rules] of CASES) {
    it(`${rules.length === 0 ? 'allow' : 'refuse'} ${what}`, async () => {
      expect(await broken(path, code)).to.deep.equal(rules);
    });
  }

  for (const [what, path, code, problems] of DOCUMENTATION) {
    it(`${problems.length === 0 ? 'allow' : 'refuse'} ${what}`, async () => {
      expect(await broken(path, code, [DOCUMENTED])).to.deep.equal(problems);
    });
  }

  it('ask for promises to be awaited everywhere', async () => {
    for (const path of [
      'api/app.ts',
      'workflows/job.ts',
      'activities/tasks.ts',
      'src/bin/api.ts',
      'test/a.test.ts',
    ]) {
      const { rules } = (await eslint.calculateConfigForFile(path)) as { rules: Record<string, unknown[]> };
      expect(rules['@typescript-eslint/no-floating-promises']?.[0], path).to.equal(2);
      expect(rules['@typescript-eslint/no-misused-promises']?.[0], path).to.equal(2);
    }
  });
});

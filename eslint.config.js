// Lint rules that look at types or syntax. Rules about folders (which folder may import which) are in
// .dependency-cruiser.cjs. In a flat configuration a later `no-restricted-syntax` list replaces an earlier one, so
// every such list is put together from the lists below.
import tseslint from 'typescript-eslint';

const noDefaultExport = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Named exports only: a default export has no name to search for.',
  },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Named exports only.' },
];
const noEnvironment = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'Only src/config.ts, src/bin, src/stack and scripts read the environment; take a config value.',
  },
  {
    selector: 'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]',
    message: 'Only src/config.ts, src/bin, src/stack and scripts read the environment; take a config value.',
  },
];
const noClockOrChance = [
  {
    selector: 'MemberExpression[object.name="Date"][property.name="now"]',
    message: 'Domain code is pure: take the time as an argument.',
  },
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Domain code is pure: take the time as an argument.',
  },
  {
    selector: 'CallExpression[callee.name="Date"]',
    message: 'Domain code is pure: take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Domain code is pure: take a seed as an argument.',
  },
  {
    selector: 'CallExpression[callee.name=/^(setTimeout|setInterval|setImmediate|queueMicrotask)$/]',
    message: 'Domain code is pure: it never waits.',
  },
  {
    selector: 'MemberExpression[object.name="performance"]',
    message: 'Domain code is pure: it has no clock.',
  },
];
const noNodeBuiltins = [
  {
    selector: 'ImportDeclaration[source.value=/^node:/][importKind!="type"]',
    message: 'Node built-ins do not exist in the workflow sandbox: do it in an activity.',
  },
  { selector: 'ImportExpression', message: 'A workflow bundle is closed: no dynamic import.' },
];

/** The names of types that list what a function works with: their fields say it, so a sentence is free. */
const SELF_EXPLAINING = /(Dependencies|Options|Settings)$/;
/** A sentence that only repeats the name of its type. */
const EMPTY_SENTENCE = /^What [^.]* (needs?|is made of)\.$/;
/** A full stop ends the text, or the part of it before a tag such as `@throws`. */
const SENTENCE = /\.($|\s+@)/;

/** Every export has a sentence that ends with a full stop and says more than its name. */
const documentedExports = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      missing: 'Say in a sentence before the export what it gives, and end the sentence with a full stop.',
      empty:
        'This sentence only repeats the name of its type: say what the type holds, or leave the sentence out.',
    },
  },
  create: ({ sourceCode, report }) => ({
    'ExportNamedDeclaration[declaration]'(node) {
      const name = node.declaration.id?.name ?? '';
      const comment = sourceCode.getCommentsBefore(node).at(-1);
      const isDoc = comment?.type === 'Block' && comment.value.startsWith('*');
      const text = isDoc ? comment.value.replaceAll(/\n\s*\*|^\*/g, ' ').trim() : '';
      if (EMPTY_SENTENCE.test(text)) report({ node, messageId: 'empty' });
      else if (!SENTENCE.test(text) && !(text === '' && SELF_EXPLAINING.test(name))) {
        report({ node, messageId: 'missing' });
      }
    },
  }),
};

const codeFiles = ['**/*.ts'];
const productFiles = [
  'api/**/*.ts',
  'workflows/**/*.ts',
  'activities/**/*.ts',
  'entities/**/*.ts',
  'src/**/*.ts',
];
const allowedEnvironment = ['src/config.ts', 'src/config/**/*.ts', 'src/bin/**/*.ts', 'src/stack/**/*.ts'];
const developerFiles = ['test/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'];

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      '**/dist/',
      'coverage/',
      '.cache/',
      '.dockyard/',
      'test/fixtures/',
      'web/',
      'science/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'dockyard/all',
    files: ['**/*.{ts,js,mjs,cjs}'],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-param-reassign': 'error',
      'no-warning-comments': ['error', { terms: ['fixme', 'xxx'], location: 'start' }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    name: 'dockyard/typescript',
    files: codeFiles,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // A failure that was kept for later is thrown as it was caught.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allowThrowingAny: false, allowThrowingUnknown: true },
      ],
      // An interface may answer a promise although one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // A type parameter that is used once still documents the shape that a caller must give (typed handlers, queries).
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      'no-console': 'error',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...noDefaultExport, ...noEnvironment],
    },
  },
  {
    name: 'dockyard/exports-are-documented',
    files: productFiles,
    ignores: ['src/client/api-types.ts'],
    plugins: { dockyard: { rules: { 'documented-exports': documentedExports } } },
    rules: { 'dockyard/documented-exports': 'error' },
  },
  {
    name: 'dockyard/domain-is-pure',
    files: ['src/domain/**/*.ts', 'src/contracts/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, ...noEnvironment, ...noClockOrChance] },
  },
  {
    name: 'dockyard/workflows-are-deterministic',
    files: ['workflows/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, ...noEnvironment, ...noNodeBuiltins] },
  },
  {
    name: 'dockyard/environment-readers',
    files: allowedEnvironment,
    rules: { 'no-restricted-syntax': ['error', ...noDefaultExport] },
  },
  {
    // TypeORM types the options of a schema as a class, but its documentation passes object literals.
    name: 'dockyard/entities',
    files: ['entities/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
  {
    name: 'dockyard/speaks-to-a-terminal',
    files: ['src/bin/**/*.ts', 'src/cli/**/*.ts', 'src/stack/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    name: 'dockyard/developer-files',
    files: developerFiles,
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': ['error', ...noDefaultExport],
    },
  },
  {
    // Tests read answers of unknown shape and use chai's property assertions, and a describe block cannot be split like
    // a function.
    name: 'dockyard/tests',
    files: ['test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    // Mocha loads a reporter by its default export.
    name: 'dockyard/mocha-reporter',
    files: ['test/support/reporter.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);

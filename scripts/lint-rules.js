// The lint rules of this house, for oxlint. Each is a visitor of syntax in the interface of ESLint's rules, so any linter that
// knows those can run them. Which files a rule is for stands in .oxlintrc.json.

/** A rule that refuses what selectors find: pairs of a selector and what to do instead. */
function refuse(pairs) {
  return {
    meta: { type: 'problem', schema: [] },
    create: ({ report }) =>
      Object.fromEntries(pairs.map(([selector, message]) => [selector, (node) => report({ node, message })])),
  };
}

const NAMED_ONLY = 'Named exports only: a default export has no name to search for.';
const TAKE_CONFIG =
  'Only src/config.ts, src/bin, src/stack and scripts read the environment; take a config value.';
const TAKE_TIME = 'Domain code is pure: take the time as an argument.';

/** The names of types that list what a function works with: their fields say it, so a sentence is free. */
const SELF_EXPLAINING = /(Dependencies|Options|Settings)$/;
/** A full stop ends the text, or the part of it before a tag such as `@throws`. */
const SENTENCE = /\.($|\s+@)/;
const MISSING = 'Say in a sentence before the export what it gives, and end the sentence with a full stop.';

/** Every export has a sentence that ends with a full stop. */
const documentedExports = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ sourceCode, report }) => ({
    'ExportNamedDeclaration[declaration]'(node) {
      const name = node.declaration.id?.name ?? '';
      const comment = sourceCode.getCommentsBefore(node).at(-1);
      const isDoc = comment?.type === 'Block' && comment.value.startsWith('*');
      const text = isDoc ? comment.value.replaceAll(/\n\s*\*|^\*/g, ' ').trim() : '';
      if (!SENTENCE.test(text) && !(text === '' && SELF_EXPLAINING.test(name)))
        report({ node, message: MISSING });
    },
  }),
};

/** Beginnings of a comment that define by a relative clause, so that its reader has to guess the noun. */
const NOUNLESS = /^[\s*]*(What|Who(ever|m|se)?|Which) /;
const NAME_THE_NOUN =
  'A comment names its noun: begin with the thing ("Longest time that ...") or with what a function does ("Finds ...").';

/** No comment begins with a relative clause in the place of a noun. */
const commentNouns = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments())
        if (NOUNLESS.test(comment.value)) report({ node: comment, message: NAME_THE_NOUN });
    },
  }),
};

export default {
  meta: { name: 'dockyard' },
  rules: {
    'comment-nouns': commentNouns,
    'documented-exports': documentedExports,
    'named-exports': refuse([
      ['ExportDefaultDeclaration', NAMED_ONLY],
      ['ExportSpecifier[exported.name="default"]', NAMED_ONLY],
    ]),
    'no-environment': refuse([
      ['MemberExpression[object.name="process"][property.name="env"]', TAKE_CONFIG],
      [
        'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]',
        TAKE_CONFIG,
      ],
    ]),
    'no-clock-or-chance': refuse([
      ['MemberExpression[object.name="Date"][property.name="now"]', TAKE_TIME],
      ['NewExpression[callee.name="Date"][arguments.length=0]', TAKE_TIME],
      ['CallExpression[callee.name="Date"]', TAKE_TIME],
      [
        'MemberExpression[object.name="Math"][property.name="random"]',
        'Domain code is pure: take a seed as an argument.',
      ],
      [
        'CallExpression[callee.name=/^(setTimeout|setInterval|setImmediate|queueMicrotask)$/]',
        'Domain code is pure: it never waits.',
      ],
      ['MemberExpression[object.name="performance"]', 'Domain code is pure: it has no clock.'],
    ]),
    'closed-bundle': refuse([
      [
        'ImportDeclaration[source.value=/^node:/][importKind!="type"]',
        'Node built-ins do not exist in the workflow sandbox: do it in an activity.',
      ],
      ['ImportExpression', 'A workflow bundle is closed: no dynamic import.'],
    ]),
  },
};

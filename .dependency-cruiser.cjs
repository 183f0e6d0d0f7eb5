// The import directions of this repository. The table in .dependency-folders.cjs is the whole truth about folders; here are the
// rules that it becomes, and those that no folder has by itself.
// test/architecture/boundaries.test.ts puts forbidden imports in one by one and proves that each rule bites.
const { FOLDERS, SERVICE_FLOORS, ANY, LOCK } = require('./.dependency-folders.cjs');

/** All folders of the repository that an `-imports` rule looks at. */
const OURS = '^(api|workflows|activities|entities|migrations|src|test|scripts|bench|examples|web)/';

const anyOf = (patterns) => `^(${patterns.join('|')})`;

/** The place of an npm package in node_modules, its type package included. */
const packageAnyOf = (packages) =>
  packages.map((name) => {
    const typesName = name.startsWith('@') ? name.slice(1).replace('/', '__') : name;
    const end = name.endsWith('/') ? '' : '(/|$)';
    return `(^|/)node_modules/(${name}${end}|@types/${typesName}${end})`;
  });

function importRules({ name, path, why, imports, types }) {
  const severity = 'error';
  if (types === undefined) {
    return [
      {
        name: `${name}-imports`,
        comment: why,
        severity,
        from: { path },
        to: { path: OURS, pathNot: anyOf(imports) },
      },
    ];
  }
  return [
    {
      name: `${name}-imports`,
      comment: why,
      severity,
      from: { path },
      to: { path: OURS, pathNot: anyOf([...imports, ...types]) },
    },
    {
      name: `${name}-types-only`,
      comment: `${why} (Only \`import type\` here.)`,
      severity,
      from: { path },
      to: { path: anyOf(types), dependencyTypesNot: ['type-only'] },
    },
  ];
}

function packageRules({ name, path, why, packages, builtins }) {
  const rules = [];
  if (packages !== ANY) {
    const allowed = packageAnyOf(packages);
    rules.push({
      name: `${name}-packages`,
      comment: why,
      severity: 'error',
      from: { path },
      to: { path: '(^|/)node_modules/', ...(allowed.length > 0 ? { pathNot: allowed } : {}) },
    });
  }
  if (!builtins) {
    rules.push({
      name: `${name}-builtins`,
      comment: why,
      severity: 'error',
      from: { path },
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

/** The place of rooms of `src/services`, the name of the room as the first group. */
const roomsOf = (rooms) => `^src/services/(${rooms.join('|')})(?:\\.ts$|/)`;

/** A floor of services knows the floors below it alone, and no room knows another room of its floor. */
const floorRules = SERVICE_FLOORS.map((rooms, floor) => ({
  name: `services-floor-${String(floor)}`,
  comment: 'Services import downwards: see SERVICE_FLOORS in .dependency-folders.cjs.',
  severity: 'error',
  from: { path: roomsOf(rooms) },
  to: { path: roomsOf(SERVICE_FLOORS.slice(floor).flat()), pathNot: '^src/services/$1(?:\\.ts$|/)' },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...FOLDERS.flatMap((folder) => [...importRules(folder), ...packageRules(folder)]),
    {
      name: 'adapters-not-each-other',
      comment: 'An adapter that needs another one is a use case.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'storage-sdk-only-in-storage',
      comment: 'One system, one adapter: the S3 client has one home.',
      severity: 'error',
      from: { path: '^src/adapters/(?!storage/)' },
      to: { path: '(^|/)node_modules/@aws-sdk/(client-s3|s3-request-presigner)(/|$)' },
    },
    {
      name: 'temporal-sdk-only-in-temporal',
      comment: 'One system, one adapter: Temporal connections have one home.',
      severity: 'error',
      from: { path: '^src/adapters/(?!temporal/)' },
      to: { path: '(^|/)node_modules/@temporalio/' },
    },
    {
      name: 'stripe-only-in-payments',
      comment: 'One system, one adapter: the client of Stripe has one home, and its types stay there too.',
      severity: 'error',
      from: { pathNot: '^(src/adapters/payments|test)/' },
      to: { path: '(^|/)node_modules/stripe(/|$)' },
    },
    {
      name: 'parser-of-molecules-in-its-own-process',
      comment: 'The parser of Mol* takes 120 MB; the one program that loads it is started, never imported.',
      severity: 'error',
      from: {
        path: '^(api|activities|src|workflows)/',
        pathNot: '^src/adapters/chemistry/facts-process\\.ts$',
      },
      to: { path: '(^src/adapters/chemistry/facts-process\\.ts$|node_modules/molstar/lib/mol-)' },
    },
    {
      name: 'guests-never-reach-the-inside',
      comment: 'What runs on an instance reaches no use case, table or store, not even through others.',
      severity: 'error',
      from: { path: '^src/(instance|local-host|tools)/' },
      to: {
        path: '^(src/services|src/adapters/(storage|database|payments)|entities|migrations)(\\.ts|/)',
        reachable: true,
      },
    },
    ...floorRules,
    {
      name: 'no-service-without-floor',
      comment: 'A new room of src/services starts with its place in SERVICE_FLOORS.',
      severity: 'error',
      from: { path: '^src/services/', pathNot: roomsOf(SERVICE_FLOORS.flat()) },
      to: {},
    },
    {
      name: 'entry-points-are-the-top',
      comment: 'An entry point is started, never imported.',
      severity: 'error',
      from: { pathNot: '^(src/bin|test|scripts|bench)/' },
      to: { path: '^src/bin/' },
    },
    {
      name: 'no-folder-without-rules',
      comment: 'A new folder under src starts with its line in FOLDERS.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/bin/', ...FOLDERS.map((folder) => folder.path)] },
      to: {},
    },
    {
      name: 'scripts-run-on-old-node',
      comment:
        'The .mjs scripts run before anything is installed: Node built-ins, each other and the lock only.',
      severity: 'error',
      from: { path: `^(scripts/.*\\.mjs$|${LOCK})` },
      to: { dependencyTypesNot: ['core'], pathNot: `^(scripts/.*\\.mjs$|${LOCK})` },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle is two modules that are really one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Code that nothing uses and that uses nothing is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '^test/', '^bench/', '^examples/', '^scripts/', '^migrations/'],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that resolves to nothing is a typing error or a package missing from package.json.',
      severity: 'error',
      // The compiler of the web app finds its packages, which are not those of this package.json.
      from: { pathNot: '^web/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.cache|\\.dockyard|dist|coverage)/' },
    // Without this, `import type` is invisible and the types-only rules cannot tell the two apart.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};

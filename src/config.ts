/**
 * The only reader of the environment (with src/bin and src/stack, which pass it on). Validated once at start; a
 * process with a wrong variable exits and names it. `.env.example` is written from `describeConfig`.
 */
import Joi from 'joi';

/** Which process reads its settings; each gets only what it needs. */
export type ProcessRole = 'api' | 'gateway' | 'control' | 'compute' | 'instance' | 'cli';

interface Setting {
  readonly name: string;
  readonly roles: readonly ProcessRole[];
  readonly schema: Joi.Schema;
  readonly description: string;
}

const CONTROL_SIDE = ['api', 'gateway', 'control', 'cli'] as const;
const TEMPORAL = ['api', 'control', 'compute', 'instance', 'cli'] as const;
const seconds = (value: number): Joi.NumberSchema => Joi.number().positive().default(value);
const count = (value: number): Joi.NumberSchema => Joi.number().integer().min(1).default(value);
const port = (value: number): Joi.NumberSchema => Joi.number().port().default(value);

const SETTINGS = {
  logLevel: {
    name: 'DOCKYARD_LOG_LEVEL',
    roles: ['api', 'gateway', 'control', 'compute', 'instance', 'cli'],
    schema: Joi.string().valid('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
    description: 'Least level that is logged (JSON lines on standard output).',
  },
  healthPort: {
    name: 'DOCKYARD_HEALTH_PORT',
    roles: ['control', 'compute'],
    schema: Joi.number().port().allow(0).default(0),
    description: 'Port for /healthz, /readyz and /metrics of processes without an HTTP API; 0 means none.',
  },
  databaseUrl: {
    name: 'DOCKYARD_DATABASE_URL',
    roles: CONTROL_SIDE,
    schema: Joi.string()
      .uri({ scheme: ['postgres', 'postgresql'] })
      .required(),
    description: 'PostgreSQL connection string.',
  },
  databasePoolSize: {
    name: 'DOCKYARD_DATABASE_POOL_SIZE',
    roles: CONTROL_SIDE,
    schema: count(16),
    description: 'PostgreSQL connections of one process.',
  },
  temporalAddress: {
    name: 'DOCKYARD_TEMPORAL_ADDRESS',
    roles: TEMPORAL,
    schema: Joi.string().required(),
    description: 'host:port of the Temporal frontend.',
  },
  temporalNamespace: {
    name: 'DOCKYARD_TEMPORAL_NAMESPACE',
    roles: TEMPORAL,
    schema: Joi.string().default('default'),
    description: 'Temporal namespace.',
  },
  temporalUiUrl: {
    name: 'DOCKYARD_TEMPORAL_UI_URL',
    roles: ['cli'],
    schema: Joi.string().uri().default('http://127.0.0.1:8233'),
    description: 'Where operators find the Temporal UI; only printed.',
  },
  storageEndpoint: {
    name: 'DOCKYARD_STORAGE_ENDPOINT',
    roles: CONTROL_SIDE,
    schema: Joi.string().uri().required(),
    description: 'S3 endpoint; also the host in presigned URLs.',
  },
  storageRegion: {
    name: 'DOCKYARD_STORAGE_REGION',
    roles: CONTROL_SIDE,
    schema: Joi.string().default('us-east-1'),
    description: 'S3 region.',
  },
  storageBucket: {
    name: 'DOCKYARD_STORAGE_BUCKET',
    roles: CONTROL_SIDE,
    schema: Joi.string().min(3).default('dockyard'),
    description: 'S3 bucket; it must exist.',
  },
  storageAccessKeyId: {
    name: 'DOCKYARD_STORAGE_ACCESS_KEY_ID',
    roles: CONTROL_SIDE,
    schema: Joi.string().required(),
    description: 'S3 access key id.',
  },
  storageSecretAccessKey: {
    name: 'DOCKYARD_STORAGE_SECRET_ACCESS_KEY',
    roles: CONTROL_SIDE,
    schema: Joi.string().required(),
    description: 'S3 secret access key.',
  },
  storagePathStyle: {
    name: 'DOCKYARD_STORAGE_PATH_STYLE',
    roles: CONTROL_SIDE,
    schema: Joi.boolean().default(true),
    description: 'Path-style S3 addresses (endpoint/bucket/key).',
  },
  storageQuotaBytes: {
    name: 'DOCKYARD_STORAGE_QUOTA_BYTES',
    roles: ['api'],
    schema: Joi.number().integer().positive().default(107374182400),
    description: 'Bytes an account on the free plan may store.',
  },
  secret: {
    name: 'DOCKYARD_SECRET',
    roles: ['api', 'gateway', 'control', 'cli'],
    schema: Joi.string().hex().min(64).required(),
    description: 'At least 32 random bytes in hex; signs gateway tokens and cursors.',
  },
  apiHost: {
    name: 'DOCKYARD_API_HOST',
    roles: ['api'],
    schema: Joi.string().default('127.0.0.1'),
    description: 'Address the API listens on.',
  },
  apiPort: {
    name: 'DOCKYARD_API_PORT',
    roles: ['api'],
    schema: port(8080),
    description: 'Port the API listens on.',
  },
  publicUrl: {
    name: 'DOCKYARD_PUBLIC_URL',
    roles: ['api', 'cli'],
    schema: Joi.string().uri().default('http://127.0.0.1:8080'),
    description: 'Where customers reach the API.',
  },
  admissionWaitSeconds: {
    name: 'DOCKYARD_ADMISSION_WAIT_SECONDS',
    roles: ['api'],
    schema: seconds(10),
    description: 'How long a submit waits for its admission before 503.',
  },
  admitBySeconds: {
    name: 'DOCKYARD_ADMIT_BY_SECONDS',
    roles: ['api'],
    schema: seconds(60),
    description: 'An admission that starts later than this after the submit is refused.',
  },
  rateLimitPerMinuteScale: {
    name: 'DOCKYARD_RATE_LIMIT_SCALE',
    roles: ['api'],
    schema: Joi.number().positive().default(1),
    description: 'Multiplies every rate limit.',
  },
  validateAnswers: {
    name: 'DOCKYARD_VALIDATE_ANSWERS',
    roles: ['api'],
    schema: Joi.boolean().default(false),
    description: 'Checks every answer against its schema; for tests.',
  },
  gatewayHost: {
    name: 'DOCKYARD_GATEWAY_HOST',
    roles: ['gateway'],
    schema: Joi.string().default('127.0.0.1'),
    description: 'Address the compute gateway listens on.',
  },
  gatewayPort: {
    name: 'DOCKYARD_GATEWAY_PORT',
    roles: ['gateway'],
    schema: port(8090),
    description: 'Port the compute gateway listens on.',
  },
  gatewayUrl: {
    name: 'DOCKYARD_GATEWAY_URL',
    roles: ['api', 'compute', 'instance', 'control'],
    schema: Joi.string().uri().default('http://127.0.0.1:8090'),
    description: 'Where instances reach the compute gateway.',
  },
  gatewayTokenHours: {
    name: 'DOCKYARD_GATEWAY_TOKEN_HOURS',
    roles: ['control'],
    schema: Joi.number().positive().default(48),
    description: 'Life of an instance token.',
  },
  stagingUrlSeconds: {
    name: 'DOCKYARD_STAGING_URL_SECONDS',
    roles: ['gateway', 'control'],
    schema: seconds(900),
    description: 'Life of the presigned URLs instances get; staging is swept again after it.',
  },
  computeHost: {
    name: 'DOCKYARD_COMPUTE_HOST',
    roles: ['compute'],
    schema: Joi.string().default('127.0.0.1'),
    description: 'Address the local compute host listens on.',
  },
  computePort: {
    name: 'DOCKYARD_COMPUTE_PORT',
    roles: ['compute'],
    schema: port(8091),
    description: 'Port the local compute host listens on.',
  },
  computeUrl: {
    name: 'DOCKYARD_COMPUTE_URL',
    roles: ['control', 'cli'],
    schema: Joi.string().uri().default('http://127.0.0.1:8091'),
    description: 'Where the control side reaches the local compute host.',
  },
  computeToken: {
    name: 'DOCKYARD_COMPUTE_TOKEN',
    roles: ['control', 'compute', 'cli'],
    schema: Joi.string().min(32).required(),
    description: 'Bearer between control side and local compute host.',
  },
  computeDir: {
    name: 'DOCKYARD_COMPUTE_DIR',
    roles: ['compute', 'instance'],
    schema: Joi.string().required(),
    description: 'Folder of the compute host: its table of instances and their work folders.',
  },
  computeMode: {
    name: 'DOCKYARD_COMPUTE_MODE',
    roles: ['compute'],
    schema: Joi.string().valid('process', 'inprocess').default('process'),
    description: 'process: one child per instance; inprocess: all in the host, for scale tests.',
  },
  provider: {
    name: 'DOCKYARD_PROVIDER',
    roles: ['api', 'control', 'cli'],
    schema: Joi.string().valid('local', 'inprocess').default('local'),
    description: 'Provider of instances for new jobs.',
  },
  instanceSlots: {
    name: 'DOCKYARD_INSTANCE_SLOTS',
    roles: ['api'],
    schema: count(2),
    description: 'Tools that run at once on one instance.',
  },
  instanceVcpus: {
    name: 'DOCKYARD_INSTANCE_VCPUS',
    roles: ['api'],
    schema: count(2),
    description: 'vCPUs that one instance counts for in capacity.',
  },
  maxInstancesPerJob: {
    name: 'DOCKYARD_MAX_INSTANCES_PER_JOB',
    roles: ['api'],
    schema: Joi.number().integer().min(1).max(8).default(1),
    description: 'Most instances of one job.',
  },
  capacityVcpus: {
    name: 'DOCKYARD_CAPACITY_VCPUS',
    roles: ['control', 'cli'],
    schema: count(8),
    description: 'vCPUs that may be granted at once in all.',
  },
  accountCapacityVcpus: {
    name: 'DOCKYARD_ACCOUNT_CAPACITY_VCPUS',
    roles: ['control', 'cli'],
    schema: count(8),
    description: 'vCPUs that may be granted at once to one account.',
  },
  computeHeartbeatSeconds: {
    name: 'DOCKYARD_COMPUTE_HEARTBEAT_SECONDS',
    roles: ['api'],
    schema: seconds(15),
    description: 'Heartbeat time-out of compute activities; passing it starts an inquiry.',
  },
  computePickupSeconds: {
    name: 'DOCKYARD_COMPUTE_PICKUP_SECONDS',
    roles: ['api'],
    schema: seconds(60),
    description: 'How long work may wait for an instance before an inquiry.',
  },
  contactSeconds: {
    name: 'DOCKYARD_CONTACT_SECONDS',
    roles: ['compute', 'instance'],
    schema: seconds(2),
    description: 'How often an instance contacts the gateway.',
  },
  silenceSeconds: {
    name: 'DOCKYARD_SILENCE_SECONDS',
    roles: ['control'],
    schema: seconds(10),
    description: 'Silence after which an instance is inquired after.',
  },
  giveUpSeconds: {
    name: 'DOCKYARD_GIVE_UP_SECONDS',
    roles: ['control'],
    schema: seconds(60),
    description: 'Silence, while the gateway was up, after which an instance is replaced.',
  },
  goneConfirmSeconds: {
    name: 'DOCKYARD_GONE_CONFIRM_SECONDS',
    roles: ['control'],
    schema: seconds(5),
    description: 'Time between the two answers that an instance is gone.',
  },
  goneMinAgeSeconds: {
    name: 'DOCKYARD_GONE_MIN_AGE_SECONDS',
    roles: ['control'],
    schema: seconds(60),
    description:
      'Age below which "gone" may be the provider being late; ignored by providers that answer exactly.',
  },
  capacityPollSeconds: {
    name: 'DOCKYARD_CAPACITY_POLL_SECONDS',
    roles: ['api'],
    schema: seconds(10),
    description: 'How often a queued job looks for capacity by itself.',
  },
  commitDelayMs: {
    name: 'DOCKYARD_COMMIT_DELAY_MS',
    roles: ['api'],
    schema: Joi.number().integer().min(0).default(500),
    description: 'Longest time a finished task waits for its commit batch.',
  },
  cancelGraceSeconds: {
    name: 'DOCKYARD_CANCEL_GRACE_SECONDS',
    roles: ['api'],
    schema: seconds(10),
    description: 'Longest time that cancelled tools may take to be gone.',
  },
  taskTimeoutSeconds: {
    name: 'DOCKYARD_TASK_TIMEOUT_SECONDS',
    roles: ['api', 'gateway'],
    schema: seconds(21600),
    description: 'Upper bound of one task; a tool may set less.',
  },
  maxHistoryEvents: {
    name: 'DOCKYARD_MAX_HISTORY_EVENTS',
    roles: ['api'],
    schema: Joi.number().integer().min(100).default(8000),
    description: 'A job workflow continues as new beyond this, or earlier when the server suggests it.',
  },
  sweepSeconds: {
    name: 'DOCKYARD_SWEEP_SECONDS',
    roles: ['control'],
    schema: seconds(60),
    description: 'How often leaked instances, staging and refused requests are swept.',
  },
  controlConcurrency: {
    name: 'DOCKYARD_CONTROL_CONCURRENCY',
    roles: ['control'],
    schema: count(32),
    description: 'Control activities that one worker runs at once.',
  },
  fxUrl: {
    name: 'DOCKYARD_FX_URL',
    roles: ['api'],
    schema: Joi.string().uri().allow('').default(''),
    description: "USD to GBP source answering { rate }; empty: the price book's dated rate.",
  },
  testTools: {
    name: 'DOCKYARD_TEST_TOOLS',
    roles: ['api', 'gateway', 'control', 'compute', 'instance', 'cli'],
    schema: Joi.boolean().truthy('1').falsy('0').default(false),
    description: 'Registers the noop tool; for tests and benchmarks only.',
  },
  redisUrl: {
    name: 'REDIS_URL',
    roles: ['api'],
    schema: Joi.string().uri().allow('').default(''),
    description: 'Shared rate limits for several APIs; empty: counted in each process.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** All settings by their names in code. */
export interface Config {
  readonly logLevel: string;
  readonly healthPort: number;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string;
  readonly storageEndpoint: string;
  readonly storageRegion: string;
  readonly storageBucket: string;
  readonly storageAccessKeyId: string;
  readonly storageSecretAccessKey: string;
  readonly storagePathStyle: boolean;
  readonly storageQuotaBytes: number;
  readonly secret: string;
  readonly apiHost: string;
  readonly apiPort: number;
  readonly publicUrl: string;
  readonly admissionWaitSeconds: number;
  readonly admitBySeconds: number;
  readonly rateLimitPerMinuteScale: number;
  readonly validateAnswers: boolean;
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  readonly gatewayUrl: string;
  readonly gatewayTokenHours: number;
  readonly stagingUrlSeconds: number;
  readonly computeHost: string;
  readonly computePort: number;
  readonly computeUrl: string;
  readonly computeToken: string;
  readonly computeDir: string;
  readonly computeMode: 'process' | 'inprocess';
  readonly provider: 'local' | 'inprocess';
  readonly instanceSlots: number;
  readonly instanceVcpus: number;
  readonly maxInstancesPerJob: number;
  readonly capacityVcpus: number;
  readonly accountCapacityVcpus: number;
  readonly computeHeartbeatSeconds: number;
  readonly computePickupSeconds: number;
  readonly contactSeconds: number;
  readonly silenceSeconds: number;
  readonly giveUpSeconds: number;
  readonly goneConfirmSeconds: number;
  readonly goneMinAgeSeconds: number;
  readonly capacityPollSeconds: number;
  readonly commitDelayMs: number;
  readonly cancelGraceSeconds: number;
  readonly taskTimeoutSeconds: number;
  readonly maxHistoryEvents: number;
  readonly sweepSeconds: number;
  readonly controlConcurrency: number;
  readonly fxUrl: string;
  readonly testTools: boolean;
  readonly redisUrl: string;
}

type Settings = typeof SETTINGS;

/** The settings that a role reads; a guest's type has no database. */
export type ConfigOf<R extends ProcessRole> = {
  readonly [K in keyof Settings as R extends Settings[K]['roles'][number] ? K : never]: Config[K];
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates the settings of one process. Settings of other roles are not read: a guest has no database.
 * @throws Error that names every wrong or missing variable.
 */
export function loadConfig<R extends ProcessRole>(
  role: R,
  env: Environment = process.env,
): Readonly<ConfigOf<R>> {
  const shape: Record<string, Joi.Schema> = {};
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    if (!setting.roles.includes(role)) continue;
    shape[key] = setting.schema.label(setting.name);
    const value = env[setting.name];
    if (value !== undefined && value !== '') values[key] = value;
  }
  const result = Joi.object<ConfigOf<R>>(shape).validate(values, { abortEarly: false });
  if (result.error) {
    throw new Error(
      `Wrong settings for ${role}: ${result.error.details.map((detail) => detail.message).join('; ')}. See .env.example.`,
    );
  }
  return Object.freeze(result.value);
}

/** One documented variable. */
export interface ConfigDescription {
  readonly name: string;
  readonly roles: readonly ProcessRole[];
  readonly required: boolean;
  readonly default: string | null;
  readonly description: string;
}

/** Every variable that Dockyard reads, for `.env.example`, the compose test and the docs. */
export function describeConfig(): readonly ConfigDescription[] {
  return Object.values<Setting>(SETTINGS).map((setting) => {
    const flags = setting.schema.describe()['flags'] ?? {};
    const fallback: unknown = 'default' in flags ? flags.default : null;
    return {
      name: setting.name,
      roles: setting.roles,
      required: 'presence' in flags && flags.presence === 'required',
      default: fallback === null ? null : String(fallback),
      description: setting.description,
    };
  });
}

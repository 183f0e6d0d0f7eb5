/**
 * Every setting of Dockyard: the variable, the roles that read it, bounds and default, and what the setting is for.
 * `npm run docs:settings` writes docs/settings.md from this table.
 */
import Joi from 'joi';

import { CAPACITY_SETTINGS } from './capacity-settings.ts';
import { CODEC_SETTINGS } from './codec-settings.ts';
import { CUSTOMER_SETTINGS } from './customer-settings.ts';
import { DEPLOYMENT_SETTINGS } from './deployment-settings.ts';
import { EC2_SETTINGS } from './ec2-settings.ts';
import { GATEWAY_SETTINGS } from './gateway-settings.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import { MAIL_SETTINGS } from './mail-settings.ts';
import { RATE_SETTINGS } from './rate-settings.ts';
import { PAYMENT_SETTINGS } from './payment-settings.ts';
import { CONTROL_SIDE, EVERY, SERVING, choice, flag, number, text } from './setting.ts';
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts';
import { SPOT_SETTINGS } from './spot-settings.ts';
import { STORAGE_SETTINGS } from './storage-settings.ts';
import { TEMPORAL_SETTINGS } from './temporal-settings.ts';
import { TRACE_SETTINGS } from './trace-settings.ts';

export type { ProcessRole, Setting } from './setting.ts';

const count = (value: number): Joi.NumberSchema => Joi.number().integer().min(1).default(value);
const port = (value: number): Joi.NumberSchema => Joi.number().port().default(value);

/** All settings, by their names in code. */
export const SETTINGS = {
  logLevel: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'DOCKYARD_LOG_LEVEL',
    EVERY,
    'Least level that is logged (JSON lines on standard output).',
  ),
  healthPort: number(
    Joi.number().port().allow(0).default(0),
    'DOCKYARD_HEALTH_PORT',
    SERVING,
    'Port for /healthz, /readyz and /metrics, apart from the port that customers or instances reach; 0 means none.',
  ),
  healthHost: text(
    Joi.string().default('127.0.0.1'),
    'DOCKYARD_HEALTH_HOST',
    SERVING,
    'Address that port listens on; whoever reaches it reads the metrics without a key.',
  ),
  databaseUrl: text(
    Joi.string()
      .uri({ scheme: ['postgres', 'postgresql'] })
      .required(),
    'DOCKYARD_DATABASE_URL',
    CONTROL_SIDE,
    'PostgreSQL connection string.',
  ),
  databasePoolSize: number(
    count(16),
    'DOCKYARD_DATABASE_POOL_SIZE',
    CONTROL_SIDE,
    'PostgreSQL connections of one process; half of those of a control worker serve money and state alone.',
  ),
  ...TEMPORAL_SETTINGS,
  ...CODEC_SETTINGS,
  ...DEPLOYMENT_SETTINGS,
  ...STORAGE_SETTINGS,
  secret: text(
    Joi.string().hex().min(64).required(),
    'DOCKYARD_SECRET',
    CONTROL_SIDE,
    'At least 32 random bytes in hex; signs the tokens of instances, of resolved ligands and of quotes.',
  ),
  furtherSecrets: text(
    Joi.string()
      .pattern(/^[0-9a-f]{64,}(,[0-9a-f]{64,})*$/i, { name: 'secrets in hex, separated by commas' })
      .allow('')
      .default(''),
    'DOCKYARD_FURTHER_SECRETS',
    ['api', 'gateway', 'control'],
    'Secrets whose tokens are taken too while DOCKYARD_SECRET is changed, separated by commas: first the next one, then the one before.',
  ),
  ...CUSTOMER_SETTINGS,
  receiptKeys: text(
    Joi.string()
      .pattern(/^[a-z0-9-]{1,32}:[0-9a-f]{64}(,[a-z0-9-]{1,32}:[0-9a-f]{64})*$/, {
        name: 'id:key, the key 32 bytes in hex; several apart by commas',
      })
      .allow('')
      .default(''),
    'DOCKYARD_RECEIPT_KEYS',
    ['control'],
    'Private keys of receipts: id:key, such as 2026-11:…, the key 32 random bytes in hex. Several apart by commas: the first signs, the public parts of all are published and stay published. Empty: no receipt is signed until there is a key.',
  ),
  apiHost: text(
    Joi.string().default('127.0.0.1'),
    'DOCKYARD_API_HOST',
    ['api'],
    'Address the API listens on.',
  ),
  apiPort: number(port(8080), 'DOCKYARD_API_PORT', ['api'], 'Port the API listens on.'),
  publicUrl: text(
    Joi.string().uri().default('http://127.0.0.1:8080'),
    'DOCKYARD_PUBLIC_URL',
    ['api', 'control', 'cli'],
    'Where customers reach the API.',
  ),
  ...MAIL_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...PAYMENT_SETTINGS,
  ...LIMIT_SETTINGS,
  trustProxy: flag(
    Joi.boolean().default(false),
    'DOCKYARD_TRUST_PROXY',
    ['api'],
    'Takes the address of a client from the end of X-Forwarded-For; only behind a proxy that writes it.',
  ),
  validateAnswers: flag(
    Joi.boolean().default(false),
    'DOCKYARD_VALIDATE_ANSWERS',
    ['api'],
    'Checks every answer against its schema; for tests.',
  ),
  ...GATEWAY_SETTINGS,
  gatewayUrl: text(
    Joi.string().uri().default('http://127.0.0.1:8090'),
    'DOCKYARD_GATEWAY_URL',
    ['api', 'compute', 'instance', 'control', 'cli'],
    'Where instances reach the compute gateway.',
  ),
  computeHost: text(
    Joi.string().default('127.0.0.1'),
    'DOCKYARD_COMPUTE_HOST',
    ['compute'],
    'Address the local compute host listens on.',
  ),
  computePort: number(
    port(8091),
    'DOCKYARD_COMPUTE_PORT',
    ['compute'],
    'Port the local compute host listens on.',
  ),
  computeUrl: text(
    Joi.string().uri().default('http://127.0.0.1:8091'),
    'DOCKYARD_COMPUTE_URL',
    ['control', 'cli'],
    'Where the control side reaches the local compute host.',
  ),
  computeToken: text(
    Joi.string()
      .min(32)
      .when('provider', { is: 'ec2', then: Joi.string().allow('').default(''), otherwise: Joi.required() }),
    'DOCKYARD_COMPUTE_TOKEN',
    ['control', 'compute', 'cli'],
    'Bearer between control side and local compute host; not needed without a local host.',
  ),
  computeDir: text(
    Joi.string().required(),
    'DOCKYARD_COMPUTE_DIR',
    ['compute', 'instance'],
    'Folder of the compute host: its table of instances and their work folders.',
  ),
  computeMode: choice(
    ['process', 'inprocess'],
    'process',
    'DOCKYARD_COMPUTE_MODE',
    ['compute'],
    'process: one child per instance; inprocess: all in the host, for scale tests.',
  ),
  sciencePython: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_SCIENCE_PYTHON',
    ['api', 'control', 'compute', 'instance'],
    'Python with the packages of science/autodock-vina/requirements.lock, which the set-up makes; without it no tool of science runs, previews of ligands have no charge at a pH, and nothing is picked or clustered.',
  ),
  ccdPath: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_CCD',
    ['api', 'control', 'compute', 'instance'],
    'Index of the Chemical Component Dictionary, which the set-up makes; without it the API resolves SMILES alone.',
  ),
  ...EC2_SETTINGS,
  instanceSlots: number(
    count(2),
    'DOCKYARD_INSTANCE_SLOTS',
    ['api', 'cli'],
    'Tools that run at once on one instance.',
  ),
  instanceVcpus: number(
    count(2),
    'DOCKYARD_INSTANCE_VCPUS',
    ['api', 'cli'],
    'vCPUs that one instance counts for in capacity.',
  ),
  instanceMemoryMib: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_INSTANCE_MEMORY_MIB',
    ['api', 'cli'],
    'Memory of one instance, for the number of tasks that run at once; 0: not counted.',
  ),
  instanceDiskMib: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_INSTANCE_DISK_MIB',
    ['api', 'cli'],
    'Disk of one instance, for the number of tasks that run at once; 0: not counted.',
  ),
  instanceGpus: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_INSTANCE_GPUS',
    ['api', 'cli'],
    'GPUs of one instance, where all instances are alike; 0: none. Those of a cloud have what their class has.',
  ),
  instanceGpuMemoryMib: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_INSTANCE_GPU_MEMORY_MIB',
    ['api', 'cli'],
    'Memory of each GPU of an instance, for the jobs that it has room for; 0: not counted. `dockyard admin tools` tells what the driver says.',
  ),
  maxInstancesPerJob: number(
    Joi.number()
      .integer()
      .min(1)
      .max(64)
      .default(1)
      .when('provider', { is: 'ec2', then: Joi.number().default(16) }),
    'DOCKYARD_MAX_INSTANCES_PER_JOB',
    ['api', 'cli'],
    'Most instances of one job, up to 64; 16 where it is not set and the provider is ec2.',
  ),
  ...CAPACITY_SETTINGS,
  ...SPOT_SETTINGS,
  ...RATE_SETTINGS,
  ...TRACE_SETTINGS,
  structuresUrl: text(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .default('https://files.rcsb.org/download'),
    'DOCKYARD_STRUCTURES_URL',
    ['api', 'control'],
    'Folder of the {ID}.cif files that receptorPdbId is fetched from; exported scenes name entries there.',
  ),
  testTools: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_TEST_TOOLS',
    EVERY,
    'A module of this checkout whose tools are registered besides; for tests and benchmarks only.',
  ),
};

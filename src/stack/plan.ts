// From options to processes: which ports they get and how each is run, probed and stopped.
import { join } from 'node:path';
import type { ChildSpec } from './child.ts';
import { roleEnvironment, stackEnvironment, systemEnvironment, type Role } from './environment.ts';
import { ALL_ROLES, processNames, type Server, type StackOptions } from './options.ts';
import { DEFAULT_PORTS, holdPort, portCandidates, type HeldPort } from './ports.ts';
import { postgresCommand, postgresUrl, type PostgresPlace } from './postgres.ts';
import { answersGrpcHealth, answersOk, answersSql } from './probes.ts';
import { loadState, saveState, type StackState } from './state.ts';
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

/** Everything that is decided before the first process starts. */
export interface StackPlan {
  readonly options: StackOptions;
  readonly place: PostgresPlace;
  readonly state: StackState;
  readonly settings: Readonly<Record<string, string>>;
  readonly system: Readonly<Record<string, string>>;
  readonly tools: { readonly temporal: string; readonly versitygw: string };
  /** Gives back a held port, because the process of that port is about to listen on it. */
  release(name: string): Promise<void>;
  /** Gives back the ports whose processes were never started. */
  releaseAll(): Promise<void>;
}

/** Chooses ports, makes secrets, finds the tools and saves it all, so that the next start is the same. */
export async function planStack(options: StackOptions, place: PostgresPlace): Promise<StackPlan> {
  const { home, environment } = options;
  const tools = {
    temporal: findTool('temporal', environment),
    versitygw: findTool('versitygw', environment),
  };
  const science = scienceSettings(environment);
  const saved = loadState(home);
  const held = await holdPorts(options, saved.ports);
  const ports = { ...saved.ports, ...Object.fromEntries([...held].map(([name, { port }]) => [name, port])) };
  const settings = { ...stackEnvironment(home, { ...saved, ports }), ...science, ...options.settings };
  const passedOn = Object.entries(environment).filter(
    ([name]) => name.startsWith('DOCKYARD_') && !name.endsWith('_BIN'),
  );
  const known: Record<string, string> = {};
  for (const [name, value] of passedOn) if (value !== undefined) known[name] = value;
  const state: StackState = { ...saved, ports, environment: { ...known, ...settings } };
  saveState(home, state);
  const release = async (name: string): Promise<void> => {
    const port = held.get(name);
    held.delete(name);
    await port?.release();
  };
  const releaseAll = async (): Promise<void> => {
    await Promise.all([...held.keys()].map(release));
  };
  return {
    options,
    place,
    state,
    settings,
    system: systemEnvironment(environment),
    tools,
    release,
    releaseAll,
  };
}

async function holdPorts(options: StackOptions, saved: StackState['ports']): Promise<Map<string, HeldPort>> {
  const held = new Map<string, HeldPort>();
  const defaults: Readonly<Record<string, number>> = DEFAULT_PORTS;
  const names = new Set([
    ...Object.keys(defaults),
    ...ALL_ROLES.flatMap((role) => processNames(role, options)).flatMap((name) => [
      ...(hasServicePort(name) ? [name] : []),
      healthPortName(name),
    ]),
  ]);
  for (const name of names) {
    const preferred = options.randomPorts ? undefined : defaults[name];
    const taken = new Set([...held.values()].map(({ port }) => port));
    // A default port that another process of this stack may want is passed over.
    for (const [other, port] of Object.entries(defaults)) if (other !== name) taken.add(port);
    held.set(name, await holdPort(portCandidates(saved[name], preferred, Math.random), taken));
  }
  return held;
}

/** The control worker serves nothing; the one address of compute hosts is a setting that others read too. */
function hasServicePort(name: string): boolean {
  return /^(api|gateway)/.test(name);
}

function healthPortName(name: string): string {
  return `${name}-health`;
}

/** The port of one name. */
export function portOf(plan: StackPlan, name: string): number {
  const port = plan.state.ports[name];
  if (port === undefined) throw new Error(`No port was chosen for ${name}.`);
  return port;
}

function logOf(plan: StackPlan, name: string): string {
  return join(plan.options.home, 'logs', `${name}.log`);
}

/** The three servers. */
export function planServers(plan: StackPlan): Record<Server, ChildSpec> {
  const { options, place, state, tools, system } = plan;
  const adminUrl = postgresUrl(portOf(plan, 'postgres'), state.secrets.databasePassword, 'postgres');
  let sidecar = state.storageSidecar;
  const quick = { stopTimeoutMs: 10_000, quickStopSignal: 'SIGKILL' } as const;
  return {
    postgres: {
      name: 'postgres',
      log: logOf(plan, 'postgres'),
      command: () => postgresCommand(place, portOf(plan, 'postgres'), options.durable !== false),
      probe: () => answersSql(adminUrl),
      beforeFirstStart: () => plan.release('postgres'),
      // SIGTERM would wait for clients to leave; SIGQUIT still gives shared memory back, which SIGKILL does not.
      stopSignal: 'SIGINT',
      quickStopSignal: 'SIGQUIT',
      stopTimeoutMs: 15_000,
    },
    temporal: {
      name: 'temporal',
      log: logOf(plan, 'temporal'),
      command: () =>
        temporalCommand(
          tools.temporal,
          options.home,
          { server: portOf(plan, 'temporal'), ui: portOf(plan, 'temporal-ui') },
          system,
        ),
      probe: () => answersGrpcHealth(`127.0.0.1:${portOf(plan, 'temporal')}`),
      beforeFirstStart: async () => {
        await Promise.all([plan.release('temporal'), plan.release('temporal-ui')]);
      },
      stopSignal: 'SIGTERM',
      ...quick,
    },
    storage: {
      name: 'storage',
      log: logOf(plan, 'storage'),
      command: () =>
        storageCommand(tools.versitygw, options.home, portOf(plan, 'storage'), {
          secrets: state.secrets,
          sidecar,
          environment: system,
        }),
      probe: () => answersOk(`http://127.0.0.1:${portOf(plan, 'storage')}/healthz`),
      beforeFirstStart: () => plan.release('storage'),
      onExit: (logTail) => {
        if (sidecar || !lacksExtendedAttributes(logTail)) return;
        sidecar = true;
        saveState(options.home, { ...state, storageSidecar: true });
      },
      stopSignal: 'SIGTERM',
      ...quick,
    },
  };
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
          { health: portOf(plan, health), service: served === undefined ? undefined : portOf(plan, served) },
          plan.settings,
          plan.options.environment,
        ),
        folder: projectRoot,
        channel: true,
      }),
      probe: () => answersOk(`${urlOf(plan, served ?? health)}/healthz`),
      beforeFirstStart: async () => {
        await Promise.all([served ?? role, health].map((port) => plan.release(port)));
      },
      onMessage,
      stopSignal: 'SIGTERM',
      quickStopSignal: 'SIGKILL',
      stopTimeoutMs: 15_000,
    };
  });
}

/** Where a process of ours answers `/readyz`. */
export function readinessUrl(plan: StackPlan, name: string): string {
  return `${healthUrl(plan, name)}/readyz`;
}

/** Where a process of ours answers about itself: `/healthz`, `/readyz`, `/metrics`. */
export function healthUrl(plan: StackPlan, name: string): string {
  return urlOf(plan, healthPortName(name));
}

/** The address of one name's port. */
export function urlOf(plan: StackPlan, name: string): string {
  return `http://127.0.0.1:${portOf(plan, name)}`;
}

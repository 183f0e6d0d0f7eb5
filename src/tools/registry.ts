/**
 * Registry of the tools, which finds the tool of a request. A request whose tool is not registered is refused with the code that
 * says so, by submit and estimate alike.
 */
import { createRequire } from 'node:module';

import { AppError } from '../domain/errors.ts';
import type { KnownJobMetadata, SubmitJobRequest } from '../domain/requests.ts';
import { AMBIGUOUS_SIMULATORS, CONTRACT_ALIASES, CONTRACT_SIMULATORS } from '../domain/simulators.ts';
import { TOOLS } from './index.ts';
import type { StepSummaries } from './shown.ts';
import type { Tool } from './tool.ts';

/** A request's tool, and its simulator in canonical spelling (null for jobs without one). */
export interface ResolvedTool {
  readonly tool: Tool;
  readonly simulator: string | null;
}

/** The parts of a request that name its tool. */
export type NamingRequest = Pick<SubmitJobRequest, 'jobType' | 'simulator'> & {
  readonly metadata?: Pick<KnownJobMetadata, 'software' | 'renderer'>;
};

/** The tools of this installation. */
export interface ToolRegistry {
  /**
   * The tool with this id, internal tools included.
   * @throws UNSUPPORTED_SIMULATOR.
   */
  find(id: string): Tool;
  /**
   * The tool of a request: the one that `simulator` names, or for jobs without a simulator the one of the job type that
   * `metadata.software`, or else `metadata.renderer`, names. Without such a name the first of the job type is meant.
   * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED.
   */
  resolve(request: NamingRequest): ResolvedTool;
  /** The canonical spelling of a simulator's name, also where no tool of that name is registered. */
  canonical(simulator: string): string;
  /** The tool with this id, internal tools included; null when it is not registered. */
  lookUp(id: string): Tool | null;
  /** The ids of all tools, internal tools included. */
  ids(): readonly string[];
  /** Makes the tools' own parts of a job's status and manifest: null for every part but that of the job's tool. */
  statusParts(id: string, steps: StepSummaries): Readonly<Record<string, unknown>>;
}

/** Selection of the registered tools. */
export interface RegistryOptions {
  /** A module with tools for tests and benchmarks, which are registered besides; empty for none. */
  readonly testTools: string;
  /** The tools of the product, when not those of this installation. */
  readonly tools?: readonly Tool[];
}

/** Makes the registry. */
export function createToolRegistry({ testTools, tools = TOOLS }: RegistryOptions): ToolRegistry {
  const registered = [...tools, ...toolsOf(testTools)];
  const all = byId(registered);
  // The service itself makes the jobs of its own tools; no request names such a tool.
  const submittable = registered.filter(({ about }) => about.audience !== 'service');
  const simulators = byId(submittable.filter(({ about }) => about.jobType === 'simulation'));
  const offered = [...simulators.values()]
    .filter(({ about }) => about.audience === 'customers')
    .map(({ about }) => about.id);
  const aliases = new Map([...CONTRACT_ALIASES, ...registered.flatMap(aliasesOf)]);

  const among = (known: ReadonlyMap<string, Tool>, id: string): Tool => {
    const tool = known.get(id);
    if (tool === undefined) throw unsupported(id, offered);
    return tool;
  };
  /** Case, `_` and spaces do not count, and common aliases are known. */
  const canonical = (simulator: string): string => {
    const name = folded(simulator);
    return aliases.get(name) ?? name;
  };

  return {
    find: (id) => among(all, id),
    canonical,
    lookUp: (id) => all.get(id) ?? null,
    ids: () => [...all.keys()],
    statusParts: (id, steps) =>
      Object.fromEntries(
        registered.flatMap(({ about, shown: { statusPart } }) =>
          statusPart === null
            ? []
            : [[statusPart.name, about.id === id ? statusPart.read(steps) : null] as const],
        ),
      ),
    resolve(request) {
      if (request.jobType === 'simulation') {
        const simulator = canonical(requireSimulator(request.simulator));
        if (!simulators.has(simulator)) refuseAmbiguous(simulator);
        return { tool: among(simulators, simulator), simulator };
      }
      if (request.jobType === 'pipeline') {
        throw new AppError(
          'PIPELINE_DISABLED',
          'Jobs of type pipeline are not enabled here. Submit a simulation and a render job.',
        );
      }
      return { tool: bySoftware(submittable, request), simulator: null };
    },
  };
}

/** The list `TOOLS` of a module of the checkout, which is loaded once in a process. */
function toolsOf(path: string): readonly Tool[] {
  if (path === '') return [];
  const module: unknown = createRequire(import.meta.url)(path);
  if (!hasTools(module)) throw new Error(`${path} exports no list TOOLS.`);
  return module.TOOLS;
}

function hasTools(module: unknown): module is { readonly TOOLS: readonly Tool[] } {
  return typeof module === 'object' && module !== null && 'TOOLS' in module;
}

function aliasesOf({ about }: Tool): (readonly [string, string])[] {
  return about.aliases.map((alias) => [alias, about.id] as const);
}

function byId(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.about.id, tool]));
}

/** Case, `_` and spaces of a name do not count. */
function folded(name: string): string {
  return name.trim().toLowerCase().replace(/[_\s]/g, '-');
}

/** @throws JOB_TYPE_UNAVAILABLE when no tool of the job type takes the software of the request. */
function bySoftware(tools: readonly Tool[], { jobType, metadata = {} }: NamingRequest): Tool {
  const known = tools.filter(({ about }) => about.jobType === jobType);
  const software = metadata.software ?? metadata.renderer ?? '';
  const name = folded(software);
  const tool = known.find((one) => name === '' || namesOf(one).includes(name));
  if (tool !== undefined) return tool;
  const why =
    known.length === 0
      ? `Jobs of type ${jobType} cannot be run here yet. Use another job type.`
      : `Jobs of type ${jobType} cannot be run here with the software ${short(software)}. Use one of: ${known.flatMap(namesOf).join(', ')}.`;
  throw new AppError('JOB_TYPE_UNAVAILABLE', why);
}

function namesOf({ about: { id, aliases } }: Tool): readonly string[] {
  return [id, ...aliases];
}

function short(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

/** @throws VALIDATION_ERROR without a name. */
function requireSimulator(sent: string | undefined): string {
  if (sent !== undefined) return sent;
  throw new AppError('VALIDATION_ERROR', 'simulator: is required for jobs of type simulation.');
}

/** @throws UNSUPPORTED_SIMULATOR for a name that could mean several simulators. */
function refuseAmbiguous(simulator: string): void {
  const meant = AMBIGUOUS_SIMULATORS.get(simulator);
  if (meant === undefined) return;
  throw new AppError(
    'UNSUPPORTED_SIMULATOR',
    `The simulator ${simulator} is ambiguous. Use ${meant.join(' or ')}.`,
  );
}

function unsupported(id: string, offered: readonly string[]): AppError {
  const known = CONTRACT_SIMULATORS.some((simulator) => simulator === id);
  const instead = offered.length === 0 ? 'None can be run here yet.' : `Use one of: ${offered.join(', ')}.`;
  const shown = short(id);
  return new AppError(
    'UNSUPPORTED_SIMULATOR',
    known
      ? `The simulator ${shown} cannot be run here yet. ${instead}`
      : `The simulator ${shown} is not supported. ${instead}`,
  );
}

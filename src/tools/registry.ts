/**
 * Which tool runs a request. All simulator ids and job types of the contract are known here. A request whose tool is
 * not registered is refused with the code that says so, by submit and estimate alike.
 */
import { fileURLToPath } from 'node:url';

import { AppError } from '../domain/errors.ts';
import type { JobType } from '../domain/requests.ts';
import { createInspect } from './inspect/inspect.ts';
import { noop } from './noop.ts';
import type { Tool } from './tool.ts';
import type { ScienceInstallation } from './vina/session.ts';
import { toolchainSha256 } from './vina/toolchain.ts';
import { createVina } from './vina/vina.ts';

/** Simulators of the contract, in the order of its text. */
export const SIMULATORS = [
  'autodock-vina',
  'fpocket',
  'blastp',
  'blastn',
  'alphafold',
  'esmfold',
  'swan',
  'wavewatch3',
] as const;

const ALIASES: Readonly<Record<string, string>> = {
  vina: 'autodock-vina',
  alphafold2: 'alphafold',
  af2: 'alphafold',
  ww3: 'wavewatch3',
};

/** The installation of a process that plans and judges, and runs no Python session itself. */
const NO_SCIENCE: ScienceInstallation = {
  python: null,
  ccd: null,
  sourceFolder: fileURLToPath(new URL('../../science', import.meta.url)),
};
const TEST_TOOLS: readonly Tool[] = [noop];

/** A request's tool, and its simulator in canonical spelling (null for jobs without one). */
export interface ResolvedTool {
  readonly tool: Tool;
  readonly simulator: string | null;
}

/** The tools of this installation. */
export interface ToolRegistry {
  /**
   * The tool with this id: a simulator in canonical spelling, a job type without simulators, or an internal tool.
   * @throws UNSUPPORTED_SIMULATOR.
   */
  find(id: string): Tool;
  /**
   * The tool of a request; aliases of simulators are folded.
   * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED.
   */
  resolve(request: { readonly jobType: JobType; readonly simulator?: string }): ResolvedTool;
  /** The canonical spelling of a simulator's name, also where no tool of that name is registered. */
  canonical(simulator: string): string;
  /** The ids of all tools, internal tools included. */
  ids(): readonly string[];
  /** The digest of the Python code that prepares, docks and inspects. */
  toolchainSha256(): string;
}

/** Which tools are registered, and where the Python side is installed, in a process that runs it. */
export interface RegistryOptions {
  /** Whether the tools for tests and benchmarks are registered. */
  readonly testTools: boolean;
  readonly science?: Pick<ScienceInstallation, 'python' | 'ccd'>;
}

/** Makes the registry. */
export function createToolRegistry({ testTools, science }: RegistryOptions): ToolRegistry {
  const installed = { ...NO_SCIENCE, ...science };
  let toolchain: string | null = null;
  const landed: readonly Tool[] = [createVina(installed)];
  const submittable = byId([...landed, ...(testTools ? TEST_TOOLS : [])]);
  // The service itself makes the jobs of internal tools; no request names an internal tool.
  const tools = byId([...submittable.values(), createInspect(installed)]);
  const simulators = [...submittable.values()].filter(
    (tool) => tool.jobType === 'simulation' && !tool.testOnly,
  );
  const offered = simulators.map((tool) => tool.id);

  const among = (known: ReadonlyMap<string, Tool>, id: string): Tool => {
    const tool = known.get(id);
    if (tool === undefined) throw unsupported(id, offered);
    return tool;
  };

  return {
    find: (id) => among(tools, id),
    canonical: fold,
    ids: () => [...tools.keys()],
    // The digest is computed once, because the sources of a running process do not change.
    toolchainSha256: () => (toolchain ??= toolchainSha256(installed.sourceFolder)),
    resolve(request) {
      if (request.jobType === 'simulation') {
        const simulator = simulatorOf(request.simulator);
        return { tool: among(submittable, simulator), simulator };
      }
      if (request.jobType === 'pipeline') {
        throw new AppError(
          'PIPELINE_DISABLED',
          'Jobs of type pipeline are not enabled here. Submit a simulation and a render job.',
        );
      }
      const tool = submittable.get(request.jobType);
      if (tool !== undefined) return { tool, simulator: null };
      throw new AppError(
        'JOB_TYPE_UNAVAILABLE',
        `Jobs of type ${request.jobType} cannot be run here yet. Use another job type.`,
      );
    },
  };
}

function byId(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.id, tool]));
}

/** @throws VALIDATION_ERROR without a name, UNSUPPORTED_SIMULATOR when it is ambiguous. */
function simulatorOf(sent: string | undefined): string {
  if (sent === undefined) {
    throw new AppError('VALIDATION_ERROR', 'simulator: is required for jobs of type simulation.');
  }
  const simulator = fold(sent);
  if (simulator !== 'blast') return simulator;
  throw new AppError('UNSUPPORTED_SIMULATOR', 'The simulator blast is ambiguous. Use blastp or blastn.');
}

/** Case, `_` and spaces do not count, and common aliases are known. */
function fold(simulator: string): string {
  const folded = simulator.trim().toLowerCase().replace(/[_\s]/g, '-');
  return Object.hasOwn(ALIASES, folded) ? (ALIASES[folded] ?? folded) : folded;
}

function unsupported(id: string, offered: readonly string[]): AppError {
  const known = SIMULATORS.some((simulator) => simulator === id);
  const instead = offered.length === 0 ? 'None can be run here yet.' : `Use one of: ${offered.join(', ')}.`;
  const shown = id.length > 64 ? `${id.slice(0, 64)}…` : id;
  return new AppError(
    'UNSUPPORTED_SIMULATOR',
    known
      ? `The simulator ${shown} cannot be run here yet. ${instead}`
      : `The simulator ${shown} is not supported. ${instead}`,
  );
}

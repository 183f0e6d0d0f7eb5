/**
 * What a simulator or renderer is to Dockyard. One file or folder per tool implements this: the control side plans,
 * prices and verifies; the compute side runs a *session*: a warm process per slot that does many tasks, one at a time.
 */
import type { StagedOutput, TaskInput, TaskLimits } from '../contracts/instance.ts';
import type { JobPlan, StepKind } from '../contracts/job.ts';
import type { PriceBook, TaskPricing } from '../domain/pricing.ts';
import type { SimulationParams, SubmitJobRequest } from '../domain/requests.ts';

/** The parts of a request that plan and price depend on; an estimate has no more. */
export type PlannableRequest = Pick<
  SubmitJobRequest,
  | 'jobType'
  | 'simulator'
  | 'taskCount'
  | 'simulationParams'
  | 'recovery'
  | 'metadata'
  | 'frameStart'
  | 'frameEnd'
  | 'frameStep'
  | 'parameters'
>;

/** What an installation offers a plan. */
export interface PlanLimits {
  readonly maxInstances: number;
  readonly slotsPerInstance: number;
  readonly vcpusPerInstance: number;
}

/** How a session of the tool is started on an instance. */
export interface SessionCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Reads a committed output whole and answers what `parse` makes of it, for tools whose outputs are read before they count.
 * The bytes count against a budget of the process until `parse` has returned: they must not be kept.
 */
export type ReadOutput = <T>(name: string, parse: (bytes: Uint8Array) => T) => Promise<T>;

/** A stored file that the job reads, with the name it is known by inside the job. */
export interface NamedFile {
  readonly storageKey: string;
  readonly name: string;
}

/** A deposited structure that the control side fetches and pins under `name` before anything runs. */
export interface NamedStructure {
  readonly pdbId: string;
  readonly name: string;
}

/** What the job pinned of a file, by the file's name inside the job. */
export type PinnedFiles = ReadonlyMap<string, { readonly storageKey: string; readonly sha256: string }>;

/**
 * What a preparation is known by, so that a later job of the account need not do it again. `staleField`: the first
 * field of the preparation that the request sent which differs from the job's own; null when none does or none was sent.
 */
export interface PreparationIdentity {
  readonly cacheKey: string;
  readonly staleField: string | null;
}

/** What the prepare step is told of earlier preparations. */
export interface PreparationContext {
  /** Outputs of an equal preparation are among the inputs, as `cached/{name}`. */
  readonly cached: boolean;
  readonly staleField: string | null;
}

/** A task or step as it ended, for what is made of all of them. */
export interface FinishedTask {
  readonly kind: StepKind | 'task';
  readonly ordinal: number;
  readonly itemId: string;
  readonly state: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Of a step all of it, of a task the tool's `finishNumbers`. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly failureCode: string | null;
}

/** A file that the control side makes when the work has ended. */
export interface FinishFile {
  readonly name: string;
  readonly kind: string;
  readonly mediaType: string;
  readonly format: string | null;
  readonly body: Uint8Array;
}

/** A tool. Everything but `session` runs on the control side. */
export interface Tool {
  /** The contract's simulator id or job type. */
  readonly id: string;
  readonly jobType: 'simulation' | 'render' | 'molecular';
  /** Never in the OpenAPI document or catalogue: registered only with DOCKYARD_TEST_TOOLS=1. */
  readonly testOnly: boolean;
  readonly needsSceneFile: boolean;
  /**
   * The simulation parameters that it reads. A request may carry others: the tool is not given them, and its customer is
   * warned. Null: it is given all, as the tools for tests are.
   */
  readonly reads: readonly (keyof SimulationParams)[] | null;
  /**
   * Checks what the schema cannot, at submit (`estimate` false) and estimate (true: inputs may be missing).
   * @throws AppError with the code that the customer gets.
   */
  check(request: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>, estimate: boolean): void;
  plan(request: PlannableRequest, limits: PlanLimits): JobPlan;
  price(request: PlannableRequest, plan: JobPlan, book: PriceBook): TaskPricing;
  /** The seed that every task uses when the request names none or 0; null for tools without seeds. */
  seed(request: PlannableRequest, draw: () => number): number | null;
  /** The item ids of all tasks in order: ligand ids, frame numbers or indices. */
  itemIds(request: SubmitJobRequest, plan: JobPlan): readonly string[];
  /** Stored files that the job reads; pinned at submit. */
  inputs(request: SubmitJobRequest): readonly NamedFile[];
  /** Deposited structures that the job reads; fetched and pinned in the job's first activity. */
  structures(request: SubmitJobRequest): readonly NamedStructure[];
  /** The files of one task or step: pinned ones by name, and outputs of the prepare step (read as `prepared/{name}`). */
  taskInputs(
    request: SubmitJobRequest,
    kind: Exclude<StepKind, 'finish'> | 'task',
    ordinal: number,
  ): { readonly inputs: readonly TaskInput[]; readonly prepared: readonly string[] };
  limits(request: SubmitJobRequest): TaskLimits;
  /** What is the same for all tasks of the job, given to the session when it starts. */
  sessionSpec(
    request: SubmitJobRequest,
    facts: { readonly effectiveSeed: number | null; readonly inputs: PinnedFiles },
  ): Readonly<Record<string, unknown>>;
  /** What one task needs; small. `context` matters to the prepare step only. */
  taskSpec(
    request: SubmitJobRequest,
    kind: Exclude<StepKind, 'finish'> | 'task',
    ordinal: number,
    context: PreparationContext,
  ): Readonly<Record<string, unknown>>;
  /** What the preparation is known by; null for tools that keep none. */
  preparation(request: SubmitJobRequest, inputs: PinnedFiles): PreparationIdentity | null;
  /** Names of the prepare step's outputs that a later job re-uses, all or none. */
  cachedOutputs(request: SubmitJobRequest): readonly string[];
  /** The most bytes of one output, by its kind. An output of a kind that is not named is a fault. */
  readonly outputBytes: Readonly<Record<string, number>>;
  /**
   * Judges committed outputs: names complete, and where the tool demands it the bytes themselves.
   * @returns null when good, else why not (the task is done again, `OUTPUT_UNVERIFIED` when it keeps failing). Whatever
   * it throws is a fault of the outputs too, because an instance wrote what it read; an outage of the store is not.
   */
  verify(
    kind: StepKind | 'task',
    item: { readonly itemId: string },
    outputs: readonly StagedOutput[],
    read: ReadOutput,
  ): Promise<string | null>;
  /** The numbers in a task's summary that `finishFiles` is made of: of ten thousand summaries it is told no more. */
  readonly finishNumbers: readonly string[];
  /** Files made of all that was verified, besides the manifest: rankings, views. */
  finishFiles(request: SubmitJobRequest, tasks: readonly FinishedTask[]): readonly FinishFile[];
  /** Whether its sessions take seconds to start: idle slots then start theirs while the preparation runs. */
  readonly startsAhead: boolean;
  /** Starts a session on the instance; speaks the session protocol (session-protocol.ts) on file descriptors 3 and 4. */
  session(workFolder: string): SessionCommand;
}

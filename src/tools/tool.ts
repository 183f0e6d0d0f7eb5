/**
 * What a simulator or renderer is to Dockyard. One file per tool implements this: the control side plans, prices and
 * verifies; the compute side runs a *session*: a warm process per slot that does many tasks, one at a time.
 */
import type { StagedOutput, TaskLimits } from '../contracts/compute.ts';
import type { JobPlan, StepKind } from '../contracts/job.ts';
import type { PriceBook, TaskPricing } from '../domain/pricing.ts';
import type { SubmitJobRequest } from '../domain/requests.ts';

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

/** Bytes of a committed output, for tools whose outputs are read and parsed before they count. */
export type ReadOutput = (name: string) => Promise<Uint8Array>;

/** A tool. Everything but `session` runs on the control side. */
export interface Tool {
  /** The contract's simulator id or job type. */
  readonly id: string;
  readonly jobType: 'simulation' | 'render' | 'molecular';
  /** Never in the OpenAPI document or catalogue: registered only with DOCKYARD_TEST_TOOLS=1. */
  readonly testOnly: boolean;
  readonly needsSceneFile: boolean;
  /**
   * Checks what the schema cannot, at submit (`estimate` false) and estimate (true: inputs may be missing).
   * @throws AppError with the code that the customer gets.
   */
  check(request: PlannableRequest, estimate: boolean): void;
  plan(request: PlannableRequest, limits: PlanLimits): JobPlan;
  price(request: PlannableRequest, plan: JobPlan, book: PriceBook): TaskPricing;
  /** The seed that every task uses when the request names none or 0; null for tools without seeds. */
  seed(request: PlannableRequest, draw: () => number): number | null;
  /** The item ids of all tasks in order: ligand ids, frame numbers or indices. */
  itemIds(request: SubmitJobRequest, plan: JobPlan): readonly string[];
  /** Storage keys that the tasks read, with the file name each is staged under. */
  inputs(request: SubmitJobRequest): readonly { readonly storageKey: string; readonly name: string }[];
  limits(request: SubmitJobRequest): TaskLimits;
  /** What is the same for all tasks of the job, given to the session when it starts. */
  sessionSpec(request: SubmitJobRequest, effectiveSeed: number | null): Readonly<Record<string, unknown>>;
  /** What one task needs; small. */
  taskSpec(
    request: SubmitJobRequest,
    kind: Exclude<StepKind, 'finish'> | 'task',
    ordinal: number,
  ): Readonly<Record<string, unknown>>;
  /**
   * Judges committed outputs: names complete, and where the tool demands it the bytes themselves.
   * @returns null when good, else why not (the task is done again, `OUTPUT_UNVERIFIED` when it keeps failing).
   */
  verify(kind: StepKind | 'task', outputs: readonly StagedOutput[], read: ReadOutput): Promise<string | null>;
  /** Starts a session on the instance; speaks the session protocol (session-protocol.ts) on file descriptors 3 and 4. */
  session(workFolder: string): SessionCommand;
}

/**
 * The interface of a simulator or renderer. One folder per tool implements the interface, and `index.ts` has one line for
 * each: the control side plans, prices and verifies; an instance runs a *session*, a warm process per slot that does one
 * task after the other. The interface is cut into facets, so that code asks for no more of a tool than it needs.
 */
import type { StagedOutput, TaskInput, TaskLimits } from '../contracts/instance.ts';
import type { JobPlan, StepKind, WorkKind } from '../contracts/job.ts';
import type { UnavailableReason } from '../domain/availability.ts';
import type { CodeGroup, ToolRefusal } from '../domain/codes/code.ts';
import type { CatalogueDatabase, DatabaseCatalogue } from '../domain/databases.ts';
import type { DockingParameters, ReceptorIdentity } from '../domain/docking-records.ts';
import type { JsonObject } from '../domain/json.ts';
import type { CountedResource, PlanLimits, TaskResources } from '../domain/machines.ts';
import type { Priced } from '../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../domain/pricing.ts';
import type { ArtifactReference, SimulationParams, SubmitJobRequest } from '../domain/requests.ts';
import type { PackDefinition } from '../packs/pack.ts';
import type { ToolCommand } from './command.ts';
import type { FinishedJob, FinishFile } from './finished.ts';
import type { ToolShown } from './shown.ts';
import type { OutputReader } from './output-readers.ts';
import type { JobWarning } from '../domain/warnings.ts';

/** The parts of a request on which plan and price depend; an estimate has no other parts. */
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

export type { PlanLimits } from '../domain/machines.ts';

/** Sizes of a job's inputs, as far as they are known when the job is priced. */
export interface InputSizes {
  /** The bytes of each stored input by its name inside the job; null at an estimate, where no input is looked at. */
  readonly bytes: ReadonlyMap<string, number> | null;
  /**
   * The bytes of all inputs. At an estimate they come from `metadata.totalSizeGB`, or else from the tool's
   * `defaultInputBytes`.
   */
  readonly totalBytes: number;
  /** The letters of the catalogue's database that the job reads; absent when the job reads none. */
  readonly databaseLetters?: number;
}

/** Places of the Python side on this machine; both are null on a machine that runs no session. */
export interface ToolInstallation {
  readonly python: string | null;
  /** The indexed Chemical Component Dictionary. */
  readonly ccd: string | null;
  /** The programs of the tool's pack by their names, as absolute paths; absent for tools without one. */
  readonly programs?: Readonly<Record<string, string>>;
  /** vCPUs of the slot whose session is started; absent elsewhere. */
  readonly vcpus?: number;
}

/** Command that starts a session of the tool on an instance. */
export interface SessionCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Files and folders that the session reads besides the system's own, the inputs of its tasks and its pack: interpreter, code,
   * data. In a sandbox the session sees no others. One that is not there is left out.
   */
  readonly reads: readonly string[];
}

/**
 * Reads a committed output and answers what the reader makes of it, for tools that verify their outputs. The reader gets
 * the output piece by piece, and the memory that the reader says it takes counts against a budget of the process.
 */
export type ReadOutput = <T>(name: string, reader: OutputReader<T>) => Promise<T>;

/** Reads the beginning of a stored input; `isWhole` says that the file has no more bytes. */
export type ReadBeginning = (
  storageKey: string,
  mostBytes: number,
) => Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean; readonly byteSize: number }>;

/** A stored file that the job reads, with the file's name inside the job. */
export interface NamedFile {
  readonly storageKey: string;
  readonly name: string;
}

/** A database of the catalogue that a job reads, and the job's parameters with all that the catalogue says. */
export interface NamedDatabase {
  readonly database: CatalogueDatabase;
  readonly params: SimulationParams;
}

/** A deposited structure. The control side fetches the structure and pins it under `name` before any task runs. */
export interface NamedStructure {
  readonly pdbId: string;
  readonly name: string;
  /** The failures of a job whose structure is not in the archive, or cannot be fetched from it. */
  readonly failures: { readonly absent: string; readonly unreachable: string };
}

/** A stored artifact that a request names by reference, with its path within `simulationParams`. */
export interface NamedReference {
  readonly path: string;
  readonly reference: ArtifactReference;
}

/** Figures of a price model, with where they come from, and the day (YYYY-MM-DD) on which they were taken. */
export interface PriceFigures {
  readonly source: string;
  readonly date: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** The pinned key and digest of a file, by the name of the file inside the job. */
export type PinnedFiles = ReadonlyMap<string, { readonly storageKey: string; readonly sha256: string }>;

/**
 * The identity of a preparation, by which a later job of the account finds it. `staleField` is the first field of the
 * preparation in the request that differs from the job's own; null when no field differs or the request has no
 * preparation.
 */
export interface PreparationIdentity {
  readonly cacheKey: string;
  readonly staleField: string | null;
}

/** Facts of a key of reuse beside the request. */
export interface ReuseFacts {
  readonly accountId: string;
  /** The key of the job's preparation; null for tools that keep none. */
  readonly cacheKey: string | null;
  readonly effectiveSeed: number | null;
  /** The class of processors that the preparation has told; null where it tells none. */
  readonly cpuClass: string | null;
  /** The build of the programs, where the site has brought them and the preparation tells it; null elsewhere. */
  readonly build: string | null;
  readonly toolchainSha256: string;
  /** The digests of the job's stored files, by storage key. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * Reuse of a verified task of an earlier job for a task: the two are of the same content, whatever either is called. The files
 * of a task that is taken over keep the name in them under which they were made.
 */
export interface ToolReuse {
  /**
   * The keys by which tasks are found that have made what the tasks of this job would make; null for a task without. `read` answers
   * the bytes of a stored input as it was pinned, or null where they are gone or changed.
   */
  keys(
    request: SubmitJobRequest,
    facts: ReuseFacts,
    read: (storageKey: string) => Promise<Uint8Array | null>,
  ): Promise<readonly (string | null)[]>;
  /** The name that an output of one item has as the output of another. */
  readonly outputName: (name: string, from: string, to: string) => string;
}

/** Earlier preparations, for the prepare step. */
export interface PreparationContext {
  /** Whether the outputs of an equal preparation are among the inputs, as `cached/{name}`. */
  readonly cached: boolean;
  readonly staleField: string | null;
}

/** Context of a task or step beside the request. */
export interface TaskContext extends PreparationContext {
  /** The ordinals of all verified tasks, ascending, for the merge; empty for everything else. */
  readonly verified: readonly number[];
}

/** A part of a stored file, so that an instance fetches the part and not the file. */
export interface FileRange {
  /** The name under which the part is an input. */
  readonly name: string;
  /** The name of the stored file inside the job. */
  readonly of: string;
  /** The bytes of the part, `end` not included, and their digest. */
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
}

/** Inputs of one task or step, by the names inside the job. */
export interface TaskReads {
  readonly inputs: readonly TaskInput[];
  /** Parts of stored files that are read as files of their own; `inputs` has their names. */
  readonly ranges?: readonly FileRange[];
  /** Outputs of the prepare step, which are read as `prepared/{name}`. */
  readonly prepared: readonly string[];
  /** Outputs of verified tasks, for the merge: names `outputs/{ordinal}/{name}`, under which they are read. */
  readonly committed?: readonly string[];
}

/** Names of a tool, its audience, and notes for its readers. */
export interface ToolAbout {
  /** The contract's simulator id or job type. */
  readonly id: string;
  /**
   * Other names by which a request may mean the tool, in lower case with `-` for spaces and `_`: as its simulator, or, for types without
   * simulators, as its software, such as an engine or a version.
   */
  readonly aliases: readonly string[];
  readonly jobType: 'simulation' | 'render' | 'molecular';
  readonly title: string;
  /** One sentence about the tool. */
  readonly summary: string;
  /** The licence of the program that the tool runs. */
  readonly licence: { readonly name: string; readonly url: string };
  /** The tool's page, as a path from the root of the repository. */
  readonly docsPage: string;
  /**
   * Callers of the tool: customers; tests and benchmarks (of a module that DOCKYARD_TEST_TOOLS names, and offered to nobody); or the
   * service itself, which makes the jobs of the tool, so that no request names the tool.
   */
  readonly audience: 'customers' | 'tests' | 'service';
  /** The thing that one task of a job computes. */
  readonly unit: JobPlan['unit'];
}

/** Files that a job reads of the project package of its scene file: those of one path, or all. */
export type PackageWish = PackageParts | WholePackage;

/** All files of a package, the newest of each path. */
export interface WholePackage {
  readonly mostFiles: number;
}

/** A file of a package, or its parts. */
export interface PackageParts {
  readonly path: string;
  /** Endings behind the path in the names of the parts where no file has the path itself; for JavaScript and PostgreSQL. */
  readonly endings: string;
  /** The refusal of parts that were uploaded at different times. */
  readonly mixed: ToolRefusal;
}

/** Choice of a variant of a tool's programs by a request. */
export interface VariantChoice {
  /** The field that names the variant, as a refusal writes it. */
  readonly field: string;
  /** Reads the name of the variant; null for the programs without one. */
  of(request: PlannableRequest): string | null;
}

/** Fields of a request that a tool reads, and its refusals. */
export interface ToolRequest {
  readonly needsSceneFile: boolean;
  /**
   * The simulation parameters that the tool reads. A request may have others: the tool does not get them, and the
   * customer is warned. With null the tool gets all parameters, as the tools for tests do.
   */
  readonly reads: readonly (keyof SimulationParams)[] | null;
  /**
   * Defaults of parameters that are not sent. All simulators share one schema of parameters, so the schema has no defaults.
   * Absent for tools without any.
   */
  readonly defaults?: Readonly<Partial<Record<keyof SimulationParams, number | string>>>;
  /** Notes on fields in jobs of this tool for the API document, as an end of "With TOOL …"; no full stop. */
  readonly notes?: Readonly<Partial<Record<keyof SimulationParams | 'taskCount', string>>>;
  /** JSON Schema of bodies that ask for the tool, where they are bounded more closely than others. */
  readonly rules?: JsonObject;
  /** `simulationParams` of a job of the tool, as documents show it; absent for tools that no document takes as its example. */
  readonly example?: JsonObject;
  /**
   * Checks what the schema cannot check, at submit (`estimate` false) and at estimate (true: inputs may be missing).
   * @throws AppError with the code that the customer gets.
   */
  check(
    request: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile' | 'attachments' | 'outputFormat'>,
    estimate: boolean,
  ): void;
  /** Reads which variant of the tool's programs the request is for; absent for tools whose programs have none. */
  readonly variant?: VariantChoice;
  /** Warns a customer before and when the request is paid for; absent for tools that have no warnings. */
  readonly warnings?: (request: PlannableRequest) => readonly JobWarning[];
  /**
   * Looks into stored inputs at submit, when the files are known to be there; absent for tools that read their inputs on
   * an instance only.
   * @throws AppError with the code that the customer gets.
   */
  readonly lookInto?: (request: SubmitJobRequest, read: ReadBeginning) => Promise<void>;
  /**
   * Settles what a request leaves open about the variant of the tool's programs, by what its stored inputs say; `offered` are the
   * variants that can be run now, with null for the programs without one. The job keeps the request as it is settled. Absent for tools
   * that take what is named.
   */
  readonly settle?: (
    request: SubmitJobRequest,
    read: ReadBeginning,
    offered: readonly (string | null)[],
  ) => Promise<SubmitJobRequest>;
  /**
   * Names the files that the job reads of the project package of its scene file, when no attachment is meant; null for none. They
   * become attachments of the job. Absent for tools that read nothing of a package.
   */
  readonly packageFiles?: (request: SubmitJobRequest) => PackageWish | null;
  /**
   * The database of the catalogue that the job reads, or null; absent for tools that read none. At a submit the files of
   * the database become the attachments of the job, whatever attachments the request has.
   * @throws AppError with the code that the customer gets.
   */
  readonly database?: (
    request: PlannableRequest,
    catalogue: DatabaseCatalogue,
  ) => Promise<NamedDatabase | null>;
  /** The artifacts that the parameters name by reference, in the order of the request; submit compares each with its row. */
  artifactReferences(params: SimulationParams): Iterable<NamedReference>;
}

/** Planning of a job: its tasks, and their price. */
export interface ToolPlanning {
  /** Whether the price of a task is known at submit, or follows the seconds of the task's run. */
  readonly priceModel: 'fixed' | 'measured';
  /** Computes the needs of one task. A request whose task needs more than an instance has is refused. */
  resources(request: PlannableRequest): TaskResources;
  /** The request with its GPU decided, where `resources` says that one is optional; absent where it never does. */
  readonly decideGpu?: (request: SubmitJobRequest, usesGpu: boolean) => SubmitJobRequest;
  /** The fields of a request that decide what a task needs, for the refusal; absent when no field does. */
  readonly resourceFields?: Readonly<Partial<Record<CountedResource, string>>>;
  /** The plan; its instances, slots and vCPUs are those that `machinesFor` derives from `resources`. */
  plan(request: PlannableRequest, limits: PlanLimits): JobPlan;
  price(request: PlannableRequest, plan: JobPlan, book: PriceBook, inputs: InputSizes): TaskPricing;
  /**
   * Picks the values of the request and of its inputs that `price` and `classes` read, besides the number of tasks: requests with
   * equal values have equal prices from any one price book.
   */
  priced(request: PlannableRequest, inputs: InputSizes): Priced;
  /** The price class of each task, in the order of the tasks; null when `price` has one class, or measures. */
  classes(request: PlannableRequest, plan: JobPlan, inputs: InputSizes): readonly string[] | null;
  /**
   * The size of all inputs that an estimate without `metadata.totalSizeGB` counts with. Null for tools whose price does
   * not depend on sizes: these tools do not get the field.
   */
  readonly defaultInputBytes: number | null;
  /** Figures of the tool in the price book; null for a tool without any of its own. */
  readonly figures: PriceFigures | null;
  /** The seed that every task uses when the request names none or 0; null for tools without seeds. */
  seed(request: PlannableRequest, draw: () => number): number | null;
  /** The item ids of all tasks in order: ligand ids, frame numbers or indices. */
  itemIds(request: SubmitJobRequest, plan: JobPlan): readonly string[];
}

/** The files that a job and its tasks read. */
export interface ToolInputs {
  /** The stored files that the job reads; submit pins them. */
  stored(request: SubmitJobRequest): readonly NamedFile[];
  /** The deposited structures that the job reads; the first activity of the job fetches and pins them. */
  structures(request: SubmitJobRequest): readonly NamedStructure[];
  /** The files of one task or step; only the merge uses `context`. */
  taskInputs(request: SubmitJobRequest, kind: WorkKind, ordinal: number, context: TaskContext): TaskReads;
  /** The identity of the preparation; null for tools that keep none. */
  preparation(request: SubmitJobRequest, inputs: PinnedFiles): PreparationIdentity | null;
  /** The cache key of the preparation that a summary of the prepare step names; null when it names none. */
  preparedAs(summary: unknown): string | null;
  /** Reuse of verified results of earlier jobs; absent for tools whose results are not reused. */
  readonly reuse?: ToolReuse;
  /** Names of the prepare step's outputs that a later job re-uses, all or none. */
  cachedOutputs(request: SubmitJobRequest): readonly string[];
}

/**
 * Checkpoints of a task, from which its next attempt goes on: its session sends `checkpoint` with files of its output folder, and
 * the next attempt reads the last ones that were kept as the inputs `checkpoint/{path}`. A session checks what it reads there,
 * and begins again where it cannot use the files.
 */
export interface ToolCheckpoint {
  /** The kind of the outputs that hold the state. */
  readonly kind: string;
  /**
   * The step that proves for each job that a resumed run is the run: the summary of the step has `resumable`, and `resumableReason`
   * where it is false. Absent for tools whose tasks go on in every job, unless a summary says otherwise.
   */
  readonly provenBy?: 'prepare';
}

/** Work of a tool. Only `session` runs on the instance, the rest on the control side. */
export interface ToolWork {
  limits(request: SubmitJobRequest): TaskLimits;
  /** The specification that all tasks of the job share; the session gets it at its start. */
  sessionSpec(
    request: SubmitJobRequest,
    facts: { readonly effectiveSeed: number | null; readonly inputs: PinnedFiles },
  ): Readonly<Record<string, unknown>>;
  /** The specification of one task; it must be small. Only the prepare step and the merge use `context`. */
  taskSpec(
    request: SubmitJobRequest,
    kind: WorkKind,
    ordinal: number,
    context: TaskContext,
  ): Readonly<Record<string, unknown>>;
  /** Checkpoints of a task that is lost; null for tools whose tasks begin again. */
  readonly checkpoint: ToolCheckpoint | null;
  /**
   * Whether a session of the tool takes seconds to start; idle slots then start their sessions when the preparation
   * tells its first progress.
   */
  readonly startsAhead: boolean;
  /**
   * The command that starts a session on the instance; the session speaks the protocol of session-protocol.ts on file
   * descriptors 3 and 4.
   */
  session(workFolder: string, installation: ToolInstallation): SessionCommand;
  /** The digest of the code that a session of the tool runs. */
  toolchainSha256(): string;
}

/** Record that a tool has read of verified outputs; to everybody who does not know the tool it is nothing but its kind. */
export interface ToolRecord {
  readonly kind: string;
}

/**
 * Verdict of a tool on outputs: their fault as a text; or the record that is kept of them; or null where the outputs are good and
 * nothing is recorded.
 */
export type Verdict = string | ToolRecord | null;

/** Failure of a job, with its words. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
}

/** A control that has ended. */
export interface EndedControl {
  /** Null for a control that was done. */
  readonly failure: ToolFailure | null;
  readonly summary: Readonly<Record<string, unknown>> | null;
}

/** Outputs of a tool, and how they are judged. */
export interface ToolOutputs {
  /** The most bytes of one output, by its kind. An output of a kind that is not named is a fault. */
  readonly largestBytes: Readonly<Record<string, number>>;
  /**
   * Judges committed outputs: every expected name is there and, where the tool demands it, the bytes are right.
   * Whatever `verify` throws is a fault of the outputs too, because an instance wrote what `verify` read; an outage of
   * the store is not.
   * @returns what the tool found. A task whose outputs are wrong runs again, and fails with `OUTPUT_UNVERIFIED` in the
   * end. A record is written in the transaction that commits the outputs, for tasks and not for steps.
   */
  verify(
    kind: StepKind | 'task',
    item: {
      readonly itemId: string;
      /** Whether the job prepares ligands and docks none; absent for every other job. */
      readonly isDryRun?: boolean;
    },
    outputs: readonly StagedOutput[],
    read: ReadOutput,
  ): Promise<Verdict>;
  /**
   * Finds why no task may run after the control of the job; null where the control lets them. Absent for tools whose control decides
   * nothing.
   */
  readonly controlMiss?: (request: SubmitJobRequest, control: EndedControl) => ToolFailure | null;
  /**
   * The numbers and SHA-256 digests of a task's summary from which `finishFiles` is made. `finishFiles` gets nothing else of a summary, because
   * an instance wrote the summary and a summary may be large.
   */
  readonly finishValues: readonly string[];
  /** Makes files from everything that was verified, besides the manifest: rankings, views. */
  finishFiles(
    request: SubmitJobRequest,
    job: FinishedJob,
  ): readonly FinishFile[] | Promise<readonly FinishFile[]>;
}

/** Screening of the ligands of a run or a batch of docking by a tool. */
export interface ToolScreening {
  /** Whether the ligands meet a receptor; tools for tests have none. */
  readonly needsReceptor: boolean;
  /** The parameters of a job besides its ligands. Without a receptor the parameters are empty. */
  paramsOf(receptor: ReceptorIdentity | null, parameters: DockingParameters | null): SimulationParams;
}

/** Codes of a tool that are met in one place, as documents show them. */
export type ToolCodeGroup = Pick<CodeGroup, 'title' | 'note' | 'codes'>;

/** Every code that a tool gives, with its words; documents, `explain` and the API's lists of codes are made from them. */
export interface ToolCodes {
  /** Why a request is refused, at submit and mostly at estimate too; by code. */
  readonly refusals: Readonly<Record<string, ToolRefusal>>;
  /** Why its tasks and steps fail. */
  readonly failures: readonly ToolCodeGroup[];
  /** Warnings of its jobs. */
  readonly warnings: readonly ToolCodeGroup[];
  /** Warnings that only its reports carry, and no job. */
  readonly reports: readonly ToolCodeGroup[];
  /** Refusals of its command of the command line alone; absent where it has none. */
  readonly commands?: readonly ToolCodeGroup[];
  /** Further advice in its jobs about failures that every tool has, by code. */
  readonly advice?: Readonly<Record<string, string>>;
}

/** Devices of a machine besides packs. */
export interface MachineFacts {
  readonly hasGpu: boolean;
}

/** A tool, in facets. */
export interface Tool {
  readonly about: ToolAbout;
  readonly request: ToolRequest;
  readonly planning: ToolPlanning;
  readonly inputs: ToolInputs;
  readonly work: ToolWork;
  readonly outputs: ToolOutputs;
  readonly shown: ToolShown;
  readonly codes: ToolCodes;
  /** Screening in runs and batches of docking; absent for tools that serve none. */
  readonly screening?: ToolScreening;
  /** The programs that an instance needs for the tool; null when they are set up with the service itself. */
  readonly pack: PackDefinition | null;
  /** The tool's own command of the command line; absent for tools without any, whose jobs `dockyard submit` takes. */
  readonly command?: ToolCommand;
  /**
   * Finds the lack of a machine besides the programs of the tool's pack: a GPU, a model, a database; null for none. The host asks
   * every ten seconds, so the answer must cost no process. Absent: the tool needs no more.
   */
  readonly lacks?: (machine: MachineFacts) => Promise<UnavailableReason | null>;
}

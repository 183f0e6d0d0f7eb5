/**
 * The command that a tool brings to the command line: what the command is told, the job that it makes of it, and what it
 * shows of the job's results. The command line itself prices, asks, uploads, submits and follows, the same for every tool,
 * so a command here imports nothing of the command line and nothing that talks to a service.
 */
import type {
  ArtifactReference,
  CreateDockingBatchRequest,
  EstimateJobRequest,
  OutputItem,
  SubmitJobRequest,
} from '../client/types.ts';
import type { SeenTask, TextLine } from './shown.ts';

/** A value of an option that cannot be taken; the message says what would be right. */
export class OptionRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OptionRefusal';
  }
}

/** Refusal of something that the command line names, so nothing was sent. */
export class CommandRefusal extends Error {
  /** A code of the tool's facet `codes`, or `VALIDATION_ERROR`. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CommandRefusal';
    this.code = code;
  }
}

/** Reader of the text of an option. */
export type OptionReader =
  | { readonly kind: 'text'; readonly longest: number }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  /** @throws OptionRefusal. */
  | { readonly kind: 'own'; readonly read: (text: string) => unknown };

/** An option of a command. */
export interface CommandOption {
  /** As the help shows it, such as `--chains <ids>`. */
  readonly flags: string;
  readonly description: string;
  readonly isRequired?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly read?: OptionReader;
  /** The reader answers a list, and the lists of an option that is given several times are put together. */
  readonly repeats?: true;
}

/** Stores files of this machine at the service, each once however often the same command is repeated. */
export interface JobFiles {
  /** Stores a file and answers its storage key; `purpose` tells the file from the others of the job. */
  upload(file: {
    readonly path: string;
    readonly contentType: string;
    readonly purpose: string;
  }): Promise<string>;
  /**
   * Stores a folder as a project package, each file at its path; empty files and links that lead out are left. The same folder is one
   * package however often the same command is repeated.
   */
  uploadFolder(folder: {
    readonly path: string;
    readonly purpose: string;
  }): Promise<readonly { readonly logicalPath: string; readonly storageKey: string }[]>;
  /** Stores a file and registers it as an artifact, to which requests refer. */
  register(file: {
    readonly path: string;
    readonly contentType: string;
    readonly purpose: string;
    readonly format: ArtifactReference['format'];
    readonly label: string;
  }): Promise<ArtifactReference>;
  /** Tells the person what is being done. */
  readonly progress: (line: string) => void;
}

/** A job that a command line means, before anything is sent. */
export interface CommandJob {
  readonly estimate: EstimateJobRequest;
  /** Offer to the person, beside the price. */
  readonly offer: readonly TextLine[];
  /** Notes for the person before agreeing, line by line. */
  readonly notes?: readonly string[];
  /** Note on the failed parts of a job that are not paid for. */
  readonly priceNote: string;
  /** The name of the job when the person gives none. */
  readonly name: string;
  /** Stores what the job reads and answers the request; the command line adds the name. */
  place(files: JobFiles): Promise<SubmitJobRequest>;
}

/** Receptor and protocol of a screening by the options of a command line, before anything is sent. */
export interface Screening {
  /** Offer to the person, beside ligands and price. */
  readonly offer: readonly TextLine[];
  /** A name of the receptor for people. */
  readonly receptorName: string;
  readonly parameters: NonNullable<CreateDockingBatchRequest['parameters']>;
  /** Preparation of each ligand; null where the options do not say. */
  readonly ligandPreparation: NonNullable<CreateDockingBatchRequest['ligandPreparation']> | null;
  readonly priceNote: string;
  /** Asks for the price of ligands of these sizes, in heavy atoms; null where a size is not known. */
  estimateOf(sizes: readonly (number | null)[]): EstimateJobRequest;
  /** Stores the receptor. */
  place(files: JobFiles): Promise<NonNullable<CreateDockingBatchRequest['receptor']>>;
}

/** An experiment or batch as the service has it, as far as its price depends on it. */
export interface PricedRecord {
  readonly receptor_identity?: unknown;
  readonly parameters?: unknown;
  /** Preparation of the ligands of a batch's library; the one ligand of an experiment has its own. */
  readonly ligand_preparation?: unknown;
  readonly ligand_identity?: unknown;
}

/** Options of a tool's experiments and batches, and their readers. */
export interface ScreeningCommand<Options> {
  /** The options that say what is docked to and how; none of them names ligands. */
  readonly options: readonly CommandOption[];
  /** @throws CommandRefusal. */
  readonly prepare: (options: Options, folder: string) => Screening;
  /** Why the ligands that the command of the tool is told are docked as a batch, for people; null for few of them. */
  readonly manyLigands: (options: Options, folder: string) => Promise<string | null>;
  /** Asks for the price of docking ligands of these sizes by a record; null where the record cannot be read. */
  readonly estimateOfRecord: (
    record: PricedRecord,
    sizes: readonly (number | null)[],
  ) => EstimateJobRequest | null;
}

/** Results of a job, as far as a command shows them. */
export interface JobResults {
  tasks(): AsyncIterable<SeenTask>;
  /** The bytes of the output of this kind and name, held against its digest; null when there is none. */
  read(kind: OutputItem['kind'], name: string): Promise<Uint8Array | null>;
}

/** Findings of a job. */
export interface CommandFindings {
  /** For programs: members that are added to the JSON of the command. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly columns: readonly { readonly title: string; readonly align?: 'right' }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Note on the rows; the only text where there are none. */
  readonly note: string;
}

/** A command of a tool. `Options` are the values of its options, by their names in camel case. */
export interface JobCommand<Options> {
  /** Name and arguments, such as `pockets <file|pdb-id>`. */
  readonly usage: string;
  readonly summary: string;
  /** Command lines without `dockyard`. */
  readonly examples: readonly string[];
  readonly options: readonly CommandOption[];
  /** Part that `--watch` shows besides the end of the job, in words; null when nothing more. */
  readonly shows: string | null;
  /** Reads what the command line names. @throws CommandRefusal. */
  readonly prepare: (
    options: Options,
    args: readonly string[],
    folder: string,
  ) => CommandJob | Promise<CommandJob>;
  /** Reads the findings of the job; null while there are none. Absent where following the job has shown all. */
  readonly findings?: (results: JobResults) => Promise<CommandFindings | null>;
  /** Absent for tools that serve no experiments and batches; the command itself makes a batch of many ligands by it. */
  readonly screening?: ScreeningCommand<Options>;
}

/**
 * The facet of a tool that brings a command: the tool hands its command to whoever asks, together with the type of the
 * command's options. Two tools may share a command: the same function.
 */
export type ToolCommand = (take: <Options>(command: JobCommand<Options>) => void) => void;

/** A wave model as it says itself; all that the models do alike is in this folder. */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { PackDefinition } from '../../packs/pack.ts';
import type { ToolCommand } from '../command.ts';
import type { Report } from '../json-report.ts';
import type { OutputReader } from '../output-readers.ts';
import type { TaskSummary } from '../shown.ts';
import type { PlannableRequest, PriceFigures, ToolAbout, ToolCodes } from '../tool.ts';

/** Figures by which runs are priced. */
export interface WaveFigures {
  readonly defaultTaskSeconds: number;
  readonly microsecondsPerNumber: number;
  readonly overheadFactor: number;
  readonly outputBytes: number;
  readonly storageMonths: number;
  readonly [name: string]: number;
}

/** The reports of a model. */
export interface WaveReports {
  readonly plan: OutputReader<Report<unknown>>;
  readonly result: OutputReader<Report<{ readonly files: readonly string[] }>>;
}

/** A wave model. */
export interface WaveModel extends Pick<ToolAbout, 'id' | 'title' | 'summary' | 'docsPage'> {
  readonly aliases: readonly string[];
  readonly pack: PackDefinition;
  readonly price: PriceFigures & { readonly figures: WaveFigures };
  /** The entries of `parameters` that this model alone reads. */
  readonly parameters: readonly string[];
  /** Where the physics of a case are chosen besides the build, as the end of a refusal. */
  readonly physicsNote: string;
  /** The outputs of the preparation, which every task reads. */
  readonly prepared: readonly string[];
  readonly reports: WaveReports;
  /** Outputs of a task that its report does not list. */
  readonly unlisted: readonly string[];
  /** The module of its session, and the folders of `science/` whose code the session is made of. */
  readonly session: { readonly module: string; readonly packages: readonly string[] };
  readonly taskSummary: TaskSummary;
  readonly codes: ToolCodes;
  readonly command?: ToolCommand;
  /**
   * Checks what this model alone asks of a request.
   * @throws AppError.
   */
  check(request: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>): void;
  /** Further members of the specification that all tasks of a job share. */
  spec(request: PlannableRequest): Readonly<Record<string, unknown>>;
}

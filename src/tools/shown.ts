/** Views of a tool's jobs: for programs in the API, and for people on the command line. */
import type Joi from 'joi';

/** Summaries of the steps of a job that have succeeded. */
export interface StepSummaries {
  readonly prepare?: unknown;
  readonly control?: unknown;
}

/** A line of text with the name of what it tells. */
export type TextLine = readonly [name: string, value: string];

/** A tool's own part of a job's status and manifest. */
export interface StatusPart {
  /** The member of status and manifest; jobs of other tools have null there. */
  readonly name: string;
  readonly schema: Joi.Schema;
  /** Null until there is something to tell. A summary is an instance's: what does not fit is left out. */
  read(steps: StepSummaries): unknown;
  /** The part as text, as the service sent it; a service of another version may have sent anything. */
  lines(part: unknown): readonly TextLine[];
}

/** A task as the list of a job's tasks has it; the members of a summary depend on the tool. */
export interface SeenTask {
  readonly id: string;
  readonly state: string;
  readonly summary: unknown;
}

/** A task of a ranking. */
export interface ShownTask {
  readonly id: string;
  /** Members for programs. */
  readonly data: Readonly<Record<string, string | number | null>>;
  /** The task in one line below the bar of a job that runs. */
  readonly liveLine: string;
  /** The task in the table at the end, a cell for each column. */
  readonly cells: readonly (string | number | null)[];
}

/** Tasks that are ranked against each other. */
export interface RankingView {
  readonly columns: readonly { readonly title: string; readonly align?: 'right' }[];
  /** Note on the numbers for readers. */
  readonly note: string;
  /** The tasks that have something to show, the best first. */
  show(tasks: readonly SeenTask[]): readonly ShownTask[];
}

/** View of the verified tasks for a person who follows a job. */
export interface LiveView {
  /** All that is found so far in one line; null while no task of the tool has something to tell. */
  line(tasks: readonly SeenTask[]): string | null;
  /** Absent for tools whose tasks are no rivals. */
  readonly ranking?: RankingView;
}

/** Content of a task's summary. */
export interface TaskSummary {
  /** The name of the schema in the API document; tools that share a schema share the name. */
  readonly name: string;
  /** Every member with a description. An instance writes summaries, so members may be absent or others be there. */
  readonly schema: Joi.ObjectSchema;
}

/** Views of a job of the tool besides those of every job. */
export interface ToolShown {
  readonly statusPart: StatusPart | null;
  /** Absent for tools whose tasks have no summary that is promised to customers. */
  readonly summary?: TaskSummary;
  /** Absent for tools whose tasks say nothing while the job runs. */
  readonly live?: LiveView;
}

/** A number of things with its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

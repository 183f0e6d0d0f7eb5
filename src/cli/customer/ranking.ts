/** The verified tasks of a job, told and ranked as the job's tool does. The tools are loaded when a job is followed, not before. */
import type { JobStatusResponse } from '../../client/types.ts';
import type { LiveView, RankingView, SeenTask, ShownTask, TextLine } from '../../tools/shown.ts';
import type { Tool } from '../../tools/tool.ts';
import { printable, table } from '../table.ts';

/** Findings of the verified tasks of a job. */
export interface Ranking {
  /** All of it in one line; null as long as no task has something to tell. */
  readonly line: string | null;
  /** Order of the tasks; null where they are no rivals. */
  readonly view: RankingView | null;
  readonly tasks: readonly ShownTask[];
}

/** The ranking of a job of which no task has something to show. */
export const UNRANKED: Ranking = { line: null, view: null, tasks: [] };

/** Loads the tools. */
export async function loadTools(): Promise<readonly Tool[]> {
  return (await import('../../tools/index.ts')).TOOLS;
}

/** The views of tools that cut jobs into such units; a status does not name the job's tool. */
export function viewsOf(
  tools: readonly Tool[],
  unit: JobStatusResponse['progress']['unit'],
): readonly LiveView[] {
  return tools.flatMap(({ about, shown: { live } }) =>
    live === undefined || about.unit !== unit ? [] : [live],
  );
}

/** Shows tasks in the first view that has something to tell of them. */
export function rankingOf(views: readonly LiveView[], tasks: readonly SeenTask[]): Ranking {
  for (const view of views) {
    const line = view.line(tasks);
    if (line === null) continue;
    const { ranking = null } = view;
    return { line, view: ranking, tasks: ranking?.show(tasks) ?? [] };
  }
  return UNRANKED;
}

/** A ranking as a table with what a reader has to know of it, else its line; empty when there is nothing to tell. */
export function rankingText({ line, view, tasks }: Ranking): string {
  if (view === null) return line === null ? '' : `${printable(line)}\n`;
  const columns = view.columns.map((column, index) => ({
    ...column,
    value: ({ cells }: ShownTask) => cells[index] ?? null,
  }));
  return `${table(columns, tasks)}${view.note}\n`;
}

/** Makes the lines of the tools' parts in a status. */
export function partLines(tools: readonly Tool[], status: object): readonly TextLine[] {
  const members = new Map<string, unknown>(Object.entries(status));
  return tools.flatMap(({ shown: { statusPart } }) =>
    statusPart === null ? [] : statusPart.lines(members.get(statusPart.name)),
  );
}

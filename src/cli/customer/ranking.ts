/** The verified tasks of a job, ranked and shown as the job's tool does. The tools are loaded when a job is followed, not before. */
import type { JobStatusResponse } from '../../client/types.ts';
import type { LiveView, SeenTask, ShownTask, TextLine, Tool } from '../../tools/tool.ts';
import { table } from '../table.ts';

/** Tasks with the view that shows them; both are empty as long as no task has something to show. */
export interface Ranking {
  readonly view: LiveView | null;
  readonly tasks: readonly ShownTask[];
}

/** The ranking of a job of which no task has something to show. */
export const UNRANKED: Ranking = { view: null, tasks: [] };

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

/** Ranks tasks in the first view that knows their summaries. */
export function rankingOf(views: readonly LiveView[], tasks: readonly SeenTask[]): Ranking {
  for (const view of views) {
    const ranked = view.show(tasks);
    if (ranked.length > 0) return { view, tasks: ranked };
  }
  return UNRANKED;
}

/** A ranking as a table with what a reader has to know of it; empty when there is none. */
export function rankingText({ view, tasks }: Ranking): string {
  if (view === null) return '';
  const columns = view.columns.map((column, index) => ({
    ...column,
    value: ({ cells }: ShownTask) => cells[index] ?? null,
  }));
  return `${table(columns, tasks)}${view.note}\n`;
}

/** What the parts of tools in a status say. */
export function partLines(tools: readonly Tool[], status: object): readonly TextLine[] {
  const members = new Map<string, unknown>(Object.entries(status));
  return tools.flatMap(({ shown: { statusPart } }) =>
    statusPart === null ? [] : statusPart.lines(members.get(statusPart.name)),
  );
}

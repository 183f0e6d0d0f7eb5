/** `frames.csv`: every frame of the job with its state, time, samples and memory, in the order of the film. */
import type { FinishedJob, FinishedTask, FinishFile } from '../finished.ts';

/** The numbers of a frame's summary from which the table is made. */
export const FRAME_NUMBERS = ['seconds', 'samples', 'memoryMiB', 'width', 'height'] as const;

/** The files that are made at the end of a render. */
export async function renderFinishFiles(job: FinishedJob): Promise<readonly FinishFile[]> {
  const rows: { readonly frame: number; readonly line: string }[] = [];
  for await (const task of job.tasks()) rows.push({ frame: Number(task.itemId), line: lineOf(task) });
  rows.sort((left, right) => left.frame - right.frame);
  const head = ['frame', 'state', ...FRAME_NUMBERS, 'failure'].join(',');
  const text = [head, ...rows.map(({ line }) => line), ''].join('\n');
  return [
    {
      name: 'frames.csv',
      kind: 'frames',
      mediaType: 'text/csv',
      format: 'csv',
      body: Buffer.from(text, 'utf8'),
    },
  ];
}

function lineOf({ itemId, state, summary, failureCode }: FinishedTask): string {
  const numbers = FRAME_NUMBERS.map((name) => {
    const value = summary?.[name];
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
  });
  return [itemId, state, ...numbers, failureCode ?? ''].join(',');
}

/** `frames.csv`: every frame of the job with its state, time, samples, memory and the digest of its pixels, in the order of the film. */
import type { FinishedJob, FinishedTask, FinishFile } from '../finished.ts';

const NUMBERS = ['seconds', 'samples', 'memoryMiB', 'width', 'height'] as const;
const DIGEST = 'pixelSha256';

/** The values of a frame's summary from which the table is made. */
export const FRAME_VALUES: readonly string[] = [...NUMBERS, DIGEST];

/** The files that are made at the end of a render. */
export async function renderFinishFiles(job: FinishedJob): Promise<readonly FinishFile[]> {
  const rows: { readonly frame: number; readonly line: string }[] = [];
  for await (const task of job.tasks()) rows.push({ frame: Number(task.itemId), line: lineOf(task) });
  rows.sort((left, right) => left.frame - right.frame);
  const head = ['frame', 'state', ...FRAME_VALUES, 'failure'].join(',');
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
  const numbers = NUMBERS.map((name) => {
    const value = summary?.[name];
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
  });
  const digest = summary?.[DIGEST];
  return [itemId, state, ...numbers, typeof digest === 'string' ? digest : '', failureCode ?? ''].join(',');
}

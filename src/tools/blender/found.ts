/** The frames of a finished job as a table, in the order of the film, from the summaries of its tasks. */
import Joi from 'joi';

import type { CommandFindings, JobResults } from '../command.ts';

interface Frame {
  readonly frame: number;
  readonly seconds: number;
  readonly samples?: number;
  readonly width?: number;
  readonly height?: number;
  readonly pixelSha256?: string;
}

const SUMMARY = Joi.object<Frame>({
  frame: Joi.number().integer().required(),
  seconds: Joi.number().min(0).required(),
  samples: Joi.number(),
  width: Joi.number(),
  height: Joi.number(),
  pixelSha256: Joi.string(),
})
  .unknown()
  .required();

const MOST_SHOWN = 20;
const SECONDS_PER_MINUTE = 60;
const LEAST_SECONDS = 0.001;

/** The frames for people and programs; null while none is done. */
export async function findFrames(results: Pick<JobResults, 'tasks'>): Promise<CommandFindings | null> {
  const frames: Frame[] = [];
  const left: string[] = [];
  let seconds = 0;
  for await (const { id, state, summary } of results.tasks()) {
    const result = SUMMARY.validate(summary, { convert: false, stripUnknown: true });
    if (state !== 'SUCCEEDED') left.push(id);
    if (state !== 'SUCCEEDED' || result.error !== undefined) continue;
    frames.push(result.value);
    seconds += result.value.seconds;
  }
  if (frames.length === 0) return null;
  frames.sort((left, right) => left.frame - right.frame);
  const more = frames.length > MOST_SHOWN ? `${frames.length - MOST_SHOWN} more are in frames.csv. ` : '';
  return {
    data: { frames },
    columns: [
      { title: 'FRAME', align: 'right' },
      { title: 'SECONDS', align: 'right' },
      { title: 'SAMPLES', align: 'right' },
      { title: 'SIZE', align: 'right' },
      { title: 'PIXELS' },
    ],
    rows: frames
      .slice(0, MOST_SHOWN)
      .map(({ frame, seconds: took, samples, width, height, pixelSha256 }) => [
        frame,
        took.toFixed(1),
        samples ?? null,
        width === undefined || height === undefined ? null : `${width} x ${height}`,
        pixelSha256?.slice(0, 16) ?? null,
      ]),
    note: `${more}${frames.length} ${frames.length === 1 ? 'frame' : 'frames'} took ${seconds.toFixed(1)} s of drawing, ${rateOf(frames.length, seconds)}. ${leftOf(left)}`,
  };
}

/** How many frames a slot draws in a minute. */
function rateOf(frames: number, seconds: number): string {
  return `${((frames * SECONDS_PER_MINUTE) / Math.max(seconds, LEAST_SECONDS)).toFixed(1)} a minute in one slot`;
}

function leftOf(frames: readonly string[]): string {
  if (frames.length === 0) return 'None is left.';
  const more = frames.length > MOST_SHOWN ? ` and ${frames.length - MOST_SHOWN} more` : '';
  return `${frames.length} of its frames ${frames.length === 1 ? 'is' : 'are'} left: ${frames.slice(0, MOST_SHOWN).join(', ')}${more}; the same command draws these alone.`;
}

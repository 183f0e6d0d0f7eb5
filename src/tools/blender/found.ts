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

/** The frames for people and programs; null while none is done. */
export async function findFrames(results: Pick<JobResults, 'tasks'>): Promise<CommandFindings | null> {
  const frames: Frame[] = [];
  let seconds = 0;
  for await (const { state, summary } of results.tasks()) {
    const result = SUMMARY.validate(summary, { convert: false, stripUnknown: true });
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
    note: `${more}${frames.length} frames took ${seconds.toFixed(1)} s of drawing.`,
  };
}

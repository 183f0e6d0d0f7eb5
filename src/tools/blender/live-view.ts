/** Summary of a frame, and the line that tells a person how the frames of a job get on. */
import Joi from 'joi';

import type { LiveView, SeenTask, TaskSummary } from '../shown.ts';

interface Drawn {
  readonly seconds: number;
}

const whole = (text: string): Joi.NumberSchema => Joi.number().integer().description(text);

const SUMMARY = Joi.object({
  frame: whole('Frame number.').required(),
  width: whole('Width of the picture as a number of pixels.').min(1),
  height: whole('Height of the picture as a number of pixels.').min(1),
  samples: whole('Number of samples that Cycles drew at most in each pixel.').min(0),
  seconds: Joi.number().min(0).required().description('Time that drawing and writing took, in seconds.'),
  memoryMiB: whole('Most memory that the process had used until then, in mebibytes.').min(0),
  pixelSha256: Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .description(
      'SHA-256 of the decoded pixels as 32-bit floats, by rows from the bottom; of the file where it holds passes.',
    ),
})
  .unknown()
  .description('What a rendered frame says of itself; there may be further members.');

/** The summary of a frame. */
export const frameSummary: TaskSummary = { name: 'FrameSummary', schema: SUMMARY };

const LINE = Joi.object<Drawn>({ seconds: Joi.number().min(0).required() })
  .unknown()
  .required()
  .prefs({ convert: false });

/** How many frames are drawn, and how long one takes. */
export const framesView: LiveView = {
  line(tasks) {
    const drawn = tasks.flatMap(drawnOf);
    if (drawn.length === 0) return null;
    const mean = drawn.reduce((sum, { seconds }) => sum + seconds, 0) / drawn.length;
    return `${drawn.length} ${drawn.length === 1 ? 'frame' : 'frames'} drawn, ${mean.toFixed(1)} s a frame`;
  },
};

function drawnOf({ state, summary }: SeenTask): readonly Drawn[] {
  const result = LINE.validate(summary);
  return state !== 'SUCCEEDED' || result.error !== undefined ? [] : [result.value];
}

/** The render part of a job's status: the scene as the preparation has understood it, and its first small picture. */
import Joi from 'joi';

import type { Answers } from '../../domain/answers.ts';
import { count } from '../shown.ts';
import type { StatusPart, TextLine } from '../shown.ts';

type RenderStatus = NonNullable<Answers['getJobStatus']['render']>;

const side = (text: string): Joi.NumberSchema =>
  Joi.number().integer().min(1).required().description(`${text} of a frame as a number of pixels.`);

const FIELDS = {
  scene: Joi.string().required().example('Scene').description('Name of the scene in the file.'),
  camera: Joi.string().required().example('Camera').description('Name of the camera of the first frame.'),
  width: side('Width').example(1920),
  height: side('Height').example(1080),
  samples: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(128)
    .description('Number of samples of a pixel at most.'),
  usesAdaptiveSampling: Joi.boolean()
    .required()
    .example(true)
    .description('Whether pixels end before all samples are drawn, once their noise is low.'),
  blenderVersion: Joi.string().required().example('4.5.15').description('Version of Blender that draws.'),
  estimatedSecondsPerFrame: Joi.number()
    .min(0)
    .required()
    .example(12.5)
    .description(
      'Time of a frame in seconds, as the preview lets expect; the most where sampling is adaptive.',
    ),
  memoryBytes: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(900_000_000)
    .description('Memory of a frame in bytes, as the preview lets expect.'),
};

const SCHEMA = Joi.object<RenderStatus>({
  ...FIELDS,
  preview: Joi.object({
    name: Joi.string().required().example('preview.png').description('Name of the output with the picture.'),
    frame: Joi.number().integer().required().example(1).description('Frame number of the picture.'),
  })
    .required()
    .description('The first frame, small and with few samples; nothing is charged for it.'),
})
  .allow(null)
  .description('What a render job has understood of its scene; null for other jobs, and before.');

const SUMMARY = Joi.object<Omit<RenderStatus, 'preview'> & { readonly preview: { readonly frame: number } }>({
  ...FIELDS,
  preview: Joi.object({ frame: Joi.number().integer().required() }).required(),
})
  .required()
  .prefs({ convert: false, stripUnknown: true });

/** The render part. */
export const renderStatus: StatusPart = {
  name: 'render',
  schema: SCHEMA,
  read({ prepare }): RenderStatus | null {
    const result = SUMMARY.validate(prepare);
    if (result.error !== undefined) return null;
    const { preview, ...told } = result.value;
    return { ...told, preview: { name: 'preview.png', frame: preview.frame } };
  },
  lines(part): readonly TextLine[] {
    if (part === null || part === undefined) return [];
    const result = SCHEMA.validate(part, { convert: false, allowUnknown: true });
    return result.error === undefined ? linesOf(result.value) : [];
  },
};

function linesOf(value: RenderStatus): readonly TextLine[] {
  const { scene, camera, width, height, samples, preview, estimatedSecondsPerFrame: seconds } = value;
  const about = value.usesAdaptiveSampling ? 'at most about' : 'about';
  return [
    ['scene', `${scene}, camera ${camera}, ${width} x ${height}, ${count(samples)} samples`],
    ['a frame', `${about} ${seconds.toFixed(1)} s by the first small picture`],
    ['preview', `${preview.name} (frame ${preview.frame})`],
  ];
}

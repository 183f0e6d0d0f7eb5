/** Fields that submit and estimate share, and the rules that tie fields to job types. */
import Joi from 'joi';

import type { JobType, KnownJobMetadata, Recovery } from '../../src/domain/requests.ts';
import { CONTRACT_SIMULATORS } from '../../src/domain/simulators.ts';
import { QUOTE_ID_CHARACTERS } from '../../src/domain/priced.ts';
import { CUSTOMER_TOOLS, fieldNotes, toolRules } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { deprecatedField } from '../http/deprecation.ts';
import { characters } from '../http/fields.ts';
import { inDocument } from '../http/in-document.ts';
import type { JsonObject } from '../http/in-document.ts';
import { simulationParams } from './simulation-params.ts';

const MAX_PARAMETERS = 1_000;

/** Way of recovering tasks whose instance is lost. */
export const recovery = Joi.object<Recovery, true>({
  mode: Joi.string()
    .valid('standard', 'resumable')
    .default('standard')
    .description(
      'standard: on-demand instances, and a task is given up when it has lost four; resumable: spot instances where the service offers such, which cost less and may be taken away, and after a while without one an instance on demand at the same price; lost instances are replaced as long as the job lives, at growing pauses.',
    ),
}).description('What happens to tasks whose instance is lost.');

/** The quote of an estimate. */
export const quoteId = characters(QUOTE_ID_CHARACTERS.least, QUOTE_ID_CHARACTERS.most);

const text = (description: string): Joi.StringSchema => characters(0).description(description);

/** Metadata keys that the service knows, on submit and estimate. */
export const knownMetadata: Joi.StrictSchemaMap<KnownJobMetadata> = {
  software: text('Render host or engine; decides which script runs and which price applies.'),
  renderer: text('Engine that is used when software is not set.'),
  instanceType: text('Ignored: the service chooses the instance type.').meta(
    deprecatedField({ since: '2026-11-22', sunset: '2027-06-01' }),
  ),
  renderTimeMinutes: Joi.number().min(0).description('Expected render time of a frame in minutes.'),
  taskRuntimeMinutes: Joi.number().min(0).description('Expected run time of a task in minutes.'),
  totalSizeGB: Joi.number()
    .min(0)
    .description(
      'Size of inputs and outputs together in GB; an estimate counts with it where the price depends on sizes.',
    ),
  resolution: Joi.string()
    .pattern(/^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$/, { name: 'WIDTHxHEIGHT' })
    .description('Size of the picture in pixels, WIDTHxHEIGHT; for molecular jobs, unused in others.'),
  fps: Joi.number()
    .greater(0)
    .description('Frame rate in frames per second; for molecular jobs, unused in others.'),
  renderEngine: Joi.string()
    .valid('molstar', 'cycles')
    .description('molstar: raster; cycles: ray-traced; for molecular jobs, unused in others.'),
  samples: Joi.number().integer().min(1).description('Number of samples per frame with cycles.'),
};

/** Fields of equal meaning in submit and estimate. */
export const sharedFields = {
  recovery,
  frameStart: Joi.number()
    .integer()
    .description('Frame number of the first frame, inclusive; for render jobs, unused in others.'),
  frameEnd: Joi.number()
    .integer()
    .description('Frame number of the last frame, inclusive; for render jobs, unused in others.'),
  parameters: Joi.object<Readonly<Record<string, string>>>()
    .pattern(Joi.any(), characters(0))
    .max(MAX_PARAMETERS)
    .description(
      `Parameters of the job bundle, at most ${MAX_PARAMETERS}: text keys and text values, each of any length.`,
    ),
  simulator: characters(0).description(
    `Simulator id: ${CONTRACT_SIMULATORS.slice(0, -1).join(', ')} or ${CONTRACT_SIMULATORS.at(-1) ?? ''}; common aliases are accepted; required for simulation jobs, unused in others.`,
  ),
  taskCount: Joi.number()
    .integer()
    .min(1)
    .description(
      `Number of independent parallel tasks; for simulation jobs, unused in others.${fieldNotes(CUSTOMER_TOOLS, 'taskCount')}`,
    ),
  simulationParams,
};

/**
 * Rules for the document that hold for one job type or for jobs of one of the tools; a request that breaks one of them is
 * refused with 400.
 */
export function jobRulesOf(tools: readonly Tool[]): JsonObject {
  const [only, ...others] = toolRules(tools);
  return {
    if: { properties: { jobType: { const: 'simulation' } }, required: ['jobType'] },
    then: {
      required: ['simulator'],
      ...(others.length > 0 ? { allOf: [...toolRules(tools)] } : only),
    },
  };
}

/** The rules with the tools of this version. */
export const jobRules = inDocument(jobRulesOf(CUSTOMER_TOOLS));

interface TypedJob {
  readonly jobType?: JobType;
}

function sentFields(original: unknown): readonly string[] {
  return typeof original === 'object' && original !== null ? Object.keys(original) : [];
}

/**
 * `frameStep` has a default, which must not appear on jobs without frames: there it would be told as a field that was
 * sent and is not used.
 */
export function frameStepWhereSent<T extends TypedJob>(value: T, helpers: Joi.CustomHelpers): T {
  const jobType = value.jobType ?? 'render';
  const hasFrames = jobType === 'render' || jobType === 'pipeline';
  if (!hasFrames && !sentFields(helpers.original).includes('frameStep'))
    Reflect.deleteProperty(value, 'frameStep');
  return value;
}

/** Checks that `simulation` names its simulator. A root rule, because the field is optional for other types. */
export function simulatorIsNamed<T extends TypedJob & { readonly simulator?: string }>(
  value: T,
  helpers: Joi.CustomHelpers,
): T | Joi.ErrorReport {
  return value.jobType === 'simulation' && value.simulator === undefined
    ? helpers.error('object.simulatorMissing')
    : value;
}

/** The message of `simulatorIsNamed`. */
export const simulatorMessages = {
  'object.simulatorMissing': '"simulator" is required with jobType simulation',
};

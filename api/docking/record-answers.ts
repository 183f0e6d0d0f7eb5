/** Answers of experiments, runs and batches. Records have snake_case fields. */
import Joi from 'joi';

import { REUSES } from '../../src/domain/docking-records.ts';
import type { StopWhen } from '../../src/domain/stop-rule.ts';
import { EXAMPLE_TOOL } from '../../src/tools/catalogue.ts';
import { jobState } from '../http/codes.ts';
import { jobWarning, nextCursor, optionalTime, sha256, time, uuid } from '../http/fields.ts';
import { count, enrichment, reproducibility, runFailure } from './finding-schemas.ts';

const nullableUuid = (text: string): Joi.StringSchema => uuid.allow(null).required().description(text);
const document = (text: string, example: object | null): Joi.ObjectSchema =>
  Joi.object().unknown().allow(null).required().example(example).description(text);

/** The tool that the examples of jobs ask for. */
const ENGINE = EXAMPLE_TOOL.about.id;

const RECEPTOR = {
  source: { kind: 'pdb', pdbId: '1A28' },
  assemblyId: '1',
  model: 1,
  chains: ['A'],
  preparation: { protonationPh: 7.4, addHydrogens: true, protonationMethod: 'pdb2pqr-propka' },
};
const LIGAND = {
  ligandId: 'STR',
  label: 'Progesterone',
  source: { kind: 'ccd', componentId: 'STR' },
  preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
};
const PARAMETERS = {
  box: {
    center: null,
    size: null,
    derivation: { kind: 'ligand', componentId: 'STR', chain: 'A', residue: 1 },
  },
  protocol: { exhaustiveness: 8, numModes: 9, energyRangeKcalMol: 3, seed: 1, cpuThreads: 1 },
};
const RECEPTOR_TEXT = 'The receptor as it was sent';
const replay = Joi.boolean()
  .example(false)
  .description('True when an earlier request with the same idempotency key made it.');
const affinity = Joi.number()
  .allow(null)
  .required()
  .example(-9.1)
  .description('Best affinity so far in kcal/mol; a score, not a measurement. Null before the first result.');

const uiLinks = (example: string): Joi.ObjectSchema =>
  Joi.object({
    studio: Joi.string().required().example(example).description('Opens the resource in the studio.'),
  })
    .required()
    .description('Links to pages for people, relative to the service.');

const owned = {
  id: uuid.required().description('Id of the record.'),
  user_id: uuid.required().description('Id of the person or key owner who made the record.'),
  created_at: time.required().description('When the record was made.'),
};

const times = {
  started_at: optionalTime.required().description('When work began; null before.'),
  finished_at: optionalTime.required().description('When work ended; null before.'),
};

const reuse = Joi.string()
  .valid(...REUSES)
  .description('Whether verified results of equal dockings are taken.');

const counts = Joi.object({
  total: count('Number of ligands in all.', 1000),
  succeeded: count('Number of ligands that are docked and verified.'),
  failed: count('Number of ligands that failed.'),
  running: count('Number of ligands that are being docked.'),
  pending: count('Number of ligands that wait.', 1000),
  cancelled: count('Number of ligands that are not docked any more.'),
})
  .required()
  .description('How many ligands stand how; the other counts sum to total.');

const experiment = Joi.object({
  ...owned,
  name: Joi.string().required().example('Progesterone receptor').description('Name of the experiment.'),
  receptor_artifact_id: nullableUuid('Artifact of the receptor; null where receptor_identity has it.'),
  receptor_identity: document(`${RECEPTOR_TEXT}; null where an artifact names it.`, RECEPTOR),
  ligand_artifact_id: nullableUuid('Artifact of the ligand; null where ligand_identity has it.'),
  ligand_identity: document('The ligand; null where an artifact names it.', LIGAND),
  parameters: document(
    'Box, search and control dockings; box.center is null until a run has found the box.',
    PARAMETERS,
  ),
})
  .required()
  .description('An experiment: a protocol with its ligand.');

/** The answer for one experiment. */
export const experimentAnswer = Joi.object({
  experiment,
  uiLinks: uiLinks('/molecular/studio?dockingExperiment=0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a01'),
});

/** A page of experiments. */
export const experimentListAnswer = Joi.object({
  experiments: Joi.array().items(experimentAnswer).required().description('Experiments, newest first.'),
  nextCursor,
});

const failure = runFailure('Why the run failed as a whole; null otherwise.');

const vector = Joi.array().items(Joi.number()).length(3).required();

const run = Joi.object({
  ...owned,
  experiment_id: nullableUuid('Experiment of the run; null for a run of a batch.'),
  batch_id: nullableUuid('Batch of the run; null for a run of an experiment.'),
  number: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(1)
    .description('Number of the run, counted from 1.'),
  job_id: uuid.required().description('Job that works on the run.'),
  request_id: Joi.string()
    .required()
    .example('0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a02')
    .description('Id of the request that started the run.'),
  status: jobState.required().description('State of the job.'),
  engine: Joi.object({
    name: Joi.string().required().example(ENGINE).description('Id of the tool.'),
    version: Joi.string()
      .allow(null)
      .required()
      .example('1.2.7')
      .description(
        'Version of the program that has docked, as results tell it; null before the first result.',
      ),
    toolchain_sha256: sha256
      .allow(null)
      .required()
      .example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
      .description('SHA-256 of the code that has docked; null before the first result.'),
    worker_image_digest: Joi.string()
      .allow(null)
      .required()
      .example('sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
      .description(
        'Digest of the image of the workers, as prepared receptors name it; null before the first result.',
      ),
  })
    .required()
    .description('What docks the ligands.'),
  seed_requested: Joi.number()
    .integer()
    .allow(null)
    .required()
    .example(1)
    .description('Seed of the request, a number; null where it had none.'),
  seed_effective: Joi.number()
    .integer()
    .allow(null)
    .required()
    .example(1)
    .description('Seed of every ligand of the run, a number.'),
  reuse: reuse.required().example('verified'),
  prepared_receptor: document(
    'Cache key and heavy atoms of the prepared receptor; null until it is prepared.',
    null,
  ),
  box: Joi.object({
    center: vector.example([37.1, 31.2, 42.4]).description('Centre in Å.'),
    size: vector.example([22, 20, 21]).description('Edge lengths in Å.'),
  })
    .allow(null)
    .required()
    .description('The box that took effect; null until it is known.'),
  counts,
  best_affinity_kcal_mol: affinity,
  failure,
  ...times,
})
  .required()
  .description('A run: one job of an experiment or batch.');

/** The answer for one run. */
export const runAnswer = Joi.object({
  run,
  jobId: uuid.required().description('Job of the run, for status, bill and outputs.'),
  uiLinks: uiLinks('/molecular/studio?dockingRun=0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a03'),
  idempotentReplay: replay,
});

const byCode = Joi.object()
  .pattern(/^[A-Z][A-Z0-9_]*$/, Joi.number().integer().min(1))
  .required();

/** Report of a dry run. */
const dryRunReport = Joi.object({
  ligands: Joi.number().integer().required().example(3).description('Number of ligands that differ.'),
  ready: Joi.number().integer().required().example(2).description('Number of ligands that can be docked.'),
  failures: byCode.example({ LIGAND_PARSE_FAILED: 1 }).description('Number of ligands that failed, by code.'),
  warnings: byCode
    .example({ STEREO_UNSPECIFIED: 1 })
    .description('Number of ready ligands with a warning, by code of the warning.'),
  states: Joi.object()
    .pattern(/^[0-9]+$/, Joi.number().integer().min(1))
    .required()
    .example({ '1': 1, '4': 1 })
    .description(
      'Number of ready ligands by how many likely states each would be docked in; empty where one state was asked for.',
    ),
  price: Joi.object({
    estimated_cost: Joi.number()
      .required()
      .example(0.02)
      .description('Price in units of currency, of each ligand in the states that were found.'),
    currency: Joi.string().required().example('USD').description('Currency of the price.'),
    credit_currency: Joi.string().required().example('GBP').description('Currency of the credits.'),
    fx_rate: Joi.number()
      .required()
      .example(0.79)
      .description('Units of credit_currency for one unit of currency, a number.'),
    held_cents: Joi.number().integer().required().example(2).description('What would be held, in pence.'),
  })
    .allow(null)
    .required()
    .description('Price of docking the ligands that are ready; null: none is ready.'),
}).description('What a dry run has found so far; only where a dry run is read by its id.');

/** A page of runs. */
export const runListAnswer = Joi.object({
  runs: Joi.array().items(runAnswer).required().description('Runs, newest first.'),
  nextCursor,
});

const batch = Joi.object({
  ...owned,
  name: Joi.string().required().example('Progesterone receptor').description('Name of the batch.'),
  engine: Joi.string().required().example(ENGINE).description('Tool that works on the ligands.'),
  job_id: uuid.required().description('Job of the newest run.'),
  run_id: uuid.required().description('Newest run of the batch.'),
  runs: Joi.number().integer().min(1).required().example(1).description('Number of runs that the batch has.'),
  status: jobState.required().description('State of the newest run; at the end, the end over all ligands.'),
  receptor_artifact_id: nullableUuid('Artifact of the receptor, where one was named.'),
  receptor_identity: document('The receptor; null for engines without one.', RECEPTOR),
  parameters: document(
    'Box, search and control dockings; box.center is null until the box is known.',
    PARAMETERS,
  ),
  library_id: nullableUuid('Index of the ligands.'),
  library_sha256: sha256
    .required()
    .example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
    .description('Digest of the library.'),
  ligand_count: count('Number of records of the library.', 1000),
  shard_size: count('Number of ligands that travel together.', 1),
  reuse: reuse.required().example('verified'),
  dry_run: Joi.boolean().required().example(false).description('Whether ligands are only prepared.'),
  stop_when: Joi.object<StopWhen, true>({
    topN: count('Number of the best ligands that are looked at.', 100),
    unchangedFor: count('Number of docked ligands in a row that leave them as they are.', 500),
  })
    .allow(null)
    .required()
    .example(null)
    .description('When docking stops although ligands are left; null where all are docked.'),
  stopped_at: Joi.object({
    ligand_id: Joi.string().required().example('lig-1').description('The last ligand that counts.'),
    place: count('Its place in the order of docking, counted from 1.', 812),
  })
    .allow(null)
    .required()
    .example(null)
    .description('Where the rule has stopped the batch; null where it has not.'),
  sample: Joi.boolean()
    .required()
    .example(false)
    .description('Whether some ligands are docked again for their reproducibility.'),
  ligand_preparation: document(
    'How every ligand of a stored library is prepared; null where each ligand says so itself.',
    { protonationPh: 7.4, addHydrogens: true, generate3d: true },
  ),
  warnings: Joi.array()
    .items(jobWarning)
    .required()
    .description('What to know of the batch as a whole; what to know of a ligand stands with its result.'),
  reproducibility,
  enrichment,
  dry_run_report: dryRunReport,
  counts,
  best_affinity_kcal_mol: affinity,
  failure: runFailure(
    'Why the newest run failed as a whole, such as a receptor that cannot be read or a required control that has missed; null otherwise.',
  ),
  ...times,
})
  .required()
  .description('A batch: many ligands against one receptor.');

/** The answer for one batch. */
export const batchAnswer = Joi.object({
  batch,
  jobId: uuid.required().description('Job of the newest run, for status, bill and outputs.'),
  uiLinks: uiLinks('/molecular/studio?dockingBatch=0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04'),
  idempotentReplay: replay,
});

/** A page of batches. */
export const batchListAnswer = Joi.object({
  batches: Joi.array().items(batchAnswer).required().description('Batches, newest first.'),
  nextCursor,
});

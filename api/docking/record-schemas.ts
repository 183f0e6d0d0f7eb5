/** Bodies and queries of experiments, runs and batches. */
import Joi from 'joi';

import { MOST_LIMIT_CENTS } from '../../src/domain/billing-settings.ts';
import { REUSES } from '../../src/domain/docking-records.ts';
import type {
  ArtifactChoice,
  BoxDerivation,
  CreateDockingBatchRequest,
  CreateDockingExperimentRequest,
  CreateDockingRunRequest,
  DockingParameters,
  DockingRecordBox,
  DockingRecordProtocol,
  LigandChoice,
  ReceptorChoice,
  ReceptorIdentity,
  ResolvedChoice,
  RetryFailedRequest,
} from '../../src/domain/docking-records.ts';
import type { InspectionSource } from '../../src/domain/requests.ts';
import { MOST_WATCHED } from '../../src/domain/stop-rule.ts';
import type { StopWhen } from '../../src/domain/stop-rule.ts';
import type { PageQuery } from '../http/fields.ts';
import {
  insertionCode,
  chain,
  characters,
  componentName,
  cursor,
  pageLimit,
  residue,
  uuid,
} from '../http/fields.ts';
import { recovery } from '../jobs/job-fields.ts';
import {
  artifactReference,
  dockingExecution,
  dockingValidation,
  ligandIdentity,
  ligandPreparation,
  receptorPreparation,
  residueReference,
  scoringFunction,
} from './schemas.ts';

const MOST_LIGANDS = 10_000;
const LARGEST_SEED = 2_147_483_647;

const artifactChoice = (what: string): Joi.ObjectSchema<ArtifactChoice> =>
  Joi.object<ArtifactChoice, true>({
    artifactId: uuid.required().description(`Id of a registered artifact: ${what}.`),
  });

const source = Joi.alternatives<InspectionSource>()
  .conditional('.kind', {
    switch: [
      {
        is: 'pdb',
        then: Joi.object({
          kind: Joi.string().valid('pdb').required().description('An entry of the Protein Data Bank.'),
          pdbId: Joi.string()
            .pattern(/^[0-9][A-Za-z0-9]{3}$/, { name: 'PDB id' })
            .required()
            .example('1A28')
            .description('PDB id: a digit and three letters or digits.'),
        }),
      },
      {
        is: 'artifact',
        then: Joi.object({
          kind: Joi.string().valid('artifact').required().description('A stored structure file.'),
          artifact: artifactReference.required().description('The structure file, pdb or mmcif.'),
        }),
      },
    ],
    otherwise: Joi.object({ kind: Joi.string().valid('pdb', 'artifact').required() }).unknown(),
  })
  .required()
  .description('Where the structure of the receptor comes from.');

const receptorIdentity = Joi.object<ReceptorIdentity, true>({
  source,
  assemblyId: Joi.string()
    .pattern(/^([1-9][0-9]{0,3}|deposited|asymmetric)$/, { name: '1 to 9999, deposited or asymmetric' })
    .default('1')
    .example('1')
    .description('Biological assembly: its number, deposited or asymmetric.'),
  model: Joi.number().integer().min(1).max(9999).default(1).description('Model, counted from 1.'),
  chains: Joi.array()
    .items(chain)
    .min(1)
    .max(128)
    .allow(null)
    .default(null)
    .description('Author chain ids to keep, 1 to 128; null means all.'),
  preparation: receptorPreparation
    .default({})
    .description('How the receptor is prepared; what is left out has its default.'),
});

const receptorChoice = Joi.alternatives<ReceptorChoice>()
  .conditional('.artifactId', {
    is: Joi.exist(),
    then: artifactChoice('a structure in pdb or mmcif, of which assembly 1 and all chains are meant'),
    otherwise: receptorIdentity,
  })
  .description('The receptor: a registered artifact, or a structure with what is meant of it.');

const ligandChoice = Joi.alternatives<LigandChoice>()
  .conditional('.artifactId', {
    is: Joi.exist(),
    then: artifactChoice('a ligand in sdf, mol2 or pdbqt'),
  })
  .conditional('.resolutionToken', {
    is: Joi.exist(),
    then: Joi.object<ResolvedChoice, true>({
      resolutionToken: characters(32, 8192)
        .required()
        .description('resolutionToken of a candidate, 32 to 8192 characters; good for 24 hours.'),
      label: characters(1, 512).description('Name shown to people, 1 to 512 characters.'),
    }),
    otherwise: ligandIdentity,
  })
  .required()
  .description('The ligand: a registered artifact, a ligand that was resolved, or a whole ligand.');

const derivation = Joi.alternatives<BoxDerivation>()
  .conditional('.kind', {
    switch: [
      {
        is: 'explicit',
        then: Joi.object({
          kind: Joi.string().valid('explicit').required().description('The box is the one that is sent.'),
        }),
      },
      {
        is: 'ligand',
        then: Joi.object({
          kind: Joi.string().valid('ligand').required().description('The box lies around a ligand.'),
          componentId: componentName
            .required()
            .example('STR')
            .description(
              'Component id of the ligand, 1 to 8 characters; chain and residue tell it from other copies.',
            ),
          chain,
          residue,
          insertionCode,
        }),
      },
      {
        is: 'residues',
        then: Joi.object({
          kind: Joi.string().valid('residues').required().description('The box lies around residues.'),
          residues: Joi.array()
            .items(residueReference)
            .min(1)
            .max(256)
            .required()
            .description('The residues, 1 to 256.'),
        }),
      },
    ],
    otherwise: Joi.object({
      kind: Joi.string().valid('explicit', 'ligand', 'residues').required(),
    }).unknown(),
  })
  .required()
  .description('How the box is found.');

const place = Joi.number().required().description('Coordinate in Å.');
const edge = Joi.number().min(1).max(100).required().description('Edge length in Å, 1 to 100.');
const center = Joi.array()
  .ordered(place, place, place)
  .allow(null)
  .description('Centre in Å along x, y and z. Sent with explicit alone; else the service fills it in.');
const size = Joi.array()
  .ordered(edge, edge, edge)
  .allow(null)
  .description('Edge lengths in Å along x, y and z. Without them the service makes the box fit.');

const box = Joi.object<DockingRecordBox>({ center, size, derivation })
  .required()
  .description('Where ligands are docked. An explicit box needs centre and size.');

const protocol = Joi.object<DockingRecordProtocol, true>({
  exhaustiveness: Joi.number()
    .integer()
    .min(1)
    .max(128)
    .default(8)
    .description('Number of searches of each ligand, 1 to 128.'),
  numModes: Joi.number()
    .integer()
    .min(1)
    .max(100)
    .default(9)
    .description('Largest number of modes of a ligand.'),
  energyRangeKcalMol: Joi.number()
    .min(0.1)
    .max(100)
    .default(3)
    .description('Largest distance of a mode to the best one in kcal/mol.'),
  seed: Joi.number()
    .integer()
    .min(1)
    .max(LARGEST_SEED)
    .default(1)
    .description('Seed of the search, a number; the same seed gives the same poses.'),
  cpuThreads: Joi.number()
    .integer()
    .min(1)
    .max(256)
    .default(1)
    .description('Number of threads, kept for the record: each ligand is docked on one core.'),
  scoringFunction,
})
  .required()
  .description('How ligands are searched.');

const parameters = Joi.object<DockingParameters, true>({
  box,
  protocol,
  estimatedRuntimeSeconds: Joi.number()
    .greater(0)
    .max(2_592_000)
    .description('Your estimate of the run time in seconds; used for planning only.'),
  validation: dockingValidation.description('Control dockings beside the ligands.'),
}).description('Box, search and control dockings.');

const name = characters(1, 200)
  .required()
  .example('Progesterone receptor')
  .description('Name, 1 to 200 characters.');
const limitCents = Joi.number()
  .integer()
  .min(1)
  .max(MOST_LIMIT_CENTS)
  .description('The most that may be held, in minor units (pence); what needs more is refused.');

/** POST /molecular/docking/experiments. */
export const createExperimentBody = Joi.object<CreateDockingExperimentRequest, true>({
  name,
  receptor: receptorChoice.required(),
  ligand: ligandChoice,
  parameters: parameters.required(),
});

const reuse = Joi.string()
  .valid(...REUSES)
  .description(
    'verified (the default): verified results of equal dockings are taken; never: all are docked.',
  );

const stopWhen = Joi.object<StopWhen, true>({
  topN: Joi.number()
    .integer()
    .min(1)
    .max(MOST_WATCHED)
    .required()
    .example(100)
    .description('Number of the best ligands that are looked at, 1 to 1000.'),
  unchangedFor: Joi.number()
    .integer()
    .min(1)
    .max(MOST_LIGANDS)
    .required()
    .example(500)
    .description('Number of docked ligands in a row that must leave them as they are, 1 to 10000.'),
}).description(
  'When docking stops although ligands are left. Ligands are docked in an order that the seed decides; a batch stops at the same ligand on any number of machines. The rest is cancelled and not charged.',
);

/** POST /molecular/docking/experiments/{id}/runs. */
export const createRunBody = Joi.object<CreateDockingRunRequest, true>({ recovery, limitCents, reuse });

/** POST /molecular/docking/batches. */
export const createBatchBody = Joi.object<CreateDockingBatchRequest, true>({
  name,
  engine: characters(1, 64).description(
    'The tool that works on the ligands; left out, the one that docks for customers.',
  ),
  receptor: receptorChoice,
  ligands: Joi.array()
    .items(ligandIdentity)
    .min(1)
    .max(MOST_LIGANDS)
    .unique('ligandId')
    .description(
      'Ligands to dock, 1 to 10000, in place of libraryArtifactId; no two may have the same ligandId.',
    ),
  libraryArtifactId: uuid.description(
    'Id of a registered library in smi, csv or sdf, of up to 10000 records, in place of ligands.',
  ),
  ligandPreparation: ligandPreparation.description(
    'How every ligand of the library is prepared; each one of ligands says so itself.',
  ),
  parameters,
  dockingExecution: dockingExecution.description('How docking is spread and what it reuses.'),
  recovery,
  limitCents,
  reuse,
  dryRun: Joi.boolean().description('Whether ligands are only prepared, and none is docked.'),
  stopWhen,
  sample: Joi.boolean().description(
    'Whether one ligand in a hundred, and at least five, is docked again once the batch is done, with its seed and with another one. Costs nothing.',
  ),
  metadata: Joi.object().unknown().description('Kept with the job, for plugins and tools.'),
});

/** POST /molecular/docking/batches/{id}/retry-failed. */
export const retryFailedBody = Joi.object<RetryFailedRequest, true>({
  codes: Joi.array()
    .items(Joi.string().pattern(/^[A-Z][A-Z0-9_]{1,63}$/, { name: 'failure code' }))
    .min(1)
    .max(100)
    .unique()
    .example(['ENGINE_TIMEOUT'])
    .description(
      'Failure codes whose ligands are docked again; left out, those that blame the engine or the machine.',
    ),
  limitCents,
});

/** A page of records. */
export const recordListQuery = Joi.object<PageQuery, true>({ limit: pageLimit(100, 25), cursor });

/** A page of batches. */
export const batchListQuery = Joi.object<PageQuery & { readonly name?: string }, true>({
  limit: pageLimit(100, 25),
  cursor,
  name: characters(1, 200).description('Only batches whose name starts with this text.'),
});

/** The path of an experiment. */
export const experimentPath = Joi.object<{ readonly experimentId: string }, true>({
  experimentId: uuid.required().description('Id of the experiment.'),
});

/** The path of a run. */
export const runPath = Joi.object<{ readonly runId: string }, true>({
  runId: uuid.required().description('Id of the run.'),
});

/** The path of a batch. */
export const batchPath = Joi.object<{ readonly batchId: string }, true>({
  batchId: uuid.required().description('Id of the batch.'),
});

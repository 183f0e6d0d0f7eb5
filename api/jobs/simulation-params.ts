/** Validated simulator parameters: every field and bound of the contract. No extra fields. */
import Joi from 'joi';

import type { SentParams, SimulationParams } from '../../src/domain/requests.ts';
import { CUSTOMER_TOOLS, fieldNotes } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';
import {
  artifactReference,
  dockingExecution,
  dockingValidation,
  ligandIdentity,
  receptorPreparation,
  residueReference,
  scoringFunction,
} from '../docking/schemas.ts';
import { insertionCode, chain, characters, componentName, residue, sha256AnyCase } from '../http/fields.ts';
import { inDocument } from '../http/in-document.ts';

/** Fields of the receptor and the ligands. */
const molecules = {
  receptorPdbId: Joi.string()
    .pattern(/^[0-9][A-Za-z0-9]{3}$/, { name: 'PDB id' })
    .description('PDB id of the receptor: a digit and three letters or digits.'),
  receptorArtifact: artifactReference.description('Stored structure file of the receptor.'),
  receptorAssemblyId: characters(1, 32).description(
    'Biological assembly of the receptor, 1 to 32 characters; absent means 1.',
  ),
  receptorModel: Joi.number()
    .integer()
    .min(1)
    .max(9999)
    .description('Model number in the structure file, counted from 1.'),
  receptorChains: Joi.array()
    .items(chain)
    .min(1)
    .max(128)
    .description('Author chain ids to keep, 1 to 128; absent means all.'),
  ligandIdentity: ligandIdentity.description('The one ligand to dock.'),
  ligandLibrary: Joi.array()
    .items(ligandIdentity)
    .min(1)
    .max(10_000)
    .unique('ligandId')
    .description(
      'Ligands to dock, 1 to 10000, one task each, in place of a single ligandIdentity; no two may have the same ligandId.',
    ),
  receptorPreparation: receptorPreparation.description('How the receptor is prepared.'),
  dockingValidation: dockingValidation.description('Control dockings that accompany the job.'),
  dockingExecution: dockingExecution.description('How docking is spread and what it reuses.'),
};

const coordinate = (axis: string): Joi.NumberSchema =>
  Joi.number().required().description(`Coordinate on the ${axis} axis in Å.`);
const boxEdge = (text: string): Joi.NumberSchema =>
  Joi.number().min(1).max(100).description(`${text} in Å, 1 to 100.`);

/** Fields of the search box and of the search itself. */
const search = {
  pocketLigand: componentName.description(
    'Component id of the deposited ligand whose place is the box centre, 1 to 8 characters.',
  ),
  pocketLigandChain: chain.description(
    'Author chain id of the pocket ligand, 1 to 16 characters; a job needs pocketLigand beside it.',
  ),
  pocketLigandResidue: residue.description(
    'Author residue number of the pocket ligand; a job needs pocketLigand beside it.',
  ),
  pocketLigandInsertionCode: insertionCode.description(
    'Author insertion code of the pocket ligand, at most 4 characters; a job needs pocketLigand beside it.',
  ),
  pocketResidues: Joi.array()
    .items(residueReference)
    .min(1)
    .max(256)
    .description('Residues whose middle is the box centre, 1 to 256.'),
  boxCenterAngstrom: Joi.array()
    .ordered(coordinate('x'), coordinate('y'), coordinate('z'))
    .description('Centre of the box: x, y and z in Å.'),
  boxSizeAngstrom: Joi.alternatives()
    .try(
      boxEdge('Edge of a cubic box'),
      Joi.array()
        .ordered(
          boxEdge('Edge along x').required(),
          boxEdge('Edge along y').required(),
          boxEdge('Edge along z').required(),
        )
        .description('Edges along x, y and z in Å.'),
    )
    .description('Size of the box in Å: one edge or three, each 1 to 100.'),
  exhaustiveness: Joi.number()
    .integer()
    .min(1)
    .max(128)
    .description('Number of independent searches per ligand, 1 to 128.'),
  numModes: Joi.number()
    .integer()
    .min(1)
    .max(100)
    .description('Number of binding modes to keep per ligand, 1 to 100.'),
  energyRangeKcalMol: Joi.number()
    .min(0.1)
    .max(100)
    .description('Largest energy above the best mode in kcal/mol, 0.1 to 100.'),
  scoringFunction,
  seed: Joi.number()
    .integer()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .description('Random seed, a number without unit; 0 or absent: one is drawn and stored.'),
  cpuThreads: Joi.number().integer().min(1).max(256).description('Number of CPU threads to use, 1 to 256.'),
  estimatedRuntimeSeconds: Joi.number()
    .greater(0)
    .max(2_592_000)
    .description('Expected run time of a task in seconds, above 0, at most 2592000.'),
  maxPockets: Joi.number()
    .integer()
    .min(1)
    .max(20)
    .default(10)
    .description('Number of ranked pockets to return, 1 to 20.'),
};

const databaseVersionPattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

function calendarDate(value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const midnight = new Date(`${value}T00:00:00.000Z`);
  const real = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
  return real ? value : helpers.error('string.calendarDate');
}

/** Fields of folding and of sequence search. */
const sequences = {
  foldModel: Joi.string().valid('esmfold', 'alphafold').description('Model that predicts the structure.'),
  blastDatabasePath: characters(1, 1024).description(
    'Path of the database within the uploaded data set, 1 to 1024 characters.',
  ),
  blastDatabaseName: Joi.string()
    .pattern(databaseVersionPattern, { name: 'database name' })
    .description('Name of the database, 1 to 128 characters.'),
  blastDatabaseVersion: Joi.string()
    .pattern(databaseVersionPattern, { name: 'database version' })
    .description('Version of the database, 1 to 128 characters.'),
  blastDatabaseDate: Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}$/, { name: 'YYYY-MM-DD' })
    .custom(calendarDate)
    .messages({ 'string.calendarDate': '{{#label}} must be a date of the calendar' })
    .meta(inDocument({ format: 'date' }))
    .description('Date of the database, YYYY-MM-DD: a day of the calendar.'),
  blastDatabaseType: Joi.string()
    .valid('prot', 'nucl')
    .description('Whether the database holds proteins or nucleotides.'),
  blastDatabaseChecksum: sha256AnyCase.description(
    'SHA-256 of the database, 64 hex characters of either case.',
  ),
  blastEvalue: Joi.number()
    .min(1e-300)
    .max(1000)
    .description('Largest expectation value of a hit, a number without unit, 1e-300 to 1000.'),
  blastMaxHits: Joi.number()
    .integer()
    .min(1)
    .max(1000)
    .description('Number of hits to report per query, 1 to 1000.'),
  blastThreads: Joi.number().integer().min(1).max(64).description('Number of CPU threads to use, 1 to 64.'),
  blastTimeoutSeconds: Joi.number()
    .integer()
    .min(1)
    .max(86_400)
    .description('Time limit of the search in seconds, 1 to 86400.'),
  blastMaxOutputBytes: Joi.number()
    .integer()
    .min(1024)
    .max(67_108_864)
    .description('Largest report in bytes, 1024 to 67108864.'),
};

const parameters = Joi.object<SentParams, true>({ ...molecules, ...search, ...sequences });

/** Parameters of every simulator; each field says which of the tools use it, and what it means to them. */
export function simulationParamsOf(tools: readonly Tool[]): Joi.ObjectSchema<SimulationParams> {
  return Object.keys({ ...molecules, ...search, ...sequences })
    .reduce(
      (schema, field) =>
        schema.fork([field], (own) => own.description(`${descriptionOf(own)}${fieldNotes(tools, field)}`)),
      parameters,
    )
    .description('Validated simulator parameters; which ones matter depends on the simulator.');
}

function descriptionOf(schema: Joi.Schema): string {
  const { flags = {} } = schema.describe();
  return 'description' in flags && typeof flags.description === 'string' ? flags.description : '';
}

/** Parameters with the tools of this version. */
export const simulationParams = simulationParamsOf(CUSTOMER_TOOLS);

/** Results of docking, their poses and interactions: paths, queries and answers. The members of records are those of the contract. */
import Joi from 'joi';

import { INTERACTION_TYPES, MOST_CONTACTS } from '../../src/domain/docking-interactions.ts';
import { FAILURE_STAGES, RESULT_SORTS, RESULT_STATUSES } from '../../src/domain/docking-lists.ts';
import type { ResultQuery } from '../../src/domain/docking-lists.ts';
import { failureCode } from '../http/codes.ts';
import { descriptorFields, descriptors, dockedStates, smarts } from './descriptor-schemas.ts';
import {
  characters,
  cursor,
  identifier,
  jobWarning,
  nextCursor,
  integerInQuery,
  pageLimit,
  sha256,
  time,
  uuid,
  wholeList,
} from '../http/fields.ts';

const SOME_ID = '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90';
const RESULT_ID = '0198a7c2-5d0e-7c61-9a83-0c5c1a1f0000';
const PERSON_ID = '0198a1e0-4b6f-7a3c-8d21-7f5e9b0c3a68';

/** The path of a batch. */
export const batchPath = Joi.object<{ batchId: string }, true>({
  batchId: uuid.required().description('Id of the batch.'),
});
/** The path of a run. */
export const runPath = Joi.object<{ runId: string }, true>({
  runId: uuid
    .required()
    .description('Id of the run, or of a docking job that was submitted by itself and has docked something.'),
});
/** The path of a result. */
export const resultPath = Joi.object<{ resultId: string }, true>({
  resultId: uuid.required().description('Id of the result.'),
});
/** The path of a pose. */
export const posePath = Joi.object<{ poseId: string }, true>({
  poseId: uuid.required().description('Id of the pose.'),
});

const CONTACT = new RegExp(
  `^(${INTERACTION_TYPES.join('|')}):[\\x21-\\x7e]{1,5}:[\\x21-\\x7e]{1,5}-?\\d{1,5}[A-Za-z0-9]?$`,
);

const contact = Joi.string()
  .pattern(CONTACT, { name: 'contact' })
  .messages({
    'string.pattern.name': `{{#label}} must be TYPE:CHAIN:RESIDUE, such as hydrogen_bond:A:GLN725. TYPE is one of ${INTERACTION_TYPES.join(', ')}; RESIDUE is the name of the residue and its number`,
  })
  .description('A type of interaction, the chain and the residue, as hydrogen_bond:A:GLN725.');

/** Refuses a query that lets as many interactions be missing as it asks for. */
export function missesOne<Query extends Pick<ResultQuery, 'maxMissing' | 'interaction'>>(
  query: Query,
  helpers: Joi.CustomHelpers<Query>,
): Query | Joi.ErrorReport {
  const { maxMissing, interaction } = query;
  if (maxMissing === undefined) return query;
  return maxMissing < new Set(interaction).size ? query : helpers.error('any.missing');
}

/** The words of that refusal. */
export const TOO_MANY_MISSING = {
  'any.missing':
    '"maxMissing" must be less than the number of different interactions; send interaction for each that is wanted',
};

const interactions = Joi.array()
  .items(contact)
  .min(1)
  .max(MOST_CONTACTS)
  .description(
    `Only ligands of which one pose has this interaction; repeated, one pose must have all of them. At most ${MOST_CONTACTS}.`,
  );

/** The order and the filters of results, wherever they are asked for. */
export const resultFilters = {
  sort: Joi.string()
    .valid(...RESULT_SORTS)
    .default('affinity')
    .description(
      'affinity: the lowest first; efficiency: the highest first; ligandId: by id. Ligands that are not docked follow by id.',
    ),
  affinityAtMost: Joi.number().description('Only ligands whose best affinity is at most this, in kcal/mol.'),
  warning: Joi.string()
    .pattern(/^[A-Z][A-Z0-9_]{0,63}$/, { name: 'code of a warning' })
    .description('Only ligands with this warning.'),
  label: characters(1, 512).description('Only ligands whose label begins with this.'),
  descriptor: descriptors,
  smarts,
  interaction: interactions,
  maxMissing: integerInQuery()
    .min(0)
    .max(MOST_CONTACTS - 1)
    .description('Number of interactions that the pose may lack; fewer than were asked for.'),
};

const { sort, affinityAtMost, warning, label, maxMissing } = resultFilters;

/** GET …/results. */
export const resultListQuery = Joi.object<ResultQuery, true>({
  sort,
  affinityAtMost,
  status: Joi.string()
    .valid(...RESULT_STATUSES)
    .description('Only ligands with this status.'),
  warning,
  label,
  descriptor: descriptors.single(),
  smarts,
  interaction: interactions.single(),
  maxMissing,
  limit: pageLimit(1000, 100),
  cursor,
})
  .custom(missesOne)
  .messages(TOO_MANY_MISSING);

/** GET …/failures. */
export const failureListQuery = Joi.object<{ code?: string; limit: number; cursor?: string }, true>({
  code: Joi.string()
    .pattern(/^[A-Z][A-Z0-9_]{0,63}$/, { name: 'code of a failure' })
    .description('Only failures with this code.'),
  limit: pageLimit(1000, 100),
  cursor,
});

/** Page of the studio that shows a record. */
export const uiLinks = Joi.object({
  studio: Joi.string()
    .required()
    .example(`/molecular/studio?dockingResult=${RESULT_ID}`)
    .description('Path of the record in the studio; opening it needs the same account.'),
})
  .required()
  .description('Links for people.');

const number = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().required().example(example).description(text);
const optional = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().allow(null).required().example(example).description(`${text} Null where it is not known.`);
const id = (text: string, example = SOME_ID): Joi.StringSchema =>
  uuid.required().example(example).description(text);
const userId = id('Who asked for it.', PERSON_ID);
const createdAt = time.required().description('When the record was made.');
const optionalText = (text: string, example: string | null): Joi.StringSchema =>
  Joi.string().allow('', null).required().example(example).description(text);

/** A stored file of a result. */
export const resultArtifact = Joi.object({
  artifact_id: id('Id of the file, for its download address.'),
  name: Joi.string().required().example('ligands/imatinib/poses.sdf').description('Name inside the job.'),
  kind: Joi.string().required().example('poses').description('What the file is.'),
  media_type: Joi.string().required().example('chemical/x-mdl-sdfile').description('Media type of the file.'),
  format: Joi.string()
    .allow(null)
    .required()
    .example('sdf')
    .description('Format of the file, where it has one.'),
  byte_size: Joi.number().integer().min(0).required().example(20_480).description('Size in bytes.'),
  sha256: sha256.required().description('SHA-256 of the file.'),
  storage_key: Joi.string()
    .required()
    .example(
      'accounts/0198a1e0-4b6f-7a3c-8d21-7f5e9b0c3a68/jobs/0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11/0/poses.sdf',
    )
    .description('Storage key of the file.'),
}).description('A stored file.');

const stage = Joi.string()
  .valid(...FAILURE_STAGES)
  .allow(null)
  .required()
  .example('ligand')
  .description(
    'Where it failed: ligand (reading and preparation), dock (engine and machine) or verify (outputs); null for a ligand that was not begun.',
  );

const failure = Joi.object({
  code: failureCode.required().example('LIGAND_EMBED_FAILED').description('Machine-readable reason.'),
  message: Joi.string().allow('').required().description('Reason for people.'),
  stage,
})
  .allow(null)
  .required()
  .description('Why the ligand has no poses; null where it has, waits or runs.');

const validation = Joi.object({
  component_id: Joi.string()
    .required()
    .example('STI')
    .description('The deposited ligand that was docked again.'),
  rmsd_top_angstrom: optional('Distance of the best pose from the deposited one, in Å.', 0.42),
  rmsd_best_angstrom: optional('The smallest distance of a pose from the deposited one, in Å.', 0.42),
  best_mode: optional('Number of the mode with the smallest distance.', 1),
  passed: Joi.boolean().required().example(true).description('Whether the best pose is within 2 Å.'),
})
  .allow(null)
  .required()
  .description(
    'How well the control of the run found the deposited ligand; null without a control, or before its end.',
  );

/** One ligand of a run. */
export const resultRecord = Joi.object({
  id: id('Id of the result; the same before and after the ligand is docked.', RESULT_ID),
  user_id: userId,
  created_at: createdAt,
  run_id: uuid.allow(null).required().example(SOME_ID).description('Id of the run.'),
  batch_id: uuid
    .allow(null)
    .required()
    .example(SOME_ID)
    .description('The batch of the run; null for a run of an experiment.'),
  job_id: id('The job of the run.'),
  ligand_id: identifier.required().example('imatinib').description('Id of the ligand in its library.'),
  label: Joi.string().required().example('Imatinib').description('Name of the ligand.'),
  status: Joi.string()
    .valid(...RESULT_STATUSES)
    .required()
    .example('SUCCEEDED')
    .description('How far the ligand is.'),
  rank: optional(
    'Counted from 1, the lowest affinity first, equal affinities by ligand id, among all docked ligands of the list.',
    1,
  ),
  best_affinity_kcal_mol: optional(
    'Score of the best pose in kcal/mol; a score is no measured affinity.',
    -11.4,
  ),
  ligand_efficiency: optional('Minus the score per heavy atom, in kcal/mol.', 0.308),
  size_independent_efficiency: optional(
    'Minus the score over the number of heavy atoms to the power of 0.3, in kcal/mol.',
    3.864,
  ),
  pose_count: optional('Number of poses.', 9),
  plausible_pose_count: optional('Number of poses that pass every check.', 8),
  smiles_input: optionalText(
    'SMILES of the ligand as it was given; of a ligand that is not docked where it was given as SMILES.',
    'CC(=O)O',
  ),
  smiles_docked: optionalText('The ligand as it was docked.', 'CC(=O)[O-]'),
  formal_charge: optional('Formal charge as docked, as a number of elementary charges.', -1),
  heavy_atoms: optional('Number of heavy atoms as docked.', 37),
  ...descriptorFields,
  states: dockedStates,
  warnings: Joi.array().items(jobWarning).required().description('What to know of the ligand.'),
  input_properties: Joi.object()
    .pattern(Joi.string(), Joi.string().allow(''))
    .required()
    .example({ vendor: 'ACME-1' })
    .description('Other columns or tags of the library for the ligand.'),
  library_line: optional('Number of the line of the library at which the record begins.', 12),
  validation,
  artifacts: Joi.array().items(resultArtifact).required().description('Files of the ligand.'),
  failure,
  cached_from_result_id: uuid
    .allow(null)
    .required()
    .example(null)
    .description(
      'The earlier result that this one repeats without a charge; null for a ligand that was docked.',
    ),
  matched_modes: Joi.array()
    .items(Joi.number().integer().min(1))
    .allow(null)
    .required()
    .example(null)
    .description('The modes that have the asked interactions; null where none were asked for.'),
}).description('One ligand of a run.');

const final = Joi.boolean()
  .required()
  .example(true)
  .description('Whether every job has ended, so that nothing changes any more.');

/** The answer of GET …/results. */
export const resultListAnswer = Joi.object({
  results: Joi.array().items(resultRecord).required().description('Results in the asked order.'),
  final,
  nextCursor,
  uiLinks,
}).description('A page of results.');

/** The answer of GET /results/{id}. */
export const resultAnswer = Joi.object({
  result: resultRecord.required(),
  uiLinks,
}).description('A result.');

const failureItem = Joi.object({
  result_id: id('Id of the result of the ligand.', RESULT_ID),
  run_id: id('Id of the run.'),
  ligand_id: identifier.required().example('imatinib').description('Id of the ligand in its library.'),
  label: Joi.string().required().example('Imatinib').description('Name of the ligand.'),
  code: failureCode.required().example('LIGAND_EMBED_FAILED').description('Machine-readable reason.'),
  message: Joi.string().allow('').required().description('Reason for people.'),
  stage,
  library_line: optional('Number of the line of the library at which the record begins.', 12),
  attempts: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(1)
    .description('Number of times that the ligand was started.'),
  failed_at: time.allow(null).required().description('When the ligand failed.'),
}).description('A ligand that has failed.');

/** The answer of GET …/failures. */
export const failureListAnswer = Joi.object({
  failures: Joi.array().items(failureItem).required().description('Failed ligands by id.'),
  counts: Joi.array()
    .items(
      Joi.object({
        code: failureCode.required().example('LIGAND_EMBED_FAILED').description('Machine-readable reason.'),
        count: number('Number of ligands with this reason.', 3),
      }).description('How many have failed so.'),
    )
    .required()
    .description(
      'How many ligands have failed with each code, the most frequent first, whatever code was asked for.',
    ),
  final,
  nextCursor,
  uiLinks,
}).description('A page of failures.');

/** One mode of a result. */
export const poseRecord = Joi.object({
  id: id('Id of the pose.'),
  user_id: userId,
  created_at: createdAt,
  result_id: id('Id of the result.', RESULT_ID),
  mode: number('Counted from 1, the best first.', 1),
  affinity_kcal_mol: number('Score in kcal/mol.', -11.4),
  rmsd_lower_angstrom: optional('Lower bound of the RMSD to mode 1, in Å.', 0),
  rmsd_upper_angstrom: optional('Upper bound of the RMSD to mode 1, in Å.', 0),
  failed_checks: optional('Number of checks of plausibility that the pose fails.', 0),
  second_affinity_kcal_mol: optional('Score by the other scoring function, in kcal/mol.', -8.2),
  interaction_count: optional('Number of interactions with the receptor.', 12),
  artifact: resultArtifact
    .allow(null)
    .required()
    .description('The file that has all poses, in the order of the modes.'),
}).description('One mode of a result.');

/** The answer of GET /results/{id}/poses. */
export const poseListAnswer = Joi.object({
  poses: Joi.array()
    .items(poseRecord)
    .required()
    .description('All modes, the best first; none of a ligand that is not docked.'),
  uiLinks,
})
  .append(wholeList)
  .description('The poses of a result.');

/** The answer of GET /poses/{id}. */
export const poseAnswer = Joi.object({
  pose: poseRecord.required(),
  uiLinks,
}).description('A pose.');

const residue = {
  chain: Joi.string().required().example('A').description('Author chain id.'),
  residue: number('Author residue number.', 725),
  insertion_code: Joi.string().allow(null).required().example(null).description('Author insertion code.'),
  residue_name: Joi.string().required().example('GLN').description('Name of the residue.'),
};

const interactionRecord = Joi.object({
  id: id('Id of the interaction.'),
  user_id: userId,
  created_at: createdAt,
  pose_id: id('Id of the pose.'),
  type: Joi.string()
    .valid(...INTERACTION_TYPES)
    .required()
    .example('hydrogen_bond')
    .description('Type of the interaction.'),
  ligand_role: Joi.string()
    .valid('donor', 'acceptor')
    .allow(null)
    .required()
    .example('acceptor')
    .description('Which side of a hydrogen bond the ligand is; null for other types.'),
  receptor: Joi.object({
    ...residue,
    atom: Joi.string().required().example('NE2').description('Name of the atom.'),
  })
    .required()
    .description('Atom of the receptor.'),
  ligand_atoms: Joi.array()
    .items(Joi.number().integer().min(0))
    .required()
    .example([20])
    .description('Atoms of the ligand, counted from 0 in poses.sdf.'),
  distance_angstrom: number('Distance in Å.', 2.9),
  angle_degrees: optional('Angle as a number of degrees, for types that have one.', 162.3),
  water: Joi.object({
    ...residue,
    residue_name: Joi.string().required().example('HOH').description('Name of the water.'),
    distance_angstrom: number('Distance of the water from the ligand, in Å.', 2.8),
  })
    .allow(null)
    .required()
    .example(null)
    .description('The water of a water bridge; null for other types.'),
}).description('A contact of a pose with the receptor.');

/** The answer of GET /poses/{id}/interactions. */
export const interactionListAnswer = Joi.object({
  interactions: Joi.array().items(interactionRecord).required().description('All interactions of the pose.'),
  computed: Joi.boolean()
    .required()
    .example(true)
    .description(
      'False where the interactions were not told or could not be computed: then an empty list says nothing.',
    ),
  uiLinks,
})
  .append(wholeList)
  .description('The interactions of a pose.');

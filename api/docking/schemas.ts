/** Schemas of docking inputs as the contract gives them, and of verified artifacts. */
import Joi from 'joi';

import type {
  ArtifactReference,
  DockingExecution,
  DockingValidation,
  FixedProtonationState,
  FlexibleResidue,
  LigandConfirmation,
  LigandIdentity,
  LigandPreparation,
  LigandSource,
  NativeReference,
  PreparedReceptor,
  ReceptorPreparation,
  RegisterArtifactRequest,
  ResidueReference,
  WatersWithin,
} from '../../src/domain/requests.ts';
import {
  REPAIRS,
  ARTIFACT_FORMATS,
  ARTIFACT_SCHEMA,
  REFERENCE_FORMATS,
  FLEXIBLE_RESIDUE_NAMES,
  MOST_FLEXIBLE_RESIDUES,
} from '../../src/domain/requests.ts';
import { inDocument } from '../http/in-document.ts';
import { MOST_REQUIRED_ANGSTROM } from '../../src/domain/required-control.ts';
import {
  chain,
  characters,
  componentId,
  componentName,
  identifier,
  insertionCode,
  residue,
  sha256,
  storageKey,
  time,
  uuid,
} from '../http/fields.ts';
import type { ArtifactResponse } from '../../src/domain/answers.ts';

type ArtifactProvenance = ArtifactResponse['provenance'];

/** The seven-field reference to an artifact; every field is required and no other field is allowed. */
export const artifactReference = Joi.object<ArtifactReference, true>({
  schema: Joi.string()
    .valid(ARTIFACT_SCHEMA)
    .required()
    .description('Constant that names the version of this reference.'),
  artifactId: identifier.required().description('Id of the stored artifact, 1 to 128 characters.'),
  storageKey: storageKey
    .required()
    .description('Storage key of the artifact; this field decides which object is meant.'),
  sha256: sha256.required().description('SHA-256 of the object, 64 lowercase hex characters.'),
  byteSize: Joi.number().integer().min(0).required().description('Size of the object in bytes.'),
  mediaType: characters(1, 255).required().description('Media type of the object, 1 to 255 characters.'),
  format: Joi.string()
    .valid(...REFERENCE_FORMATS)
    .required()
    .description('Format of the object.'),
}).description('Reference to a verified stored artifact.');

const sourceKind = (kind: LigandSource['kind']): Joi.StringSchema =>
  Joi.string().valid(kind).required().description('Which kind of source this is.');

/** A component of the dictionary as the source of a ligand. */
export const ccdSource = Joi.object({
  kind: sourceKind('ccd'),
  componentId: componentId
    .required()
    .description('Component id of the Chemical Component Dictionary, 1 to 8 letters or digits.'),
});

/** A SMILES as the source of a ligand. */
export const smilesSource = Joi.object({
  kind: sourceKind('smiles'),
  smiles: characters(1, 4096).required().description('SMILES of the ligand, 1 to 4096 characters.'),
});

/** The source of a ligand: exactly one of three, told apart by `kind`. */
export const ligandSource = Joi.alternatives<LigandSource>()
  .conditional('.kind', {
    switch: [
      { is: 'ccd', then: ccdSource },
      { is: 'smiles', then: smilesSource },
      {
        is: 'artifact',
        then: Joi.object({
          kind: sourceKind('artifact'),
          artifact: artifactReference.required().description('Stored structure file of the ligand.'),
        }),
      },
    ],
    otherwise: Joi.object({ kind: Joi.string().valid('ccd', 'smiles', 'artifact').required() }).unknown(),
  })
  .description(
    'Where the structure of the ligand comes from: a component id, a SMILES or a stored artifact.',
  );

const ligandConfirmation = Joi.object<LigandConfirmation, true>({
  token: characters(32, 8192)
    .required()
    .description('resolutionToken of the candidate, 32 to 8192 characters; good for 24 hours.'),
  query: characters(1, 512).required().description('The query as it was resolved, 1 to 512 characters.'),
  sourceId: characters(1, 128).required().description('sourceId of the candidate, 1 to 128 characters.'),
}).description(
  'Proof that this ligand was resolved and shown (POST /molecular/docking/ligands/resolve). Checked when it is sent: a token that is not genuine, has expired, or was made for another account, query or ligand is refused with LIGAND_CONFIRMATION_INVALID.',
);

function leavesHydrogensAsGiven(
  preparation: LigandPreparation,
  helpers: Joi.CustomHelpers<LigandPreparation>,
): LigandPreparation | Joi.ErrorReport {
  if (preparation.protonation !== 'as_given') return preparation;
  const contrary = (['tautomer', 'states'] as const).find((field) => preparation[field] === 'likely');
  return contrary === undefined ? preparation : helpers.error('likely.given', { field: contrary });
}

/** Preparation of a ligand. */
export const ligandPreparation = Joi.object<LigandPreparation, true>({
  protonationPh: Joi.number()
    .min(0)
    .max(14)
    .default(7.4)
    .description('pH at which the ligand is protonated, 0 to 14.'),
  protonation: Joi.string()
    .valid('model', 'as_given')
    .description(
      'model (the default): charges are computed for the pH; as_given: charges and hydrogens stay as they were sent.',
    ),
  tautomer: Joi.string()
    .valid('as_sent', 'likely')
    .description(
      'as_sent (the default): the ligand is docked in the tautomer that was sent; likely: where that hardly occurs in water, in the one that does. Not with protonation as_given.',
    ),
  states: Joi.string()
    .valid('single', 'likely')
    .description(
      'single (the default): the ligand is docked in one state, with one isomer of what its stereo leaves open; likely: in each likely one, and the best by score and cost is the result: up to 8 open isomers (both of a racemate), both forms of each group whose pKa is within one unit of the pH, likely tautomers; up to 16 in all. Not with protonation as_given.',
    ),
  addHydrogens: Joi.boolean().valid(true).default(true).description('Hydrogens are always added.'),
  generate3d: Joi.boolean().valid(true).default(true).description('Coordinates are always generated.'),
})
  .custom(leavesHydrogensAsGiven)
  .messages({
    'likely.given':
      '{{#label}} has protonation as_given, which leaves hydrogens where they were sent, and {{#field}} likely, which moves them; send one of them',
  })
  .description('How the ligand is prepared.');

/** One ligand. */
export const ligandIdentity = Joi.object<LigandIdentity, true>({
  ligandId: identifier
    .required()
    .description('Your id of the ligand, unique within a library, 1 to 128 characters.'),
  label: characters(1, 512).required().description('Name shown to people, 1 to 512 characters.'),
  source: ligandSource.required(),
  confirmation: ligandConfirmation,
  preparation: ligandPreparation.default(),
}).description('A ligand: its id, its structure and how it is prepared.');

/** A residue is named by its component, or by chain and number; an insertion code follows a number. */
function namesResidue(
  named: ResidueReference,
  helpers: Joi.CustomHelpers,
): ResidueReference | Joi.ErrorReport {
  const { residueName, chain: ofChain, residue: number, insertionCode: code = '' } = named;
  const isNamed = residueName !== undefined || (ofChain !== undefined && number !== undefined);
  if (!isNamed) return helpers.error('residue.unnamed');
  return code.trim() !== '' && number === undefined ? helpers.error('residue.code') : named;
}

const UNNAMED = {
  'residue.unnamed': '{{#label}} must name a residue: residueName, or chain and residue',
  'residue.code': '{{#label}} has an insertionCode without the residue that it belongs to',
};

/** A residue by as much of its name, chain and author number as tells it from others. */
export const residueReference = Joi.object<ResidueReference, true>({
  residueName: componentName.description(
    'Name of the residue or component, 1 to 8 characters; with chain and residue it must agree with the structure.',
  ),
  chain,
  residue,
  insertionCode,
})
  .custom(namesResidue)
  .messages(UNNAMED)
  .meta(
    inDocument({
      anyOf: [{ required: ['residueName'] }, { required: ['chain', 'residue'] }],
      dependentRequired: { insertionCode: ['residue'] },
    }),
  )
  .description(
    'A residue of the receptor: residueName, or chain and residue, or all of them. What stands for several residues is refused with a list of them, but where residues are kept or removed: there it means all of them.',
  );

const fixedProtonationState = Joi.object<FixedProtonationState, true>({
  chain,
  residue,
  residueName: Joi.string()
    .valid('ASP', 'GLU', 'HIS', 'LYS', 'CYS', 'TYR')
    .required()
    .description('Residue name, which must agree with the structure.'),
  state: Joi.string()
    .valid('anionic', 'neutral', 'cationic', 'delta', 'epsilon', 'both')
    .required()
    .description(
      'Protonation state to keep. ASP, GLU, CYS and TYR can be anionic or neutral, LYS cationic or neutral; HIS has hydrogen on ND1 (delta), NE2 (epsilon) or both.',
    ),
  insertionCode,
  reason: characters(1, 512).description('Why the state is fixed, 1 to 512 characters; kept in the report.'),
}).description('A protonation state that is fixed, not computed.');

const componentList = (text: string): Joi.ArraySchema =>
  Joi.array()
    .items(componentId.description('Component id, 1 to 8 letters or digits.'))
    .max(256)
    .default([])
    .description(text);

const residueList = (text: string): Joi.ArraySchema =>
  Joi.array().items(residueReference).max(256).description(text);

const watersWithin = Joi.object<WatersWithin, true>({
  angstrom: Joi.number()
    .min(0)
    .max(10)
    .required()
    .description('Largest distance of a water, in Å, 0 to 10; 0 from the box is inside it.'),
  of: Joi.string()
    .valid('box', 'ligand')
    .required()
    .description(
      'What the distance is from: the box, or the heavy atoms of pocketLigand, else of the native reference.',
    ),
}).description('Waters of the structure that stay because they are near; ligand needs one that is named.');

const flexibleResidue = Joi.object<FlexibleResidue, true>({
  chain,
  residue,
  insertionCode,
  residueName: Joi.string()
    .valid(...FLEXIBLE_RESIDUE_NAMES)
    .description(
      'Residue name, which must agree with the structure; ALA, GLY and PRO have no side chain that turns.',
    ),
})
  .custom(namesResidue)
  .messages(UNNAMED)
  .description(
    'A residue of the receptor whose side chain turns while ligands are docked: residueName, or chain and residue, or all of them.',
  );

/** Preparation of the receptor. */
export const receptorPreparation = Joi.object<ReceptorPreparation, true>({
  protonationPh: Joi.number()
    .min(0)
    .max(14)
    .default(7.4)
    .description('pH at which the receptor is protonated, 0 to 14.'),
  addHydrogens: Joi.boolean().valid(true).default(true).description('Hydrogens are always added.'),
  protonationMethod: Joi.string()
    .valid('pdb2pqr-propka', 'meeko')
    .default('pdb2pqr-propka')
    .description('Method that sets protonation states.'),
  forceField: Joi.string()
    .valid('AMBER', 'CHARMM', 'PARSE')
    .default('AMBER')
    .description('Force field for partial charges, which the scoring functions here do not use.'),
  fixedProtonationStates: Joi.array()
    .items(fixedProtonationState)
    .max(256)
    .default([])
    .description(
      'Protonation states to keep, at most 256, each residue once; a blank insertion code is the same as none.',
    ),
  removeComponents: componentList(
    'Component ids to remove from the receptor, at most 256; none that is to be retained.',
  ),
  retainComponents: componentList(
    'Component ids to keep in the receptor, at most 256; none that is to be removed.',
  ),
  removeResidues: residueList(
    'Residues to remove from the receptor, at most 256, whatever they are; none that is to be retained.',
  ),
  retainResidues: residueList(
    'Residues to keep in the receptor, at most 256, such as one water or one ion; none that is to be removed.',
  ),
  retainWatersWithin: watersWithin,
  flexibleResidues: Joi.array()
    .items(flexibleResidue)
    .max(MOST_FLEXIBLE_RESIDUES)
    .description(
      'Residues whose side chains turn while ligands are docked, at most 4, each once and none that is to be removed; each heavy atom of the side chain must be in the box. A search takes several times as long with each.',
    ),
  repair: Joi.string()
    .valid(...REPAIRS)
    .description(
      'What becomes of a residue that cannot be as it stands: far (the default) builds its side chain anew, cuts it to alanine or leaves the residue out more than 4 Å from the box (outside of it where atoms of the backbone are missing) and refuses it nearer; box builds and cuts side chains in the box, too; none refuses it anywhere.',
    ),
}).description('How the receptor is prepared.');

const nativeReference = Joi.object<NativeReference, true>({
  componentId: componentId
    .required()
    .description('Component id of the deposited ligand, 1 to 8 letters or digits.'),
  chain,
  residue,
  insertionCode,
}).description(
  'A ligand of the deposited structure that is docked again and compared; not charged. Chain and residue tell it from other copies.',
);

/** Control dockings. */
export const dockingValidation = Joi.object<DockingValidation, true>({
  nativeReference,
  requiredRmsdAngstrom: Joi.number()
    .greater(0)
    .max(MOST_REQUIRED_ANGSTROM)
    .example(2)
    .description(
      `Ends the job before any ligand is docked where the best pose of the native ligand lies farther from its deposited place, in Å, above 0 and up to ${MOST_REQUIRED_ANGSTROM}; then only the start fee is charged. Needs nativeReference.`,
    ),
}).description('Control dockings that accompany the job.');

const digest = (text: string): Joi.StringSchema =>
  sha256.required().description(`${text}, SHA-256 as 64 lowercase hex characters.`);

const preparedReceptor = Joi.object<PreparedReceptor, true>({
  cacheKey: digest('Key of the prepared receptor'),
  receptorIdentitySha256: digest('Digest of the receptor identity'),
  preparationSha256: digest('Digest of the preparation options'),
  toolchainSha256: digest('Digest of the tools that prepared it'),
  workerImageDigest: Joi.string()
    .pattern(/^sha256:[0-9a-f]{64}$/, { name: 'sha256: and 64 lowercase hex characters' })
    .required()
    .description('Digest of the worker image, sha256: followed by 64 lowercase hex characters.'),
  artifact: artifactReference.description('The prepared receptor itself.'),
}).description('A receptor prepared before; used when every digest equals that of the job.');

/** The function that scores poses. */
export const scoringFunction = Joi.string()
  .valid('vina', 'vinardo')
  .description(
    'Function that scores poses; absent means vina. Scores of different functions cannot be compared.',
  );

/** Execution of a docking: its spread over activities, and the prepared receptor that it reuses. */
export const dockingExecution = Joi.object<DockingExecution, true>({
  shardSize: Joi.number()
    .integer()
    .min(1)
    .max(10)
    .default(1)
    .description('Number of ligands that one activity carries, 1 to 10.'),
  preparedReceptor,
}).description('How docking is spread and what it reuses.');

/** POST /molecular/docking/artifacts. */
export const registerArtifactBody = Joi.object<RegisterArtifactRequest, true>({
  storageKey: storageKey.required().description('Storage key that an upload answered.'),
  format: Joi.string()
    .valid(...ARTIFACT_FORMATS)
    .required()
    .description(
      'Format of the stored object. A ligand library is smi, csv (commas, semicolons or tabs) or sdf, each also packed with gzip.',
    ),
  label: characters(1, 512).description('Name shown to people, 1 to 512 characters.'),
}).description('Which stored object becomes an artifact.');

const provenanceKind = (kind: ArtifactProvenance['kind']): Joi.StringSchema =>
  Joi.string().valid(kind).required().description('Whether an upload or a job made the bytes.');

/** Origin of an artifact's bytes. */
export const artifactProvenance = Joi.alternatives<ArtifactProvenance>()
  .conditional('.kind', {
    switch: [
      {
        is: 'upload',
        then: Joi.object({
          kind: provenanceKind('upload'),
          uploadId: uuid.required().description('Id of the upload.'),
        }),
      },
      {
        is: 'export',
        then: Joi.object({
          kind: provenanceKind('export'),
          exportId: uuid.required().description('Id of the export.'),
        }),
      },
      {
        is: 'task',
        then: Joi.object({
          kind: provenanceKind('task'),
          jobId: uuid.required().description('Id of the job.'),
          taskIndex: Joi.number()
            .integer()
            .allow(null)
            .required()
            .description('Index of the task in the job, from 0; null for a file of the whole job.'),
        }),
      },
    ],
    otherwise: Joi.object({ kind: Joi.string().valid('upload', 'export', 'task').required() }).unknown(),
  })
  .description('What made the bytes.');

/** The answer of POST …/download-url. */
export const downloadUrlAnswer = Joi.object({
  artifactId: uuid.required().description('Id of the artifact.'),
  url: Joi.string().uri().required().description('Presigned address for a GET; ranges may be asked for.'),
  method: Joi.string().valid('GET').required().description('Method to use: always GET.'),
  expiresIn: Joi.number().greater(0).required().description('Life of the address in seconds.'),
  expiresAt: time.required().description('When the address ends.'),
  filename: Joi.string().required().description('Name that the download is given.'),
  mediaType: Joi.string().required().description('Media type that the download is given.'),
  byteSize: Joi.number().integer().required().description('Size of the file in bytes.'),
  sha256: sha256.required().description('SHA-256 of the file, 64 lowercase hex characters.'),
}).description('Where to download an artifact.');

/** The path of one artifact. */
export const artifactPath = Joi.object<{ readonly artifactId: string }, true>({
  artifactId: uuid.required().description('Id of the artifact.'),
});

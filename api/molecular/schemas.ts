/** Data of scenes: requests. */
import Joi from 'joi';

import type { StructureFacts } from '../../src/domain/structure-facts.ts';
import { sha256, uuid } from '../http/fields.ts';
import { shareToken } from '../projects/schemas.ts';

const artifactId = uuid.required().description('Id of the artifact.');

/** The path of an artifact. */
export const assetPath = Joi.object<{ readonly artifactId: string }, true>({ artifactId });

/** The path of an artifact that a shared revision names. */
export const sharedAssetPath = Joi.object<{ readonly token: string; readonly artifactId: string }, true>({
  token: shareToken,
  artifactId,
});

const pdbId = Joi.string()
  .pattern(/^[0-9][A-Za-z0-9]{3}$/, { name: 'PDB id' })
  .required()
  .example('1a28')
  .description('PDB id of the entry: a digit and three letters or digits, in small or capital letters.');
const revision = sha256.description('SHA-256 of the revision, as an answer told it in its tag.');

/** The path of an entry of the archive. */
export const structurePath = Joi.object<{ readonly pdbId: string }, true>({ pdbId });

/** The query of an entry of the archive. */
export const structureQuery = Joi.object<{ readonly sha256?: string }, true>({
  sha256: revision.description(
    'SHA-256 of the revision, as an answer told it in its tag; without it the newest one is read, and fetched where it is not here.',
  ),
});

/** The path of an entry that a shared revision names. */
export const sharedStructurePath = Joi.object<{ readonly token: string; readonly pdbId: string }, true>({
  token: shareToken,
  pdbId,
});

/** The query of one revision of an entry. */
export const revisionQuery = Joi.object<{ readonly sha256: string }, true>({
  sha256: revision.required(),
});

/** The query of a revision that a scene names. */
export const namedRevisionQuery = Joi.object<{ readonly sha256?: string }, true>({
  sha256: revision.description(
    'SHA-256 of the revision, as the scene names it; without it nothing is found.',
  ),
});

/** An entry that is being fetched. */
export const fetchingAnswer = Joi.object({
  pdbId: pdbId.description('PDB id of the entry, in small letters.'),
  status: Joi.string()
    .valid('FETCHING')
    .required()
    .description('The entry is being fetched from the archive.'),
  message: Joi.string()
    .required()
    .example('The entry is being fetched. Ask again.')
    .description('The next step, in words.'),
}).description('An entry that is not here yet.');

const count = (what: string, example = 1) =>
  Joi.number().integer().min(0).required().example(example).description(what);
const chainName = Joi.string().allow('').required().example('A');
const residueNumber = Joi.number().integer().required().example(725);

/** Facts of a structure. */
export const factsAnswer = Joi.object<StructureFacts>({
  models: count('Number of models.'),
  assemblies: Joi.array()
    .items(Joi.string().example('1'))
    .required()
    .description('Ids of the biological assemblies.'),
  atoms: count('Number of atoms of the first model.', 4262),
  residues: count('Number of residues of polymers and sugars.', 500),
  waters: count('Number of waters.', 180),
  chains: Joi.array()
    .items(
      Joi.object({
        id: chainName.description("Author's name of the chain."),
        residues: count('Number of residues of the chain.', 251),
        first: residueNumber.description("Author's number of the first residue."),
        last: residueNumber.description("Author's number of the last residue."),
      }).description('A chain.'),
    )
    .required()
    .description('Chains of polymers and sugars, in the order of the file.'),
  ligands: Joi.array()
    .items(
      Joi.object({
        componentId: Joi.string().required().example('STR').description('Component id.'),
        chain: chainName.description("Author's name of the chain."),
        residue: residueNumber.description("Author's number of the residue."),
        insertionCode: Joi.string()
          .allow('')
          .required()
          .example('')
          .description('Insertion code; empty without one.'),
        atoms: count('Number of atoms.', 23),
      }).description('A molecule that is neither polymer nor water.'),
    )
    .required()
    .description('Ligands and ions, at most a thousand.'),
  ligandCount: count('Number of ligands and ions.', 2),
}).description('Facts of a structure file, of its first model.');

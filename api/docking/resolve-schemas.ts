/** Schemas of what a ligand is looked for by, and of what is found. */
import Joi from 'joi';

import { LIGAND_QUERY_KINDS } from '../../src/domain/requests.ts';
import type { NamedSource, ResolveLigandRequest } from '../../src/domain/requests.ts';
import { characters, jobWarning } from '../http/fields.ts';
import { ccdSource, smilesSource } from './schemas.ts';

/** POST /molecular/docking/ligands/resolve. */
export const resolveLigandBody = Joi.object<ResolveLigandRequest, true>({
  query: characters(1, 512)
    .required()
    .description(
      'What the ligand is called: an id or name of the Chemical Component Dictionary, an ordinary name of a drug or reagent, an InChI, an InChIKey of a molecule that is known here, or SMILES; 1 to 512 characters.',
    ),
  kind: Joi.string()
    .valid(...LIGAND_QUERY_KINDS)
    .description('What the query is; without it each of them is tried, and CO is cobalt and methanol.'),
}).description('Which ligand is looked for.');

const ligandPreview = Joi.object({
  canonicalSmiles: Joi.string().required().description('Canonical SMILES of the structure as it is drawn.'),
  formula: Joi.string()
    .required()
    .description('Formula by Hill, with the charge at its end, such as C2H3O2-.'),
  formalCharge: Joi.number()
    .integer()
    .required()
    .description('Charge of the structure as it is drawn, as the number of elementary charges.'),
  protonationPh: Joi.number().required().description('pH of the next two fields: the default of a ligand.'),
  chargeAtPh: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description(
      'Charge that the ligand is docked with at this pH, as the number of elementary charges; null where a warning says why it is not told.',
    ),
  smilesAtPh: Joi.string()
    .allow(null)
    .required()
    .description('SMILES of that state, salts taken away; null where chargeAtPh is.'),
  svg: Joi.string()
    .required()
    .description('Picture of 320 by 240 pixels as one SVG element, without scripts or anything to load.'),
  warnings: Joi.array()
    .items(jobWarning)
    .required()
    .description('What the preparation would warn of, or refuse, with the codes of a job.'),
}).description('What a candidate looks like, and the state that it would be docked in.');

const namedSource = Joi.alternatives<NamedSource>()
  .conditional('.kind', {
    switch: [
      { is: 'ccd', then: ccdSource },
      { is: 'smiles', then: smilesSource },
    ],
    otherwise: Joi.object({ kind: Joi.string().valid('ccd', 'smiles').required() }).unknown(),
  })
  .description('The source to send in a ligand: a component id or the canonical SMILES.');

const ligandCandidate = Joi.object({
  resolutionToken: characters(32, 8192)
    .required()
    .description('Send it as confirmation.token with this query and sourceId; good for 24 hours.'),
  label: characters(1, 512).required().description('Name to show: that of the dictionary, or the query.'),
  sourceId: characters(1, 128)
    .required()
    .description('Id of the candidate: the component id, or the SHA-256 of its canonical SMILES.'),
  source: namedSource.required(),
  preview: ligandPreview.required(),
}).description('A ligand that the query may mean.');

/** The answer of POST /molecular/docking/ligands/resolve. */
export const resolveLigandAnswer = Joi.object({
  candidates: Joi.array()
    .items(ligandCandidate)
    .required()
    .description('The likeliest first: the component of this id, the query as SMILES, then names.'),
  warnings: Joi.array()
    .items(jobWarning)
    .required()
    .description('Why there is no candidate, or not every one.'),
}).description('What a query may mean.');

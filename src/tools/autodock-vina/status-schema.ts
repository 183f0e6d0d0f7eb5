/** The docking part of a job's status. */
import Joi from 'joi';

const angstrom = (text: string): Joi.NumberSchema =>
  Joi.number().min(0).allow(null).required().description(`${text}, in Å; null when it could not be docked.`);
const vector = (text: string): Joi.ArraySchema =>
  Joi.array().items(Joi.number().required()).length(3).required().description(`${text}: x, y and z in Å.`);

const box = Joi.object({
  centerAngstrom: vector('Centre of the box'),
  sizeAngstrom: vector('Edges of the box'),
  derivation: Joi.string()
    .valid('explicit', 'ligand', 'residues')
    .required()
    .description('What the box was derived from.'),
  receptorHeavyAtoms: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Number of heavy atoms of the prepared receptor inside the box.'),
}).description('Where ligands are docked.');

const receptor = Joi.object({
  cacheKey: Joi.string().hex().length(64).required().description('What the preparation is known by.'),
  cacheHit: Joi.boolean()
    .required()
    .description('Whether an equal preparation of the account was used again.'),
  heavyAtoms: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Number of heavy atoms of the prepared receptor.'),
}).description('The prepared receptor.');

const validation = Joi.object({
  component_id: Joi.string().required().description('Component id of the native ligand.'),
  rmsd_top_angstrom: angstrom('RMSD of the best-scored pose to the deposited one'),
  rmsd_best_angstrom: angstrom('Lowest RMSD of all poses to the deposited one'),
  best_mode: Joi.number()
    .integer()
    .min(1)
    .allow(null)
    .required()
    .description('Mode with the lowest RMSD, counted from 1; null when it could not be docked.'),
  passed: Joi.boolean().required().description('Whether the best-scored pose is within 2.0 Å.'),
})
  .allow(null)
  .description('The control docking of the native ligand; null when there is none or not yet.');

/** The docking part of a status. */
export const dockingStatus = Joi.object({
  box: box.required(),
  receptor: receptor.required(),
  validation: validation.required(),
})
  .allow(null)
  .description('What a docking job has made of its receptor; null for other jobs, and before.');

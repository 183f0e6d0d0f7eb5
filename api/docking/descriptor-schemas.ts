/** Descriptors of a ligand: the members of a result, and the filters by them. */
import Joi from 'joi';

import { DESCRIPTOR_CONDITION, DESCRIPTOR_NAMES, DESCRIPTOR_NUMBERS } from '../../src/domain/descriptors.ts';
import type { DescriptorNumber } from '../../src/domain/descriptors.ts';

const MOST_CONDITIONS = 16;
/** Conditions on figures of the ligand. */
export const descriptors = Joi.array()
  .items(
    Joi.string()
      .pattern(DESCRIPTOR_CONDITION, { name: 'condition' })
      .messages({
        'string.pattern.name': `{{#label}} must be NAME<=NUMBER or NAME>=NUMBER, such as logP<=5. NAME is one of ${DESCRIPTOR_NAMES.join(', ')}`,
      })
      .description('A figure of the ligand and its bound, as logP<=5; alerts counts the alerts.'),
  )
  .min(1)
  .max(MOST_CONDITIONS)
  .description(`Only docked ligands of which this is true; repeated, all of it. At most ${MOST_CONDITIONS}.`);

/** A pattern of the molecule. */
export const smarts = Joi.string()
  .pattern(/^[\x21-\x7e]{1,1024}$/, { name: 'SMARTS' })
  .description('Only docked ligands whose molecule, as it was docked, has this pattern (SMARTS).');

const NOT_KNOWN = 'Null where it is not known.';
const optional = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().allow(null).required().example(example).description(`${text} ${NOT_KNOWN}`);

function figure(wanted: DescriptorNumber): Joi.NumberSchema {
  const found = DESCRIPTOR_NUMBERS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no figure ${wanted}.`);
  return optional(found.says, found.example);
}

/** The members of a result. */
export const descriptorFields = {
  molecular_weight: figure('molecularWeight'),
  log_p: figure('logP'),
  tpsa: figure('tpsa'),
  h_bond_donors: figure('donors'),
  h_bond_acceptors: figure('acceptors'),
  rotatable_bonds: figure('rotatableBonds'),
  qed: figure('qed'),
  alerts: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .example(['PAINS: quinone_A(370)'])
    .description('Patterns of PAINS, BRENK and NIH that the ligand has. Null where it is not known.'),
  scaffold: Joi.string()
    .allow('', null)
    .required()
    .example('c1ccccc1')
    .description(`Murcko scaffold as SMILES; empty for a ligand without rings. ${NOT_KNOWN}`),
  second_affinity_kcal_mol: optional(
    'Score of the best pose by the other scoring function, in kcal/mol.',
    -8.2,
  ),
  second_rank: optional(
    'Place, counted from 1, of the best pose among the poses by the other scoring function.',
    1,
  ),
  key_interactions: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .example(['hydrogen_bond:A:GLN725'])
    .description('Contacts of the best pose that have a direction. Null where they are not known.'),
  cluster: Joi.number()
    .integer()
    .min(1)
    .allow(null)
    .required()
    .example(1)
    .description(
      'Number of the cluster of the ligand among the docked ligands of the batch, counted from 1, the largest first (Butina, Morgan fingerprints, Tanimoto similarity of at least 0.6). Null before the batch has ended.',
    ),
};

const dockedState = Joi.object({
  smiles: Joi.string().allow(null).required().example('CC(=O)[O-]').description('SMILES as docked.'),
  formal_charge: Joi.number()
    .integer()
    .required()
    .example(-1)
    .description('Formal charge as a number of elementary charges.'),
  cost_kcal_mol: Joi.number()
    .min(0)
    .required()
    .example(0.544)
    .description(
      'Free energy that the state takes from the binding, in kcal/mol: 1.36 for each unit of pKa above the likeliest one, and the strain of its rings.',
    ),
  best_affinity_kcal_mol: optional(
    'Best score of the state in kcal/mol, the cost not included; null where no pose fits the box.',
    -8.1,
  ),
});

/** The states of a ligand that was docked in several. */
export const dockedStates = Joi.object({
  on_paper: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(4)
    .description('Number of likely states that the ligand has on paper; up to 16 of them are docked.'),
  won: Joi.number()
    .integer()
    .min(1)
    .max(16)
    .required()
    .example(1)
    .description('Place of the state in `each`, counted from 1, that has the least sum of score and cost.'),
  each: Joi.array()
    .items(dockedState)
    .min(1)
    .max(16)
    .required()
    .description('The docked states, the likeliest first.'),
})
  .allow(null)
  .required()
  .description(
    'The states of a ligand with `preparation.states` likely. Its poses and scores are those of the state that won. Null for a ligand that was docked in one state.',
  );

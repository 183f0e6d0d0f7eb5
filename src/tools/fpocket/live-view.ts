/** Summary of a search for pockets, and the line that tells a person of it. */
import Joi from 'joi';

import type { LiveView, TaskSummary } from '../shown.ts';

interface Found {
  readonly pocketsFound: number;
  readonly bestScore: number | null;
}

const orNone = (text: string): Joi.NumberSchema =>
  Joi.number().allow(null).description(`${text}; null when there is no pocket.`);
const vector = Joi.array().items(Joi.number().required()).length(3);

const POCKET = Joi.object({
  rank: Joi.number().integer().min(1).required().description('Rank of the pocket, counted from 1.'),
  score: Joi.number().required().description('Score of the pocket, a number without unit.'),
  druggabilityScore: orNone('Druggability score, a number without unit'),
  volumeAngstrom3: Joi.number().min(0).description('Volume in cubic Å.'),
  centerAngstrom: vector.description('Centre of the pocket: x, y and z in Å.'),
  residueCount: Joi.number().integer().min(0).description('Number of residues around the pocket.'),
}).unknown();

const SUMMARY = Joi.object({
  pocketsFound: Joi.number().integer().min(0).required().description('Number of pockets that were found.'),
  pocketCount: Joi.number().integer().min(0).description('Number of pockets that were kept.'),
  bestScore: orNone('Score of the first pocket, a number without unit').required(),
  bestDruggabilityScore: orNone('Druggability score of the first pocket, a number without unit'),
  bestVolumeAngstrom3: orNone('Volume of the first pocket in cubic Å'),
  pockets: Joi.array().items(POCKET).description('The pockets that were kept, by rank.'),
})
  .unknown()
  .description('What a search for pockets says of itself; there may be further members.');

/** The summary of a search. */
export const pocketsSummary: TaskSummary = { name: 'PocketsSummary', schema: SUMMARY };

const LINE = Joi.object<Found>({
  pocketsFound: Joi.number().integer().min(0).required(),
  bestScore: Joi.number().allow(null).required(),
})
  .unknown()
  .required()
  .prefs({ convert: false });

/** How many pockets were found, and the score of the best. */
export const pocketsView: LiveView = {
  line(tasks) {
    for (const { state, summary } of tasks) {
      const result = LINE.validate(summary);
      if (state === 'SUCCEEDED' && result.error === undefined) return textOf(result.value);
    }
    return null;
  },
};

function textOf({ pocketsFound, bestScore }: Found): string {
  const best = bestScore === null ? '' : `, best score ${bestScore.toFixed(3)}`;
  return `${pocketsFound} ${pocketsFound === 1 ? 'pocket' : 'pockets'} found${best}`;
}

/** Summary of the search of a part of the queries, and the line that tells a person of all parts. */
import Joi from 'joi';

import type { LiveView, SeenTask, TaskSummary } from '../shown.ts';

interface Searched {
  readonly queries: number;
  readonly queriesWithHits: number;
  readonly hits: number;
}

const count = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).description(text);

const HIT = Joi.object({
  query: Joi.string().required().description('Name of the query.'),
  subject: Joi.string().required().description('Name of the sequence that was found.'),
  identityPercent: Joi.number().min(0).max(100).description('Equal letters of the alignment in percent.'),
  length: count('Number of letters of the alignment.'),
  evalue: Joi.number().min(0).description('Expectation value, a number without unit.'),
  bitScore: Joi.number().description('Score of the alignment, a number of bits.'),
}).unknown();

const SUMMARY = Joi.object({
  queries: count('Number of queries that were searched.').required(),
  queriesWithHits: count('Number of queries that have hits.').required(),
  hits: count('Number of alignments that were found.').required(),
  firstQuery: count('Number of the first query in the whole file, counted from 1.'),
  residues: count('Number of letters of the queries.'),
  best: Joi.array().items(HIT).description('The best hit of each of the first queries that have one.'),
})
  .unknown()
  .description('What the search of a part of the queries says of itself; there may be further members.');

/** The summary of a task. */
export const searchSummary: TaskSummary = { name: 'SearchSummary', schema: SUMMARY };

const number = Joi.number().integer().min(0).required();
const LINE = Joi.object<Searched>({ queries: number, queriesWithHits: number, hits: number })
  .unknown()
  .required()
  .prefs({ convert: false });

/** How many queries are done, and what they have found. */
export const searchView: LiveView = {
  line(tasks) {
    const searched = tasks.flatMap(searchedOf);
    if (searched.length === 0) return null;
    const sum = (pick: (one: Searched) => number): number =>
      searched.reduce((total, one) => total + pick(one), 0);
    const [queries, hits] = [sum((one) => one.queries), sum((one) => one.hits)];
    return `${queries} ${queries === 1 ? 'query' : 'queries'} done, ${sum((one) => one.queriesWithHits)} with hits, ${hits} ${hits === 1 ? 'hit' : 'hits'}`;
  },
};

function searchedOf({ state, summary }: SeenTask): readonly Searched[] {
  const result = LINE.validate(summary);
  return state !== 'SUCCEEDED' || result.error !== undefined ? [] : [result.value];
}

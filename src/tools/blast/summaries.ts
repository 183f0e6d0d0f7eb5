/** The short JSON files of a search, each with its schema beside this file. */
import { asReport } from '../json-report.ts';
import DATABASE_SCHEMA from './database.schema.json' with { type: 'json' };
import QUERIES_SCHEMA from './queries.schema.json' with { type: 'json' };
import SEARCH_SCHEMA from './search.schema.json' with { type: 'json' };

/** `search.json` as its schema has it, as far as the reports beside it are compared with it. */
export interface SearchSummary {
  readonly parts: readonly { readonly queries: number; readonly hits: number }[];
}

/** Reads what a preparation says of the database. */
export const DATABASE = asReport<unknown>({ schema: DATABASE_SCHEMA });
/** Reads which part of the queries each task searches. */
export const QUERIES = asReport<{ readonly queries: number }>({ schema: QUERIES_SCHEMA });
/** Reads the summary of a search. */
export const SUMMARY = asReport<SearchSummary>({ schema: SEARCH_SCHEMA });

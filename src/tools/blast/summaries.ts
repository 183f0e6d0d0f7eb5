/** The shapes of the short JSON files of a search, as far as they are read here. */
import { countOf, hasShape, listOf, matching, objectOf, SOME_TEXT } from '../json-shape.ts';
import type { JsonShape } from '../json-shape.ts';
import { JSON_BOUNDS } from '../json-value.ts';
import type { Pieces } from '../pieces.ts';

/** Counts of the reports beside a summary. */
export interface ReportCounts {
  readonly queries: number;
  readonly hits: number;
}

/** Facts of the database in the summary of the preparation. */
export const DATABASE: JsonShape = objectOf({
  name: matching(/^[^]{1,128}$/),
  type: matching(/^(prot|nucl)$/),
  sequences: countOf(),
  letters: countOf(),
  checksum: matching(/^[0-9a-f]{64}$/),
});

/** The number of queries of a job, of which the list says which part each task searches; null when it is no such list. */
export async function readParts(pieces: Pieces): Promise<number | null> {
  let queries = 0;
  const shape = objectOf({
    schema: matching(/^dockyard\.blast\.queries\/v1$/),
    queries: countOf((count) => (queries = count)),
    letters: countOf(),
    parts: listOf(objectOf({ first: countOf(), queries: countOf() }), { least: 1 }),
  });
  return (await hasShape(pieces, shape, JSON_BOUNDS.values)) ? queries : null;
}

/** The numbers of queries and hits of all parts together; null when the file is no summary of a search. */
export async function readSummary(pieces: Pieces): Promise<ReportCounts | null> {
  let [queries, hits] = [0, 0];
  const shape = objectOf({
    schema: matching(/^dockyard\.blast\.search\/v1$/),
    program: SOME_TEXT,
    engine: objectOf({ version: SOME_TEXT, packSha256: SOME_TEXT }),
    database: DATABASE,
    parts: listOf(
      objectOf({
        queries: countOf((count) => (queries += count)),
        hits: countOf((count) => (hits += count)),
      }),
      { least: 1 },
    ),
  });
  return (await hasShape(pieces, shape, JSON_BOUNDS.values)) ? { queries, hits } : null;
}

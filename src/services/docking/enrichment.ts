/**
 * How well a batch finds the ligands that its library marks as active, by itself where a column of a usual name marks both kinds.
 * Records that equal an earlier one have the score of that one, as in the results; ligands that failed come last.
 */
import type { DataSource } from 'typeorm';

import { enrichmentBy, isMarking, isUsualMark } from '../../domain/enrichment.ts';
import type { MarkedEnrichment } from '../../domain/enrichment.ts';

const COLUMNS = 'select property_names as names from ligand_libraries where id = $1';
const CELLS = `
  with ended as (
    select t.item_id, r.best_affinity_kcal_mol as score
    from docking_runs o join tasks t on t.job_id = o.job_id and t.kind = 'task' and not t.superseded and t.state in ('SUCCEEDED', 'FAILED')
      left join docking_results r on r.job_id = t.job_id and r.ordinal = t.ordinal
    where o.batch_id = $1)
  select l.properties ->> $3 as cell, ended.score
  from ligand_library_records l
    left join ligand_library_records o on o.library_id = l.library_id and o.ordinal = l.same_as
    join ended on ended.item_id = coalesce(o.ligand_id, l.ligand_id)
  where l.library_id = $2`;

/** The enrichment of a batch that has ended; null where no column of a usual name marks actives and others. */
export async function enrichmentOfBatch(
  db: DataSource,
  batchId: string,
  libraryId: string,
): Promise<MarkedEnrichment | null> {
  const [library] = await db.query<{ names: readonly string[] }[]>(COLUMNS, [libraryId]);
  for (const column of (library?.names ?? []).filter(isUsualMark)) {
    const ligands = await db.query<{ cell: string | null; score: number | null }[]>(CELLS, [
      batchId,
      libraryId,
      column,
    ]);
    const found = isMarking(ligands.map(({ cell }) => cell)) ? enrichmentBy(column, ligands) : null;
    if (found !== null) return found;
  }
  return null;
}

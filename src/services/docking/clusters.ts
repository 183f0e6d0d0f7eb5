/**
 * The clusters of a batch: which of its docked ligands are alike. They are written when a run of the batch has ended, over all its
 * runs. A batch whose molecules cannot be compared stays without.
 */
import type { DataSource } from 'typeorm';

import type { Diversity } from '../../adapters/chemistry/chemistry.ts';

interface Molecule {
  readonly id: string;
  readonly smiles: string;
}

/** The docked ligands of the batch of a job, each by its newest run, the best first. */
const MOLECULES = `
  select d.id, d.smiles_docked as smiles from docking_runs mine join docking_runs run on run.batch_id = mine.batch_id
    join docking_results d on d.job_id = run.job_id
    join tasks t on t.job_id = d.job_id and t.kind = 'task' and t.ordinal = d.ordinal and not t.superseded
  where mine.job_id = $1 and d.smiles_docked is not null
  order by d.best_affinity_kcal_mol, d.ligand_id collate "C"`;
const WRITE = `
  update docking_results d set cluster = c.cluster from unnest($1::uuid[], $2::int[]) c (id, cluster)
  where d.id = c.id and d.cluster is distinct from c.cluster`;

/** Compares the docked ligands of the batch that a job is a run of; of other jobs and of a single ligand nothing is compared. */
export async function clusterBatch(
  db: DataSource,
  diversity: Pick<Diversity, 'clusters'>,
  jobId: string,
): Promise<void> {
  const molecules = await db.query<Molecule[]>(MOLECULES, [jobId]);
  if (molecules.length < 2) return;
  const clusters = await diversity.clusters(molecules.map(({ smiles }) => smiles));
  if (clusters === null) return;
  await db.query(WRITE, [molecules.map(({ id }) => id), clusters]);
}

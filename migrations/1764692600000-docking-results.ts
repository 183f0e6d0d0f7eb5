import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What verification reads of a docked ligand gets tables of its own: rankings, exports and pages are made of them. Ligands
 * that were docked before get the figures that their rankings show, and no poses.
 */
export class DockingResults1764692600000 implements MigrationInterface {
  name = 'DockingResults1764692600000';

  /** Makes both tables and fills the results from the summaries of verified ligands. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RESULTS, POSES, FILL]) await runner.query(sql);
  }

  /** Drops both tables. The summaries and the results in the store stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table docking_poses; drop table docking_results');
  }
}

/** Ids are compared by their bytes, so that the order of a ranking depends on no locale. */
const RESULTS = `
  create table docking_results (
    id uuid primary key,
    job_id uuid not null references jobs,
    ordinal integer not null,
    execution integer not null,
    ligand_id text collate "C" not null,
    result_sha256 text,
    best_affinity_kcal_mol double precision not null,
    ligand_efficiency double precision,
    size_independent_efficiency double precision,
    pose_count integer,
    best_pose_failed_checks integer,
    plausible_pose_count integer,
    heavy_atoms integer,
    formal_charge integer,
    smiles_input text,
    smiles_docked text,
    warnings jsonb not null default '[]',
    created_at timestamptz not null default now(),
    unique (job_id, ordinal)
  );
  create index docking_results_ranking on docking_results (job_id, best_affinity_kcal_mol, ligand_id)`;

const POSES = `
  create table docking_poses (
    id uuid primary key,
    result_id uuid not null references docking_results on delete cascade,
    mode integer not null check (mode > 0),
    affinity_kcal_mol double precision not null,
    rmsd_lower_angstrom double precision,
    rmsd_upper_angstrom double precision,
    failed_checks integer check (failed_checks >= 0),
    unique (result_id, mode)
  )`;

const number = (name: string): string =>
  `case when jsonb_typeof(t.summary -> '${name}') = 'number' then (t.summary ->> '${name}')::float8 end`;
/** An instance told the summary, so that a count may be any number. */
const count = (name: string): string =>
  `case when jsonb_typeof(t.summary -> '${name}') = 'number' and (t.summary ->> '${name}')::float8 between 0 and 1e6
     then (t.summary ->> '${name}')::float8::integer end`;

/** Only docking has ligands for its unit. */
const FILL = `
  insert into docking_results (id, job_id, ordinal, execution, ligand_id, best_affinity_kcal_mol, ligand_efficiency,
    size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms)
  select gen_random_uuid(), t.job_id, t.ordinal, t.execution, t.item_id, ${number('bestAffinityKcalMol')},
    ${number('ligandEfficiency')}, ${number('sizeIndependentEfficiency')}, ${count('poseCount')},
    ${count('bestPoseFailedChecks')}, ${count('plausiblePoseCount')}, ${count('heavyAtoms')}
  from tasks t join jobs j on j.id = t.job_id
  where j.unit = 'ligand' and t.kind = 'task' and t.state = 'SUCCEEDED'
    and jsonb_typeof(t.summary -> 'bestAffinityKcalMol') = 'number'`;

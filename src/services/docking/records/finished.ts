/**
 * A docking job whose tasks have ended, as its tool sees the job when the tool makes the files of the end: with the docked ligands
 * in the order of the ranking, and with what a stored library tells of each ligand.
 */
import type { LigandLibrary } from '../../../../entities/libraries.ts';
import type { DockedLigand } from '../../../domain/docking-results.ts';
import type { FinishedJob, FinishedTask } from '../../../tools/finished.ts';
import { allOf, ASKED_VALUES, ENDED_STATE, finishedSteps } from '../../execution/settle/finished-job.ts';
import type { EndedJob } from '../../execution/recorder.ts';
import { recordOf } from '../../libraries/record-sql.ts';
import type { Queryable } from '../../transaction.ts';

const PAGE = 1_000;

/** The names of a library's further columns. */
const NAMES = `select property_names as "propertyNames" from ligand_libraries where id = $1`;

/** Facts of the library about ligand `rec`, of which `own` was docked; null where there is no library. */
const LISTED = `case when rec.ligand_id is not null then jsonb_build_object('label', rec.label, 'smiles', rec.smiles,
    'properties', rec.properties, 'sameAs', case when rec.same_as is not null then own.ligand_id end) end as "listed"`;

/** The job, the numbers that a task's summary tells, and the job's library. */
interface FinishedOf extends Pick<EndedJob, 'jobId' | 'numbers'> {
  readonly libraryId: string | null;
}

/** A docking job whose tasks have ended. */
export function finishedDocking(tx: Queryable, { request, ...job }: EndedJob): Promise<FinishedJob> {
  return finishedJob(tx, { ...job, libraryId: request.simulationParams?.libraryUse?.libraryId ?? null });
}

/** Reads the steps of a job, and answers how the tasks and the docked ligands are read. */
export async function finishedJob(tx: Queryable, of: FinishedOf): Promise<FinishedJob> {
  const { jobId, libraryId } = of;
  const [library] =
    libraryId === null ? [] : await tx.query<Pick<LigandLibrary, 'propertyNames'>[]>(NAMES, [libraryId]);
  return {
    steps: await finishedSteps(tx, jobId),
    propertyNames: library?.propertyNames ?? [],
    tasks: () => allOf(PAGE, (after: FinishedTask | null) => tasksAfter(tx, of, after)),
    docked: () => allOf(PAGE, (after: DockedLigand | null) => dockedAfter(tx, of, after)),
  };
}

/**
 * The next tasks in the order of the request, equal ligands of a library one after the other. Each task has a row and only the first one may
 * have been told before, so one task more than the page suffices.
 */
const TASKS = `
  select t.kind, t.ordinal, coalesce(rec.ligand_id, t.item_id) as "itemId", ${ENDED_STATE}, t.failure_code as "failureCode",
    ${ASKED_VALUES},
    exists (select from docking_results r where r.job_id = t.job_id and r.ordinal = t.ordinal) as "isDocked", ${LISTED}
  from (select * from tasks where job_id = $1 and kind = 'task' and ordinal >= $4::int order by ordinal limit $6::int + 1) t
    left join lateral ${recordOf('$3', 't.item_id')} own on true
    left join lateral (
      select own.ligand_id, own.label, own.smiles, own.properties, own.same_as where own.ligand_id is not null
      union all
      select e.ligand_id, e.label, e.smiles, e.properties, e.same_as from ligand_library_records e
      where e.library_id = $3::uuid and e.same_as = own.ordinal) rec on true
  where (t.ordinal, coalesce(rec.ligand_id, t.item_id)) > ($4::int, $5::text)
  order by t.ordinal, coalesce(rec.ligand_id, t.item_id) limit $6::int`;

function tasksAfter(
  tx: Queryable,
  { jobId, numbers, libraryId }: FinishedOf,
  after: FinishedTask | null,
): Promise<FinishedTask[]> {
  return tx.query(TASKS, [jobId, numbers, libraryId, after?.ordinal ?? -1, after?.itemId ?? '', PAGE]);
}

const DOCKED_FIELDS = `r.ordinal, r.best_affinity_kcal_mol as "bestAffinityKcalMol", r.ligand_efficiency as "ligandEfficiency",
       r.size_independent_efficiency as "sizeIndependentEfficiency", r.pose_count as "poseCount",
       r.best_pose_failed_checks as "bestPoseFailedChecks", r.plausible_pose_count as "plausiblePoseCount",
       r.formal_charge as "formalCharge", r.smiles_input as "smilesInput", r.smiles_docked as "smilesDocked",
       r.descriptors, r.second_affinity_kcal_mol as "secondAffinityKcalMol", r.second_rank as "secondRank", r.states,
       (select coalesce(jsonb_agg(distinct w ->> 'code'), '[]') from jsonb_array_elements(r.warnings) w) as "warningCodes"`;

/** The next docked ligands; the index of the ranking has them in this order. */
const DOCKED = `
  select ${DOCKED_FIELDS}, r.ligand_id as "ligandId", null as "listed"
  from docking_results r
  where r.job_id = $1 and ($2::float8 is null or (r.best_affinity_kcal_mol, r.ligand_id) > ($2, $3::text))
  order by r.best_affinity_kcal_mol, r.ligand_id limit $4`;

/** The same of a library, whose equal ligands are ranked one by one: the first of each as the index has them, then the others. */
const DOCKED_OF_LIBRARY = `
  select * from (
    (select ${DOCKED_FIELDS}, own.ligand_id as "ligandId", ${LISTED.replaceAll('rec.', 'own.')}
     from (select * from docking_results where job_id = $1
         and ($2::float8 is null or (best_affinity_kcal_mol, ligand_id) > ($2, $3::text))
         order by best_affinity_kcal_mol, ligand_id limit $4::int) r
       join lateral ${recordOf('$5', 'r.ligand_id')} own on true)
    union all
    (select ${DOCKED_FIELDS}, rec.ligand_id, ${LISTED}
     from ligand_library_records rec
       join ligand_library_records own on own.library_id = rec.library_id and own.ordinal = rec.same_as
       join docking_results r on r.job_id = $1 and r.ligand_id = own.ligand_id
     where rec.library_id = $5::uuid and rec.same_as is not null
       and ($2::float8 is null or (r.best_affinity_kcal_mol, rec.ligand_id) > ($2, $3::text)))
  ) docked order by "bestAffinityKcalMol", "ligandId" limit $4::int`;

function dockedAfter(
  tx: Queryable,
  { jobId, libraryId }: FinishedOf,
  after: DockedLigand | null,
): Promise<DockedLigand[]> {
  const page = [jobId, after?.bestAffinityKcalMol ?? null, after?.ligandId ?? null, PAGE];
  return libraryId === null ? tx.query(DOCKED, page) : tx.query(DOCKED_OF_LIBRARY, [...page, libraryId]);
}

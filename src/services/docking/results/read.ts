/**
 * One result, its poses and their interactions. A result of another account is refused like one that does not exist. Everything
 * of one answer is read over one connection: whoever held one and waited for a second might wait for ever.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, validate as isUuid } from 'uuid';

import type { DockingPose } from '../../../../entities/docking.ts';
import type { Actor } from '../../../domain/access.ts';
import { FIRST_REPEATED, placeOf } from '../../../domain/docking-ids.ts';
import type { InteractionResidue, PoseInteraction } from '../../../domain/docking-interactions.ts';
import type { StudioLinks } from '../../../domain/docking-lists.ts';
import { AppError } from '../../../domain/errors.ts';
import { exactTime } from '../../exact-time.ts';
import type { Row } from '../../row.ts';
import { inSnapshot } from '../../transaction.ts';
import type { Queryable } from '../../transaction.ts';
import { belongingsOf, dockedAfter, filesOf, othersAfter } from './list.ts';
import type { PageRow } from './list.ts';
import { presentDocked, presentOther, taskKey } from './rows.ts';
import { scopeOfResults } from './scope.ts';
import type { ResultScope } from './scope.ts';
import type { Answers } from '../../../domain/answers.ts';

type InteractionListResponse = Omit<Answers['listDockingInteractions'], 'nextCursor'>;
type InteractionRecord = Answers['listDockingInteractions']['interactions'][number];
type PoseListResponse = Omit<Answers['listDockingPoses'], 'nextCursor'>;
type PoseRecord = Answers['getDockingPose']['pose'];
type PoseResponse = Answers['getDockingPose'];
type ResidueRecord = Omit<Answers['listDockingInteractions']['interactions'][number]['receptor'], 'atom'>;
type ResultArtifact = Answers['getDockingResult']['result']['artifacts'][number];
type ResultResponse = Answers['getDockingResult'];

interface FoundRow {
  readonly job_id: string;
  readonly run_id: string;
  readonly batch_id: string | null;
  readonly ligand_id: string;
}

/** A ligand by the id of its result. A docked ligand is found by its row, and any other one by its place in its job. */
const FIND = `
  select r.job_id, coalesce(run.id, r.job_id) as run_id, run.batch_id, r.ligand_id
  from docking_results r join jobs job on job.id = r.job_id left join docking_runs run on run.job_id = r.job_id
  where r.id = $1::uuid and job.account_id = $2::uuid
  union all
  select run.job_id, run.id, run.batch_id, coalesce(a.ligand_id, t.item_id)
  from docking_runs run left join docking_batches b on b.id = run.batch_id
    left join tasks t on t.job_id = run.job_id and t.kind = 'task' and t.ordinal = $5::int
    left join ligand_library_records a on a.library_id = b.library_id and a.ordinal = $5::int - ${FIRST_REPEATED} and a.same_as is not null
  where run.job_id between $3::uuid and $4::uuid and run.account_id = $2::uuid and (a.ligand_id is not null or t.item_id is not null)
  limit 1`;

/** Reads a result. @throws NOT_FOUND. */
export async function getResult(db: DataSource, actor: Actor, resultId: string): Promise<ResultResponse> {
  const result = await inSnapshot(db, async (tx) => {
    const { scope, one } = await locate(tx, actor, resultId);
    const belongings = await belongingsOf(tx, scope, [one], {});
    return one.part === 'docked'
      ? presentDocked(scope, one.row, belongings)
      : presentOther(scope, one.row, belongings);
  });
  return { result, uiLinks: resultLinks(result.id) };
}

async function find(tx: Queryable, actor: Actor, resultId: string): Promise<FoundRow> {
  if (!isUuid(resultId)) throw noSuchResult();
  const { from, to, ordinal } = placeOf(resultId);
  const [row] = await tx.query<FoundRow[]>(FIND, [resultId, actor.accountId, from, to, ordinal]);
  if (row === undefined) throw noSuchResult();
  return row;
}

/** Finds the row of a ligand: as its batch lists the ligand, unless a newer run has the ligand, whose result is another one. */
export async function locate(
  tx: Queryable,
  actor: Actor,
  resultId: string,
): Promise<{ scope: ResultScope; one: PageRow }> {
  const found = await find(tx, actor, resultId);
  const scopes = [
    ...(found.batch_id === null ? [] : [['batch', found.batch_id] as const]),
    ['run', found.run_id] as const,
  ];
  for (const [kind, id] of scopes) {
    const scope = await scopeOfResults(tx, actor, kind, id);
    const one = await rowIn(tx, scope, found.ligand_id);
    if (one?.row.job_id === found.job_id) return { scope, one };
  }
  throw noSuchResult();
}

async function rowIn(tx: Queryable, scope: ResultScope, ligandId: string): Promise<PageRow | null> {
  const [docked] = await dockedAfter(tx, scope, { sort: 'ligandId', ligandId }, null, 1);
  if (docked !== undefined) return { part: 'docked', row: docked };
  const [other] = await othersAfter(tx, scope, { ligandId }, null, 1);
  return other === undefined ? null : { part: 'others', row: other };
}

interface PoseRow extends Row<
  DockingPose,
  | 'id'
  | 'resultId'
  | 'mode'
  | 'affinityKcalMol'
  | 'rmsdLowerAngstrom'
  | 'rmsdUpperAngstrom'
  | 'failedChecks'
  | 'secondAffinityKcalMol'
> {
  readonly user_id: string;
  readonly created_at: string;
  readonly job_id: string;
  readonly ordinal: number;
  readonly interaction_count: number | null;
}

const POSES = `select p.id, p.result_id, p.mode, p.affinity_kcal_mol, p.rmsd_lower_angstrom, p.rmsd_upper_angstrom, p.failed_checks, p.second_affinity_kcal_mol,
    jsonb_array_length(p.interactions) as interaction_count, job.user_id, r.job_id, r.ordinal, ${exactTime('r.created_at')} as created_at
  from docking_poses p join docking_results r on r.id = p.result_id join jobs job on job.id = r.job_id`;
const POSES_OF = `${POSES} where p.result_id = $1 order by p.mode`;
const POSE = `${POSES} where p.id = $1 and job.account_id = $2`;
const INTERACTIONS = `
  select job.user_id, ${exactTime('r.created_at')} as created_at, p.interactions
  from docking_poses p join docking_results r on r.id = p.result_id join jobs job on job.id = r.job_id
  where p.id = $1 and job.account_id = $2`;

/** The poses of a result, the best first; a result that is not docked has none. @throws NOT_FOUND. */
export async function listPoses(db: DataSource, actor: Actor, resultId: string): Promise<PoseListResponse> {
  return inSnapshot(db, async (tx) => {
    const { one } = await locate(tx, actor, resultId);
    // A record that equals an earlier one has the poses of the earlier one.
    const rows = one.part === 'docked' ? await tx.query<PoseRow[]>(POSES_OF, [one.row.docked_id]) : [];
    const file = await posesFile(tx, rows);
    return { poses: rows.map((row) => presentPose(row, file)), uiLinks: resultLinks(resultId) };
  });
}

/** Reads a pose. @throws NOT_FOUND. */
export async function getPose(db: DataSource, actor: Actor, poseId: string): Promise<PoseResponse> {
  const [row] = isUuid(poseId) ? await db.query<PoseRow[]>(POSE, [poseId, actor.accountId]) : [];
  if (row === undefined) throw noSuchPose();
  return { pose: presentPose(row, await posesFile(db.manager, [row])), uiLinks: poseLinks(row.id) };
}

/** The interactions of a pose. @throws NOT_FOUND. */
export async function listInteractions(
  db: DataSource,
  actor: Actor,
  poseId: string,
): Promise<InteractionListResponse> {
  const [row] = isUuid(poseId)
    ? await db.query<InteractionsRow[]>(INTERACTIONS, [poseId, actor.accountId])
    : [];
  if (row === undefined) throw noSuchPose();
  return {
    interactions: (row.interactions ?? []).map((one, index) => presentInteraction(row, poseId, one, index)),
    computed: row.interactions !== null,
    uiLinks: poseLinks(poseId),
  };
}

interface InteractionsRow {
  readonly user_id: string;
  readonly created_at: string;
  readonly interactions: readonly PoseInteraction[] | null;
}

/** The file in which the modes stand one after the other. */
async function posesFile(tx: Queryable, rows: readonly PoseRow[]): Promise<ResultArtifact | null> {
  const [first] = rows;
  if (first === undefined) return null;
  const files = await filesOf(tx, [first]);
  return files.get(taskKey(first))?.find(({ kind }) => kind === 'poses') ?? null;
}

function presentPose(row: PoseRow, artifact: ResultArtifact | null): PoseRecord {
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    result_id: row.result_id,
    mode: row.mode,
    affinity_kcal_mol: row.affinity_kcal_mol,
    rmsd_lower_angstrom: row.rmsd_lower_angstrom,
    rmsd_upper_angstrom: row.rmsd_upper_angstrom,
    failed_checks: row.failed_checks,
    second_affinity_kcal_mol: row.second_affinity_kcal_mol,
    interaction_count: row.interaction_count,
    artifact,
  };
}

/** The id of an interaction follows from its pose and its place, so that it is the same in every answer. */
function presentInteraction(
  { user_id, created_at }: InteractionsRow,
  poseId: string,
  { type, ligandRole, receptor, ligandAtoms, distanceAngstrom, angleDegrees, water }: PoseInteraction,
  index: number,
): InteractionRecord {
  return {
    id: uuidv5(String(index), poseId),
    user_id,
    created_at,
    pose_id: poseId,
    type,
    ligand_role: ligandRole ?? null,
    receptor: { ...residueOf(receptor), atom: receptor.atom },
    ligand_atoms: [...ligandAtoms],
    distance_angstrom: distanceAngstrom,
    angle_degrees: angleDegrees,
    water: water === undefined ? null : { ...residueOf(water), distance_angstrom: water.distanceAngstrom },
  };
}

function residueOf({ chain, residue, insertionCode, residueName }: InteractionResidue): ResidueRecord {
  return {
    chain,
    residue,
    insertion_code: insertionCode === '' ? null : insertionCode,
    residue_name: residueName,
  };
}

function noSuchResult(): AppError {
  return new AppError('NOT_FOUND', 'There is no such result in this account.');
}

function noSuchPose(): AppError {
  return new AppError('NOT_FOUND', 'There is no such pose in this account.');
}

function resultLinks(resultId: string): StudioLinks {
  return { studio: `/molecular/studio?dockingResult=${resultId}` };
}

function poseLinks(poseId: string): StudioLinks {
  return { studio: `/molecular/studio?dockingPose=${poseId}` };
}

/**
 * Scenes of docking records, made anew for each question from what is recorded and stored: a batch and a run show the best pose of their
 * best ligands, a result its modes, a pose itself.
 */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { DockingPose, DockingResult } from '../../../../entities/docking.ts';
import type { Actor } from '../../../domain/access.ts';
import type { PoseInteraction } from '../../../domain/docking-interactions.ts';
import { AppError } from '../../../domain/errors.ts';
import { isRecord } from '../../../domain/is-record.ts';
import { MOST_POSES, sceneOfPoses } from '../../../scenes/docking.ts';
import type { DockedPoses, Scene, ScenePose } from '../../../scenes/docking.ts';
import type { Row } from '../../row.ts';
import { inSnapshot } from '../../transaction.ts';
import type { Queryable } from '../../transaction.ts';
import { dockedAfter, filesOf } from './list.ts';
import { locate } from './read.ts';
import { taskKey } from './rows.ts';
import { scopeOfResults } from './scope.ts';

/** A record that has a scene. */
export interface SceneOf {
  readonly kind: 'batch' | 'run' | 'result' | 'pose';
  readonly id: string;
}

interface ShownPose
  extends
    Row<DockingPose, 'resultId' | 'mode' | 'affinityKcalMol'>,
    Row<DockingResult, 'jobId' | 'ordinal' | 'ligandId'> {
  readonly interactions: readonly PoseInteraction[] | null;
}

const POSES = `select p.result_id, p.mode, p.affinity_kcal_mol, p.interactions, r.job_id, r.ordinal, r.ligand_id
  from docking_poses p join docking_results r on r.id = p.result_id join jobs job on job.id = r.job_id`;
const POSE = `${POSES} where p.id = $1 and job.account_id = $2`;
const MODES = `${POSES} where p.result_id = $1 order by p.mode limit $2`;
/** The best pose of each result, in the order of the results. */
const BEST = `${POSES} join unnest($1::uuid[]) with ordinality wanted (id, place) on wanted.id = p.result_id
  where p.mode = 1 order by wanted.place`;
/** Files and facts of the preparation of a job: its receptor, the deposited ligand of its control, its box. */
const BESIDE = `
  select (select a.id from artifacts a where a.job_id = $1 and a.task_kind = 'prepare' and a.kind = 'prepared_receptor'
      and a.format = 'pdb' limit 1) as receptor_id,
    (select a.id from artifacts a where a.job_id = $1 and a.task_kind = 'prepare' and a.name = 'control/native_reference.sdf'
      limit 1) as native_id,
    (select t.summary -> 'box' from tasks t where t.job_id = $1 and t.kind = 'prepare' limit 1) as box`;

interface Beside {
  readonly receptor_id: string | null;
  readonly native_id: string | null;
  readonly box: unknown;
}

/** Makes the scene of a record. @throws NOT_FOUND, also where nothing is docked yet. */
export async function sceneOf(db: DataSource, actor: Actor, of: SceneOf): Promise<Scene> {
  const docked = await inSnapshot(db, async (tx): Promise<DockedPoses | null> => {
    const rows = await shownPoses(tx, actor, of);
    const files = await filesOf(tx, rows, 'poses');
    const poses = rows.flatMap((row): ScenePose[] => {
      const file = files.get(taskKey(row))?.[0];
      return file === undefined ? [] : [poseOf(row, file.artifact_id)];
    });
    const [first] = rows;
    if (first === undefined || poses.length === 0) return null;
    const [beside] = await tx.query<Beside[]>(BESIDE, [first.job_id]);
    return {
      title: `${TITLES[of.kind]} ${of.kind === 'batch' || of.kind === 'run' ? of.id : first.ligand_id}`,
      receptorId: beside?.receptor_id ?? null,
      nativeId: beside?.native_id ?? null,
      box: boxOf(beside?.box),
      poses,
    };
  });
  if (docked !== null) return sceneOfPoses(docked);
  throw new AppError('NOT_FOUND', `The ${of.kind} has no docked pose that can be shown, or not yet.`);
}

const TITLES = { batch: 'Docking batch', run: 'Docking run', result: 'Poses of', pose: 'Pose of' } as const;

async function shownPoses(tx: Queryable, actor: Actor, { kind, id }: SceneOf): Promise<readonly ShownPose[]> {
  switch (kind) {
    case 'pose': {
      const rows = isUuid(id) ? await tx.query<ShownPose[]>(POSE, [id, actor.accountId]) : [];
      if (rows.length === 0) throw new AppError('NOT_FOUND', 'There is no such pose in this account.');
      return rows;
    }
    case 'result': {
      const { one } = await locate(tx, actor, id);
      return one.part === 'docked' ? tx.query<ShownPose[]>(MODES, [one.row.docked_id, MOST_POSES]) : [];
    }
    case 'batch':
    case 'run': {
      const scope = await scopeOfResults(tx, actor, kind, id);
      const best = await dockedAfter(tx, scope, { sort: 'affinity' }, null, MOST_POSES);
      return tx.query<ShownPose[]>(BEST, [[...new Set(best.map((row) => row.docked_id))]]);
    }
    default:
      return kind satisfies never;
  }
}

function poseOf(row: ShownPose, artifactId: string): ScenePose {
  const { ligand_id: ligandId, mode, affinity_kcal_mol: affinity, interactions } = row;
  const contacts = interactions === null ? 'contacts not computed' : `${interactions.length} contacts`;
  return {
    title: `${ligandId}, mode ${mode}`,
    description: `${affinity.toFixed(1)} kcal/mol, ${contacts}`,
    artifactId,
    mode,
    contacts: interactions,
  };
}

/** The box as the preparation has told it; null where it has told none. */
function boxOf(told: unknown): DockedPoses['box'] {
  if (!isRecord(told)) return null;
  const [center, size] = [numbersOf(told['centerAngstrom']), numbersOf(told['sizeAngstrom'])];
  return center === null || size === null ? null : { center, size };
}

function numbersOf(told: unknown): readonly number[] | null {
  const isPoint = Array.isArray(told) && told.length === 3 && told.every((each) => Number.isFinite(each));
  return isPoint ? told : null;
}

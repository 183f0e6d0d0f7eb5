/** Experiments: a protocol with its ligand. An experiment costs nothing, never changes, and may be made before its box is known. */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7, validate as isUuid } from 'uuid';

import { DockingExperimentEntity } from '../../../entities/docking-records.ts';
import type { DockingExperiment } from '../../../entities/docking-records.ts';
import type { Actor } from '../../domain/access.ts';
import { studioLink } from '../../domain/docking-records.ts';
import type {
  CreateDockingExperimentRequest,
  DockingParameters,
  ReceptorIdentity,
} from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { LigandIdentity } from '../../domain/requests.ts';
import type { StepSummaries } from '../../tools/shown.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import { chooseLigand, chooseReceptor, ligandOf, receptorOf } from './choices.ts';
import type { ChoiceDependencies } from './choices.ts';
import { engineOf } from './engine.ts';
import { withBox } from './read-batches.ts';
import type { DockingExperimentListResponse, DockingExperimentResponse } from '../../domain/answers.ts';

/** The database, the reader of tokens, and the tools. */
export interface ExperimentDependencies extends ChoiceDependencies {
  readonly db: DataSource;
  readonly tools: ToolRegistry;
}

/** An experiment as it is stored, with what its newest prepared run has said of the box. */
export interface ExperimentRow
  extends
    Row<DockingExperiment, 'id' | 'userId' | 'name' | 'receptorArtifactId' | 'ligandArtifactId'>,
    Documents<
      DockingExperiment,
      {
        receptorIdentity: ReceptorIdentity | null;
        ligandIdentity: LigandIdentity | null;
        parameters: DockingParameters;
      }
    >,
    ExactTimes<DockingExperiment, 'createdAt'> {
  readonly steps: StepSummaries | null;
}

/** Namespace of the ids of experiments that were sent with an idempotency key. */
const EXPERIMENT_IDS = '7a0c9d54-95a4-5a64-a1d8-3a8e7a5f6b10';
const LIST = 'docking.experiments';

const EXPERIMENTS = `
  select e.id, e.user_id, e.name, e.receptor_artifact_id, e.receptor_identity, e.ligand_artifact_id, e.ligand_identity, e.parameters,
    ${exactTime('e.created_at')} as created_at,
    (select jsonb_build_object('prepare', t.summary) from docking_runs r join tasks t on t.job_id = r.job_id
      where r.experiment_id = e.id and t.kind = 'prepare' and t.state = 'SUCCEEDED' order by r.number desc limit 1) as steps
  from docking_experiments e`;

const BY_ID = `${EXPERIMENTS} where e.id = $1 and e.account_id = $2`;

function listFrom(place: string): string {
  return `${EXPERIMENTS} where e.account_id = $1 ${place} order by e.created_at desc, e.id desc limit $2`;
}

const LIST_FROM_START = listFrom('');
const LIST_FROM_CURSOR = listFrom('and (e.created_at, e.id) < ($3::timestamptz, $4::uuid)');

/**
 * Makes an experiment. With a key the same request makes the same experiment, also when an earlier attempt has died.
 * @throws NOT_FOUND, ARTIFACT_MISMATCH, LIGAND_CONFIRMATION_INVALID, and what a job of the experiment would be refused for.
 */
export async function createExperiment(
  deps: ExperimentDependencies,
  actor: Actor,
  { body, fingerprint, idempotencyKey }: CreateExperiment,
): Promise<DockingExperimentResponse> {
  const receptor = await chooseReceptor(deps, actor, body.receptor);
  const ligand = await chooseLigand(deps, actor, body.ligand);
  const { parameters, name } = body;
  const engine = engineOf(deps.tools);
  // A request that no job of the experiment could ever make is refused here, and not at its first run.
  engine.request.check(
    {
      jobType: engine.about.jobType,
      simulator: engine.about.id,
      simulationParams: {
        ...engine.screening.paramsOf(await receptorOf(deps, actor, receptor), parameters),
        ligandIdentity: await ligandOf(deps, actor, ligand),
      },
    },
    false,
  );
  const id =
    idempotencyKey === null
      ? uuidv7()
      : uuidv5(`${actor.accountId}/${idempotencyKey}/${fingerprint}`, EXPERIMENT_IDS);
  await insertIfNew(deps.db, DockingExperimentEntity, {
    id,
    accountId: actor.accountId,
    userId: actor.userId,
    name,
    receptorArtifactId: receptor.artifactId,
    ligandArtifactId: ligand.artifactId,
    ...(receptor.identity === null ? {} : { receptorIdentity: receptor.identity }),
    ...(ligand.identity === null ? {} : { ligandIdentity: ligand.identity }),
    parameters,
  });
  return presentExperiment(deps.tools, await readExperiment(deps.db, actor, id));
}

/** A request for an experiment. */
export interface CreateExperiment {
  readonly body: CreateDockingExperimentRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** An experiment of the account. @throws NOT_FOUND. */
export async function readExperiment(db: DataSource, actor: Actor, id: string): Promise<ExperimentRow> {
  const [row] = isUuid(id) ? await db.query<ExperimentRow[]>(BY_ID, [id, actor.accountId]) : [];
  if (row === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such docking experiment in this account.');
  }
  return row;
}

/** An experiment of the account as it is answered. @throws NOT_FOUND. */
export async function getExperiment(
  { db, tools }: Pick<ExperimentDependencies, 'db' | 'tools'>,
  actor: Actor,
  id: string,
): Promise<DockingExperimentResponse> {
  return presentExperiment(tools, await readExperiment(db, actor, id));
}

/** The account's experiments, newest first. */
export async function listExperiments(
  { db, tools }: Pick<ExperimentDependencies, 'db' | 'tools'>,
  actor: Actor,
  query: { readonly limit: number; readonly cursor?: string },
): Promise<DockingExperimentListResponse> {
  const scope = scopeOf(LIST, actor, { ...query });
  const parameters = [actor.accountId, query.limit + 1];
  const place = readCursor(scope, query.cursor, ['time', 'uuid']);
  const rows =
    place === null
      ? await db.query<ExperimentRow[]>(LIST_FROM_START, parameters)
      : await db.query<ExperimentRow[]>(LIST_FROM_CURSOR, [...parameters, ...place]);
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return {
    experiments: page.rows.map((row) => presentExperiment(tools, row)),
    nextCursor: page.nextCursor,
  };
}

/** An experiment as it is answered; its box is filled in once a run has found it. */
export function presentExperiment(tools: ToolRegistry, row: ExperimentRow): DockingExperimentResponse {
  return {
    experiment: {
      id: row.id,
      user_id: row.user_id,
      name: row.name,
      receptor_artifact_id: row.receptor_artifact_id,
      receptor_identity: row.receptor_identity,
      ligand_artifact_id: row.ligand_artifact_id,
      ligand_identity: row.ligand_identity,
      parameters: withBox(tools, engineOf(tools).about.id, row),
      created_at: row.created_at,
    },
    uiLinks: studioLink('dockingExperiment', row.id),
  };
}

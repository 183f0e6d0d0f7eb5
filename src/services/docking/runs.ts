/** Runs of experiments: each is one job, and its record is written with the job. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../domain/access.ts';
import { studioLink } from '../../domain/docking-records.ts';
import type { CreateDockingRunRequest } from '../../domain/docking-records.ts';
import type { CancelJobRequest } from '../../domain/requests.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { cancelJob } from '../jobs/cancel.ts';
import type { CancelDependencies } from '../jobs/cancel.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { ligandOf, receptorOf } from './choices.ts';
import { engineOf } from './engine.ts';
import { readExperiment } from './experiments.ts';
import type { ExperimentDependencies } from './experiments.ts';
import { presentRun, readRun, readRunsOf } from './read-runs.ts';
import type { RunRow } from './read-runs.ts';
import { idOf, submitWork } from './submit-work.ts';
import type { DockingCommand, DockingWorkDependencies } from './submit-work.ts';
import type { DockingRunListResponse, DockingRunResponse } from '../../domain/answers.ts';

/** The parts of experiments, those that start jobs, and the libraries of batches. */
export type RunDependencies = ExperimentDependencies &
  DockingWorkDependencies & { readonly libraries: Libraries };

/** The outcome of a request to cancel a run or batch; `changed` is false where the job had ended already. */
export interface CancelledWork<Response> {
  readonly changed: boolean;
  readonly cancelRequestedAt: string | null;
  readonly response: Response;
}

const LIST = 'docking.runs';
const FIRST_NUMBER = 2 ** 31 - 1;

/** Starts a run of an experiment. @throws NOT_FOUND, and what a submitted job is refused for. */
export async function createRun(
  deps: RunDependencies,
  actor: Actor,
  experimentId: string,
  { body, fingerprint, idempotencyKey }: DockingCommand<CreateDockingRunRequest>,
): Promise<DockingRunResponse> {
  const experiment = await readExperiment(deps.db, actor, experimentId);
  const runId = idOf(actor, `docking.runs/${experimentId}`, idempotencyKey);
  const { replayed } = await submitWork(deps, actor, {
    kind: 'run',
    id: runId,
    runId,
    fingerprint,
    idempotencyKey,
    limitCents: body.limitCents,
    prepare: async () => {
      const engine = engineOf(deps.tools);
      const { parameters, receptor_artifact_id, receptor_identity } = experiment;
      const { ligand_artifact_id, ligand_identity } = experiment;
      const receptor = { artifactId: receptor_artifact_id, identity: receptor_identity };
      const ligand = { artifactId: ligand_artifact_id, identity: ligand_identity };
      return {
        of: { kind: 'experiment', experimentId, reuse: body.reuse ?? 'verified' },
        request: {
          jobType: engine.about.jobType,
          simulator: engine.about.id,
          jobName: experiment.name,
          simulationParams: {
            ...engine.screening.paramsOf(await receptorOf(deps, actor, receptor), parameters),
            ligandIdentity: await ligandOf(deps, actor, ligand),
          },
          ...(body.recovery === undefined ? {} : { recovery: body.recovery }),
        },
      };
    },
  });
  return runResponse(deps.tools, await readRun(deps.db, actor, runId), replayed);
}

/** The runs of an experiment, newest first. @throws NOT_FOUND. */
export async function listRuns(
  { db, tools }: Pick<RunDependencies, 'db' | 'tools'>,
  actor: Actor,
  experimentId: string,
  query: { readonly limit: number; readonly cursor?: string },
): Promise<DockingRunListResponse> {
  const { id } = await readExperiment(db, actor, experimentId);
  const scope = scopeOf(LIST, actor, { ...query, experimentId: id });
  const [below] = readCursor(scope, query.cursor, ['ordinal']) ?? [FIRST_NUMBER];
  const rows = await readRunsOf(db, actor, id, { below: Number(below), limit: query.limit + 1 });
  const page = pageOf(scope, rows, query.limit, (row) => [String(row.number)]);
  return { runs: page.rows.map((row) => runResponse(tools, row, false)), nextCursor: page.nextCursor };
}

/** A run of the account. @throws NOT_FOUND. */
export async function getRun(
  { db, tools }: { readonly db: DataSource; readonly tools: ToolRegistry },
  actor: Actor,
  runId: string,
): Promise<DockingRunResponse> {
  return runResponse(tools, await readRun(db, actor, runId), false);
}

/** Asks the job of a run to stop. @throws NOT_FOUND, SERVICE_UNAVAILABLE. */
export async function cancelRun(
  deps: Pick<RunDependencies, 'db' | 'tools'> & CancelDependencies,
  actor: Actor,
  runId: string,
  body: CancelJobRequest,
): Promise<CancelledWork<DockingRunResponse>> {
  const { job_id } = await readRun(deps.db, actor, runId);
  const { changed, response: cancelled } = await cancelJob(deps, actor, job_id, body);
  const { cancelRequestedAt } = cancelled;
  return { changed, cancelRequestedAt, response: await getRun(deps, actor, runId) };
}

/** A run as it is answered, with its links. */
export function runResponse(tools: ToolRegistry, row: RunRow, replayed: boolean): DockingRunResponse {
  return {
    run: presentRun(tools, row),
    jobId: row.job_id,
    uiLinks: studioLink('dockingRun', row.id),
    ...(replayed ? { idempotentReplay: true } : {}),
  };
}

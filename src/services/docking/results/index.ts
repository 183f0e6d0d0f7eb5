/** Results as the API reads them. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../../domain/access.ts';
import type {
  FailureListResponse,
  InteractionListResponse,
  PoseListResponse,
  PoseResponse,
  ResultListResponse,
  ResultQuery,
  ResultResponse,
} from '../../../domain/docking-lists.ts';
import { listFailures } from './failures.ts';
import type { FailureQuery } from './failures.ts';
import { listResults } from './list.ts';
import type { Patterns } from './pattern.ts';
import { getPose, getResult, listInteractions, listPoses } from './read.ts';
import type { ResultScope } from './scope.ts';

/** Operations on results, for the API. Every call throws NOT_FOUND for results that the account does not have. */
export interface DockingResultServices {
  /** @throws VALIDATION_ERROR for a cursor of another list. */
  list(
    actor: Actor,
    of: { readonly kind: ResultScope['kind']; readonly id: string },
    query: ResultQuery,
  ): Promise<ResultListResponse>;
  failures(actor: Actor, batchId: string, query: FailureQuery): Promise<FailureListResponse>;
  get(actor: Actor, resultId: string): Promise<ResultResponse>;
  poses(actor: Actor, resultId: string): Promise<PoseListResponse>;
  pose(actor: Actor, poseId: string): Promise<PoseResponse>;
  interactions(actor: Actor, poseId: string): Promise<InteractionListResponse>;
}

/** Makes the services of results. */
export function createDockingResults(db: DataSource, patterns: Patterns): DockingResultServices {
  return {
    list: (actor, of, query) => listResults({ db, patterns }, actor, of, query),
    failures: (actor, batchId, query) => listFailures(db, actor, batchId, query),
    get: (actor, resultId) => getResult(db, actor, resultId),
    poses: (actor, resultId) => listPoses(db, actor, resultId),
    pose: (actor, poseId) => getPose(db, actor, poseId),
    interactions: (actor, poseId) => listInteractions(db, actor, poseId),
  };
}

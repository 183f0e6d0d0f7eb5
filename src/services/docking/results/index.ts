/** Results as the API reads them. */
import type { DataSource } from 'typeorm';

import { bound } from '../../bound.ts';
import { listFailures } from './failures.ts';
import { listResults } from './list.ts';
import type { Patterns } from './pattern.ts';
import { getPose, getResult, listInteractions, listPoses } from './read.ts';
import { sceneOf } from './scene.ts';

/** Makes the reads of results. Every call throws NOT_FOUND for results that the account does not have. */
export function createDockingResults(db: DataSource, patterns: Patterns) {
  const read = bound(db);
  return {
    list: bound({ db, patterns })(listResults),
    failures: read(listFailures),
    get: read(getResult),
    poses: read(listPoses),
    pose: read(getPose),
    interactions: read(listInteractions),
    scene: read(sceneOf),
  };
}

/** The activity of the import of structures. */
import { proxyActivities } from '@temporalio/workflow';

import type { StructureActivities } from '../../activities/structures.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** The source tries four times by itself; what is tried again here is the store and the database. */
export const imports = proxyActivities<StructureActivities>({
  summary: 'an entry of the archive is fetched',
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '1h',
  retry: PATIENT_RETRY,
});

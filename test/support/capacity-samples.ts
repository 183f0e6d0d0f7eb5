/** Rows that decide whether a job gets in: a request for capacity and the maintenance mode, with every column set. */
import { CapacityRequestEntity } from '../../entities/capacity.ts';
import { MaintenanceEntity } from '../../entities/maintenance.ts';
import { AT, accountId, jobId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

/** A request for capacity of a job, and the mode. */
export const CAPACITY_SAMPLES: readonly Sample[] = [
  sample(
    CapacityRequestEntity,
    {
      ...{ jobId, execution: 1, accountId, vcpus: 2, priority: 3, state: 'RELEASED', reason: 'why' },
      ...{ stepVcpus: 1, wantedVcpus: 4, requestedAt: AT, grantedAt: AT, noticedAt: AT, releasedAt: AT },
      ...{ firstGrantedAt: AT, mayAskAgain: true, reservedAt: AT, reservedFor: 'all.gpus' },
      ...{ class: 'gpu-t4', plan: 'pro', stepGpus: 2, gpus: 4, licence: 'maya', seats: 2 },
    },
    {
      ...{ state: 'WAITING', reason: null, grantedAt: null, noticedAt: null, releasedAt: null, plan: null },
      ...{
        stepVcpus: null,
        wantedVcpus: null,
        reservedAt: null,
        stepGpus: 0,
        gpus: 0,
        class: 'cpu',
        licence: '',
        seats: 0,
      },
      ...{ reservedFor: null, firstGrantedAt: null, mayAskAgain: false },
    },
    { execution: 2 },
  ),
  sample(MaintenanceEntity, { onlyRow: true, reason: 'The database moves', since: AT }),
];

/** The activities of a control worker by task queue. */
import type { DataSource } from 'typeorm';

import { createAlertActivities } from '../../../activities/alerts.ts';
import { createAdmissionActivities } from '../../../activities/admission.ts';
import { createCapacityActivities } from '../../../activities/capacity.ts';
import { createDockingActivities } from '../../../activities/docking.ts';
import type { DockingDependencies } from '../../../activities/docking.ts';
import { createFinishActivities } from '../../../activities/finish.ts';
import type { FinishDependencies } from '../../../activities/finish.ts';
import { createInstanceActivities } from '../../../activities/instances.ts';
import type { InstanceDependencies } from '../../../activities/instances.ts';
import { createPlanActivities } from '../../../activities/plans.ts';
import { createRateActivities } from '../../../activities/rates.ts';
import type { RateDependencies } from '../../../activities/rates.ts';
import { createReconciliationActivities } from '../../../activities/reconciliation.ts';
import { createStructureActivities } from '../../../activities/structures.ts';
import { createSweepActivities } from '../../../activities/sweep.ts';
import { createTaskActivities } from '../../../activities/tasks.ts';
import type { TaskDependencies } from '../../../activities/tasks.ts';
import { createTopupActivities } from '../../../activities/topups.ts';
import { createUploadActivities } from '../../../activities/uploads.ts';
import { createWebhookActivities } from '../../../activities/webhooks.ts';
import type { Mailer } from '../../adapters/mail/mail.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { InstanceMetrics } from '../../metrics/instances.ts';
import type { CountUnswept } from '../../metrics/sweeps.ts';
import type { CountTry } from '../../metrics/webhooks.ts';
import type { FollowDependencies } from '../../services/payments/index.ts';
import { inRound, SCHEDULED_ACTIVITIES, SCHEDULE_OF_ACTIVITY } from '../../services/operations/rounds.ts';
import type { ScheduledActivity } from '../../services/operations/rounds.ts';
import type { UploadWorkflows } from '../../adapters/temporal/uploads.ts';
import type { ConfigOf } from '../../config.ts';
import { capacityLimitsOf } from '../../config/capacity-settings.ts';
import { startForgottenSamples } from '../../services/docking/forgotten-samples.ts';
import { DOCKING_ADMISSION } from '../../services/docking/write-records.ts';
import { INSPECTION_ADMISSION } from '../../services/inspections/records.ts';
import { createTakeUp } from '../../services/job-records/take-up.ts';
import { secretsIn } from '../../services/signed-claims.ts';
import type { ControlQueue } from '../../contracts/names.ts';
import { watchInstances } from './watched.ts';
import type { WebhookWay } from './webhook-way.ts';

/** The connections, stores and tools from which the activities of a control worker are built. */
export interface ControlParts
  extends
    Omit<TaskDependencies, 'legSeconds'>,
    Pick<InstanceDependencies, 'providers'>,
    Pick<RateDependencies, 'rateSource' | 'bookRate'>,
    Pick<DockingDependencies, 'log'>,
    FinishDependencies,
    Pick<FollowDependencies, 'payments' | 'alarm'> {
  /** The connections for work that takes long; the connections of `db` serve money and state alone. */
  readonly longDb: DataSource;
  readonly mailer: Mailer;
  readonly workflows: JobWorkflows;
  readonly uploadWorkflows: UploadWorkflows;
  readonly webhookWay: WebhookWay;
  readonly config: ConfigOf<'control'>;
  readonly countUnswept: CountUnswept;
  readonly countTry: CountTry;
  readonly instanceMetrics: InstanceMetrics;
}

/** Every queue has all activities; the workflow decides to which queue an activity goes. */
export function createControlActivities(parts: ControlParts): Readonly<Record<ControlQueue, object>> {
  const long = activitiesOver(parts.longDb, parts);
  return { control: activitiesOver(parts.db, parts), storage: long, provider: long, webhooks: long };
}

function activitiesOver(db: DataSource, parts: ControlParts): object {
  const { config, workflows } = parts;
  const takeUp = createTakeUp({ db, workflows, settings: config });
  const limits = capacityLimitsOf(config);
  const { secret, replacePauseSeconds, spotWaitSeconds, legSeconds } = config;
  const furtherSecrets = secretsIn(config.furtherSecrets);
  const launching = { leases: config, secret, furtherSecrets, replacePauseSeconds, spotWaitSeconds };
  const deps = { ...parts, db };
  return recorded(db, {
    ...createAdmissionActivities(db, [DOCKING_ADMISSION, INSPECTION_ADMISSION]),
    ...createCapacityActivities(db, workflows, limits),
    ...createTaskActivities({ ...deps, legSeconds }),
    ...createFinishActivities(deps),
    ...watchInstances(createInstanceActivities({ ...deps, ...launching }), db, parts.instanceMetrics),
    ...createDockingActivities({ ...deps, takeUp }),
    ...createTopupActivities(deps),
    ...createPlanActivities(deps),
    ...createAlertActivities({ ...deps, publicUrl: config.publicUrl }),
    ...createUploadActivities(deps),
    ...createWebhookActivities({ ...deps, ...parts.webhookWay }),
    ...createRateActivities(deps),
    ...createStructureActivities(deps),
    ...createReconciliationActivities(deps),
    ...createSweepActivities({
      ...deps,
      takeUp,
      startSamples: () => startForgottenSamples({ db, workflows, settings: config }),
      stagingUrlSeconds: config.stagingUrlSeconds,
      sweepMinAgeSeconds: config.sweepMinAgeSeconds,
    }),
  });
}

/** The activities, those that schedules start with a record of how their rounds end. */
function recorded(
  db: DataSource,
  activities: Readonly<Record<ScheduledActivity, () => Promise<unknown>>>,
): object {
  const rounds = SCHEDULED_ACTIVITIES.map((name) => {
    const round = (): Promise<unknown> => inRound(db, SCHEDULE_OF_ACTIVITY[name], () => activities[name]());
    return [name, round] as const;
  });
  return { ...activities, ...Object.fromEntries(rounds) };
}

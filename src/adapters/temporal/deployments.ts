/**
 * The builds of control workers as Temporal keeps them: which one new work goes to, what is open on each, and when its workers
 * last asked for work. Temporal knows a build from the first question of its first worker on.
 */
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { CONTROL_QUEUE, CONTROL_QUEUES } from '../../contracts/names.ts';
import type { Build, Deployment } from '../../domain/deployment.ts';
import type { TemporalAccess } from './access.ts';
import { connectTemporal } from './connection.ts';

/** A deployment, and its Temporal. */
export interface DeploymentPlace extends TemporalAccess {
  readonly deploymentName: string;
}

/** A deployment as it was read, with the token by which a later change is noticed. */
export interface ReadDeployment {
  readonly deployment: Deployment;
  readonly token: Uint8Array;
}

/** The builds of one deployment. */
export interface Deployments {
  /** Null when no worker with a build of the deployment has ever asked for work. */
  read(): Promise<ReadDeployment | null>;
  /** Sends new work to a build; false when the deployment was changed since it was read. */
  setCurrent(buildId: string, token: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}

type Info = temporal.api.deployment.v1.IWorkerDeploymentInfo;
type Summary = temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;
type Time = NonNullable<Summary['createTime']>;

const DEADLINE_MS = 10_000;
const NOT_FOUND = 5;
/** Codes of gRPC that refuse a change whose token is of an earlier state of the deployment. */
const CHANGED_CODES: readonly number[] = [9, 10];
const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** Connects to Temporal. @throws when Temporal does not answer. */
export async function openDeployments(place: DeploymentPlace): Promise<Deployments> {
  const connection = await connectTemporal(place);
  const reader = new Reader(connection, place);
  return {
    read: () => connection.withDeadline(Date.now() + DEADLINE_MS, () => reader.read()),
    async setCurrent(buildId, conflictToken) {
      const { deploymentName, temporalNamespace: namespace } = place;
      try {
        await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
          connection.workflowService.setWorkerDeploymentCurrentVersion({
            namespace,
            deploymentName,
            buildId,
            conflictToken,
            identity: 'dockyard',
          }),
        );
        return true;
      } catch (error) {
        if (CHANGED_CODES.includes(codeOf(error) ?? 0)) return false;
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

class Reader {
  private readonly connection: Connection;
  private readonly namespace: string;
  private readonly deploymentName: string;

  constructor(connection: Connection, place: DeploymentPlace) {
    this.connection = connection;
    this.namespace = place.temporalNamespace;
    this.deploymentName = place.deploymentName;
  }

  async read(): Promise<ReadDeployment | null> {
    const { namespace, deploymentName } = this;
    const known = await this.connection.workflowService
      .describeWorkerDeployment({ namespace, deploymentName })
      .catch(nullWhenUnknown);
    if (known === null) return null;
    const info = known.workerDeploymentInfo ?? {};
    const [seen, openUnversioned] = await Promise.all([
      this.lastSeen(),
      this.count('TemporalWorkerDeploymentVersion is null'),
    ]);
    const builds = await Promise.all(
      (info.versionSummaries ?? []).map((summary) => this.build(info, summary, seen)),
    );
    const currentBuild = info.routingConfig?.currentDeploymentVersion?.buildId ?? null;
    const changedAt = dateOf(info.routingConfig?.currentVersionChangedTime);
    const deployment = { name: deploymentName, currentBuild, changedAt, builds, openUnversioned };
    return { deployment, token: known.conflictToken };
  }

  private async build(info: Info, summary: Summary, seen: ReadonlyMap<string, Date>): Promise<Build> {
    const buildId = summary.deploymentVersion?.buildId ?? '';
    const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
      info.routingConfig ?? {};
    const version = `TemporalWorkerDeploymentVersion = "${this.deploymentName}:${buildId}"`;
    const [openStaying, openMoving, missingQueues] = await Promise.all([
      this.count(`${version} AND TemporalWorkflowVersioningBehavior = "Pinned"`),
      this.count(`${version} AND TemporalWorkflowVersioningBehavior = "AutoUpgrade"`),
      this.missingQueues(buildId),
    ]);
    return {
      buildId,
      isCurrent: currentDeploymentVersion?.buildId === buildId,
      rampPercent: rampingDeploymentVersion?.buildId === buildId ? (rampingVersionPercentage ?? 0) : null,
      openStaying,
      openMoving,
      retiredAt: dateOf(summary.lastDeactivationTime),
      lastSeenAt: seen.get(buildId) ?? null,
      missingQueues,
    };
  }

  private async count(query: string): Promise<number> {
    const { namespace } = this;
    const { count } = await this.connection.workflowService.countWorkflowExecutions({
      namespace,
      query: `${query} AND ExecutionStatus = "Running"`,
    });
    return Number(count);
  }

  /** When workers of each build last asked for workflow tasks. */
  private async lastSeen(): Promise<Map<string, Date>> {
    const { pollers } = await this.connection.workflowService.describeTaskQueue({
      namespace: this.namespace,
      taskQueue: { name: CONTROL_QUEUE },
      taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
    });
    const seen = new Map<string, Date>();
    for (const { deploymentOptions, lastAccessTime } of pollers) {
      const at = dateOf(lastAccessTime);
      const { deploymentName, buildId } = deploymentOptions ?? {};
      if (at === null || deploymentName !== this.deploymentName || buildId == null) continue;
      if (at.getTime() > (seen.get(buildId)?.getTime() ?? 0)) seen.set(buildId, at);
    }
    return seen;
  }

  private async missingQueues(buildId: string): Promise<string[]> {
    const { namespace, deploymentName } = this;
    const deploymentVersion = { deploymentName, buildId };
    // The list of builds knows a build a moment before the build itself can be asked for.
    const version = await this.connection.workflowService
      .describeWorkerDeploymentVersion({ namespace, deploymentVersion })
      .catch(nullWhenUnknown);
    const known = version?.workerDeploymentVersionInfo?.taskQueueInfos ?? [];
    const served = known.filter(({ type }) => type === TASK_QUEUE_TYPE_ACTIVITY).map(({ name }) => name);
    return CONTROL_QUEUES.filter((queue) => !served.includes(queue));
  }
}

function nullWhenUnknown(error: unknown): null {
  if (codeOf(error) === NOT_FOUND) return null;
  throw error;
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? error.code : null;
}

function dateOf(time: Time | null | undefined): Date | null {
  return time == null ? null : new Date(Number(time.seconds) * 1000 + (time.nanos ?? 0) / 1_000_000);
}

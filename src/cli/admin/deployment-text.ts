/** Texts for operators about the builds of control workers. */
import { hasWorkers, standingOf } from '../../domain/deployment.ts';
import type { Build, Deployment } from '../../domain/deployment.ts';
import { moment, table } from '../table.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<Build & { readonly state: string }>[] = [
  { title: 'BUILD', value: ({ buildId }) => buildId },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'STAYING', value: ({ openStaying }) => openStaying, align: 'right' },
  { title: 'MOVING', value: ({ openMoving }) => openMoving, align: 'right' },
  { title: 'WORKERS LAST SEEN', value: ({ lastSeenAt }) => moment(lastSeenAt) },
];

/** Tells the build that new work goes to, a line a build, and for each build whether its workers may stop. */
export function deploymentText(deployment: Deployment, now: Date): string {
  const { name, currentBuild, changedAt, builds, openUnversioned } = deployment;
  const target = currentBuild === null ? 'control workers without a build' : `build ${currentBuild}`;
  const since = changedAt === null ? '' : `, since ${moment(changedAt) ?? ''}`;
  const rows = builds.map((build) => ({ ...build, state: stateOf(build, now) }));
  const lines = builds.map((build) => `${adviceOf(build, now)}\n`).join('');
  const none =
    openUnversioned === 0
      ? ''
      : `Open workflows that no build has worked on: ${openUnversioned}. The current build takes them up at their next step.\n`;
  return `Deployment ${name}: new work goes to ${target}${since}.\n\n${table(COLUMNS, rows)}\n${lines}${none}`;
}

function stateOf(build: Build, now: Date): string {
  const standing = standingOf(build, now);
  switch (standing.kind) {
    case 'ramping':
      return `ramping, ${String(build.rampPercent)} %`;
    case 'mayStop':
      return 'may stop';
    case 'current':
    case 'needed':
    case 'settling':
    case 'unused':
      return standing.kind;
  }
}

function adviceOf(build: Build, now: Date): string {
  const { buildId } = build;
  const standing = standingOf(build, now);
  const isHere = hasWorkers(build, now);
  switch (standing.kind) {
    case 'current':
    case 'ramping':
      return isHere
        ? `${buildId} gets new work.`
        : `${buildId} gets new work and NO WORKER IS THERE: start some.`;
    case 'needed':
      return isHere
        ? `${buildId} may stop when the ${standing.open} open workflows of its jobs have ended.`
        : `${buildId} has ${standing.open} open workflows and NO WORKER IS THERE: they stand still until one starts.`;
    case 'settling':
      return `${buildId} may stop in ${standing.seconds} seconds, if nothing more appears on it.`;
    case 'unused':
      return `${buildId} has never had new work; its workers may stop.`;
    case 'mayStop':
      return `${buildId} may stop: nothing that is open needs it.`;
  }
}

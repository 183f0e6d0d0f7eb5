/** The builds of control workers that run beside each other: what still needs a build, and when its workers may stop. */

/** A build as Temporal knows it. */
export interface Build {
  readonly buildId: string;
  readonly isCurrent: boolean;
  /** The share of new work that goes to the build beside the current one; null when the build is not being ramped. */
  readonly rampPercent: number | null;
  /** Open workflows that end on this build and on no other. */
  readonly openStaying: number;
  /** Open workflows that were last on this build and go on with the current one at their next step. */
  readonly openMoving: number;
  /** When the build stopped to be given new work; null when the build never was, or still is. */
  readonly retiredAt: Date | null;
  /** When a worker of the build last asked for work; null when none has for minutes. */
  readonly lastSeenAt: Date | null;
  /** Task queues of control workers that no worker of the build has ever asked for work. */
  readonly missingQueues: readonly string[];
}

/** All builds of an installation. */
export interface Deployment {
  readonly name: string;
  /** The build that new work goes to; null where new work goes to workers without a build. */
  readonly currentBuild: string | null;
  /** When the current build was last set; null when none ever was. */
  readonly changedAt: Date | null;
  /** Newest first. */
  readonly builds: readonly Build[];
  /** Open workflows that no build has worked on. */
  readonly openUnversioned: number;
}

/**
 * Standing of a build, which decides whether its workers may stop. `needed`: open workflows end on the build. `settling`: nothing
 * is open, and work that was on its way to the build may not be counted yet. `unused`: the build has never been given new work.
 */
export type BuildStanding =
  | { readonly kind: 'current' | 'ramping' | 'unused' | 'mayStop' }
  | { readonly kind: 'needed'; readonly open: number; readonly hasWorkers: boolean }
  | { readonly kind: 'settling'; readonly seconds: number };

/** A worker that waits for work asks at least once a minute. */
const SEEN_SECONDS = 90;
/** How long work that was on its way to a build takes to be counted there, with much to spare. */
const SETTLING_SECONDS = 60;

/** Whether workers of the build are there. */
export function hasWorkers({ lastSeenAt }: Pick<Build, 'lastSeenAt'>, now: Date): boolean {
  return lastSeenAt !== null && secondsBetween(lastSeenAt, now) <= SEEN_SECONDS;
}

/** Whether the workers of a build may stop, and if not, why not. */
export function standingOf(build: Build, now: Date): BuildStanding {
  if (build.isCurrent) return { kind: 'current' };
  if (build.rampPercent !== null) return { kind: 'ramping' };
  if (build.openStaying > 0)
    return { kind: 'needed', open: build.openStaying, hasWorkers: hasWorkers(build, now) };
  if (build.retiredAt === null) return { kind: 'unused' };
  const seconds = Math.ceil(SETTLING_SECONDS - secondsBetween(build.retiredAt, now));
  return seconds > 0 ? { kind: 'settling', seconds } : { kind: 'mayStop' };
}

/** Why new work cannot go to a build; null when it can. */
export function refusalOf(
  build: Build | undefined,
  now: Date,
): 'UNKNOWN' | 'NO_WORKERS' | 'NOT_COMPLETE' | null {
  if (build === undefined) return 'UNKNOWN';
  if (!hasWorkers(build, now)) return 'NO_WORKERS';
  return build.missingQueues.length > 0 ? 'NOT_COMPLETE' : null;
}

function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}

/**
 * The first build of a new deployment becomes current by itself: until a build is current, new work goes to control workers
 * without a build, and where there are none, no job begins. The operator alone decides about the builds that follow.
 */
import type { Logger } from 'pino';

import type { Deployments } from '../../adapters/temporal/deployments.ts';
import { refusalOf } from '../../domain/deployment.ts';
import { keepAsking } from '../../services/tools/keep-asking.ts';

const EVERY_MS = 500;

/**
 * Makes the build current once its workers are there and where no build ever was; the function that it answers ends the waiting. Without
 * deployments nothing happens.
 */
export function claimFirstBuild(
  deployments: Pick<Deployments, 'read' | 'setCurrent'> | null,
  buildId: string,
  logger: Pick<Logger, 'info' | 'debug'>,
): () => void {
  if (deployments === null) return () => undefined;
  const end = keepAsking(
    async () => {
      const known = await deployments.read();
      if (known === null) return;
      const { deployment, token } = known;
      const own = deployment.builds.find((build) => build.buildId === buildId);
      if (deployment.changedAt === null) {
        // The queues become known one after the other, in the first seconds of the first worker.
        if (refusalOf(own, new Date()) !== null || !(await deployments.setCurrent(buildId, token))) return;
        logger.info({ build: buildId }, 'the first build of the deployment is current');
      }
      end();
    },
    { everyMs: EVERY_MS, onFailure: (error) => logger.debug({ err: error }, 'builds are not known yet') },
  );
  return end;
}

import { expect } from 'chai';

import { deploymentText } from '../../../src/cli/admin/deployment-text.ts';
import { refusalOf, standingOf } from '../../../src/domain/deployment.ts';
import type { Build } from '../../../src/domain/deployment.ts';

const NOW = new Date('2026-11-23T08:10:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);
const CURRENT: Build = {
  ...{ buildId: '0.2.0', isCurrent: true, rampPercent: null, openStaying: 12, openMoving: 3 },
  ...{ retiredAt: null, lastSeenAt: ago(10), missingQueues: [] },
};
const BEFORE: Build = { ...CURRENT, buildId: '0.1.0', isCurrent: false, openMoving: 0, retiredAt: ago(600) };

describe('builds of control workers', () => {
  it('lets a build stop when nothing is open that ends on it, a while after it got its last work', () => {
    expect(standingOf(CURRENT, NOW)).to.deep.equal({ kind: 'current' });
    expect(standingOf({ ...CURRENT, openStaying: 0 }, NOW)).to.deep.equal({ kind: 'current' });
    expect(standingOf({ ...BEFORE, rampPercent: 0 }, NOW)).to.deep.equal({ kind: 'ramping' });
    expect(standingOf(BEFORE, NOW)).to.deep.equal({ kind: 'needed', open: 12, hasWorkers: true });
    const free = { ...BEFORE, openStaying: 0 };
    expect(standingOf(free, NOW)).to.deep.equal({ kind: 'mayStop' });
    expect(standingOf({ ...free, openMoving: 7 }, NOW)).to.deep.equal({ kind: 'mayStop' });
    expect(standingOf({ ...free, retiredAt: ago(20) }, NOW)).to.deep.equal({ kind: 'settling', seconds: 40 });
    expect(standingOf({ ...free, retiredAt: null }, NOW)).to.deep.equal({ kind: 'unused' });
  });

  it('sends new work only to a build whose workers are there and serve every queue', () => {
    expect(refusalOf(BEFORE, NOW)).to.equal(null);
    expect(refusalOf(undefined, NOW)).to.equal('UNKNOWN');
    for (const lastSeenAt of [null, ago(91)])
      expect(refusalOf({ ...BEFORE, lastSeenAt }, NOW)).to.equal('NO_WORKERS');
    expect(refusalOf({ ...BEFORE, missingQueues: ['storage'] }, NOW)).to.equal('NOT_COMPLETE');
  });

  it('tells operators where new work goes, what each build needs, and where nobody serves it', () => {
    const deployment = { name: 'dockyard', currentBuild: '0.2.0', changedAt: ago(600), openUnversioned: 0 };
    const text = deploymentText({ ...deployment, builds: [CURRENT, BEFORE] }, NOW);
    expect(text).to.equal(`Deployment dockyard: new work goes to build 0.2.0, since 2026-11-23 08:00:00Z.

BUILD  STATE    STAYING  MOVING  WORKERS LAST SEEN
0.2.0  current       12       3  2026-11-23 08:09:50Z
0.1.0  needed        12       0  2026-11-23 08:09:50Z

0.2.0 gets new work.
0.1.0 may stop when the 12 open workflows of its jobs have ended.
`);
    const away = { lastSeenAt: null };
    const alarm = deploymentText(
      {
        ...deployment,
        openUnversioned: 2,
        builds: [
          { ...CURRENT, ...away },
          { ...BEFORE, ...away },
        ],
      },
      NOW,
    );
    expect(alarm).to.match(/^0\.2\.0 gets new work and NO WORKER IS THERE: start some\.$/m);
    expect(alarm).to.match(/^0\.1\.0 has 12 open workflows and NO WORKER IS THERE: they stand still/m);
    expect(alarm).to.match(/^Open workflows that no build has worked on: 2\./m);
    const none = deploymentText({ ...deployment, currentBuild: null, changedAt: null, builds: [] }, NOW);
    expect(none).to.match(/^Deployment dockyard: new work goes to control workers without a build\.\n/);
  });
});

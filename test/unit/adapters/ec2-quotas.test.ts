import { expect } from 'chai';

import { quotaOf, useOfQuota, usesQuota } from '../../../src/adapters/instances/ec2/quotas.ts';
import type { InstanceDescription } from '../../../src/adapters/instances/instances.ts';

describe('the quotas of EC2', () => {
  it('are of groups of families', () => {
    const groups = [
      [
        'a1.large',
        'c7i.xlarge',
        'd3.xlarge',
        'h1.2xlarge',
        'i4i.large',
        'im4gn.large',
        'm7i.xlarge',
        'r7i.large',
        't3.micro',
        'z1d.large',
      ],
      ['g4dn.xlarge', 'g5.12xlarge', 'g6.xlarge', 'gr6.4xlarge', 'vt1.3xlarge'],
      ['p3.2xlarge', 'p4d.24xlarge', 'p5.48xlarge', 'p5en.48xlarge'],
      ['x2iedn.xlarge'],
      ['inf2.xlarge'],
      ['trn1.2xlarge'],
      ['u-6tb1.metal'],
    ];
    const names = groups.map((types) => new Set(types.map((type) => quotaOf(type, 'ON_DEMAND'))));
    expect(names.map(({ size }) => size)).to.deep.equal(groups.map(() => 1));
    expect(new Set(names.flatMap((set) => [...set])).size).to.equal(groups.length);
  });

  it('are others on the spot market, where the newer P families have their own', () => {
    expect(quotaOf('c7i.xlarge', 'SPOT')).to.not.equal(quotaOf('c7i.xlarge', 'ON_DEMAND'));
    expect(quotaOf('p3.2xlarge', 'SPOT')).to.equal(quotaOf('p4d.24xlarge', 'SPOT'));
    expect(quotaOf('p5.48xlarge', 'SPOT')).to.not.equal(quotaOf('p4d.24xlarge', 'SPOT'));
  });

  it('are used by what runs, not by what has ended', () => {
    const one: InstanceDescription = {
      ...{ providerId: 'i-1', token: 't', launchedAt: '2026-11-26T00:00:00Z' },
      ...{ state: 'running', type: 'g5.xlarge', market: 'SPOT' },
    };
    expect(usesQuota([one], 'g4dn.xlarge', 'SPOT')).to.equal(true);
    expect(usesQuota([one], 'g4dn.xlarge', 'ON_DEMAND')).to.equal(false);
    expect(usesQuota([one], 'c7i.xlarge', 'SPOT')).to.equal(false);
    expect(usesQuota([{ ...one, state: 'gone' }], 'g4dn.xlarge', 'SPOT')).to.equal(false);
  });

  it('are used by launches of any process, and perhaps by one without an answer', () => {
    const user = { type: 'm7i.xlarge', market: 'ON_DEMAND', isLaunched: true } as const;
    const asked = { ...user, isLaunched: false };
    expect(useOfQuota([user], 'c7i.xlarge', 'ON_DEMAND')).to.equal('used');
    expect(useOfQuota([asked], 'c7i.xlarge', 'ON_DEMAND')).to.equal('unknown');
    expect(useOfQuota([asked, user], 'c7i.xlarge', 'ON_DEMAND')).to.equal('used');
    expect(useOfQuota([user, asked], 'g5.xlarge', 'ON_DEMAND')).to.equal('unused');
    expect(useOfQuota([user, asked], 'c7i.xlarge', 'SPOT')).to.equal('unused');
    expect(useOfQuota([], 'c7i.xlarge', 'SPOT')).to.equal('unused');
  });
});

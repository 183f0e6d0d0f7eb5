import { expect } from 'chai';

import { guestEnvironment } from '../../../src/bin/process/guest-environment.ts';

describe('the environment of an instance', () => {
  it('has its settings, the programs and the authorities that its host trusts, and no secret of anybody', () => {
    const passedOn = {
      PATH: '/usr/bin',
      NODE_COMPILE_CACHE: '/var/cache/node',
      NODE_EXTRA_CA_CERTS: '/etc/authority.pem',
      DOCKYARD_LOG_LEVEL: 'info',
    };
    const kept = {
      HOME: '/srv/operator',
      AWS_SECRET_ACCESS_KEY: 'secret',
      DOCKYARD_COMPUTE_TOKEN: 'secret',
    };
    expect(guestEnvironment({ ...passedOn, ...kept })).to.deep.equal(passedOn);
  });
});

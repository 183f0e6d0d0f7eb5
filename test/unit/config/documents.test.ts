import { expect } from 'chai';
import { loadConfig, loadPart } from '../../../src/config.ts';
import { TUNING } from '../../../src/config/tuning.ts';

const GUEST = { DOCKYARD_GATEWAY_URL: 'http://gateway.example.org', DOCKYARD_COMPUTE_DIR: '/work' };

describe('settings that are JSON', () => {
  const guest = (profile: string) => loadConfig('instance', { ...GUEST, DOCKYARD_TUNING: profile });

  it('change the leases that they name, for the roles that read these, and no other', () => {
    expect(guest('{"contactSeconds":3,"silenceSeconds":9}'))
      .to.include({ contactSeconds: 3, drainSeconds: 90 })
      .and.not.have.property('silenceSeconds');
    expect(
      loadPart('control', ['silenceSeconds'], { DOCKYARD_TUNING: '{"silenceSeconds":9}' }),
    ).to.deep.equal({
      silenceSeconds: 9,
    });
    expect(guest('')).to.include({ contactSeconds: 2 });
  });

  it('are refused with the name of what is wrong', () => {
    for (const [profile, words] of [
      ['{"contactSecond":3}', 'has no contactSecond'],
      ['{"contactSeconds":0}', '"DOCKYARD_TUNING.contactSeconds" must be a positive number'],
      ['[1]', '"DOCKYARD_TUNING" must be an object of JSON'],
      ['contactSeconds=3', '"DOCKYARD_TUNING" must be an object of JSON'],
    ] as const)
      expect(() => guest(profile), profile).to.throw(words);
  });

  it('have a default for every lease that somebody reads', () => {
    for (const [name, { roles, schema }] of Object.entries(TUNING)) {
      expect(roles.length, name).to.be.greaterThan(0);
      expect(schema.validate(undefined).value, name).to.be.a('number');
    }
  });

  it('limit plans, classes of instances and seats of software', () => {
    const limits = {
      DOCKYARD_CAPACITY_PLANS: '{"free":{"accountVcpus":4}}',
      DOCKYARD_CAPACITY_CLASSES: '{"gpu-l4":{"gpus":8}}',
      DOCKYARD_CAPACITY_SEATS: '{"maya":4}',
    };
    const names = ['capacityPlans', 'capacityClasses', 'capacitySeats'] as const;
    expect(loadPart('control', names, limits)).to.deep.equal({
      capacityPlans: { free: { accountVcpus: 4 } },
      capacityClasses: { 'gpu-l4': { gpus: 8 } },
      capacitySeats: { maya: 4 },
    });
    expect(() => loadPart('control', ['capacityPlans'], { DOCKYARD_CAPACITY_PLANS: '{"gold":{}}' })).to.throw(
      'gold',
    );
  });
});

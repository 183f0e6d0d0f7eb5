/** Providers of instances for tests, and what they are asked. */
import type { EnsureAnswer, InstanceProvider, InstanceSpec } from '../../src/adapters/instances/instances.ts';
import type { LaunchRequest } from '../../src/contracts/local-host.ts';

/** A provider that launches whatever it is asked, one candidate a launch, and knows no end of an instance. */
export function providerOf(own: Partial<InstanceProvider> = {}): InstanceProvider {
  return {
    name: 'local',
    answersExactly: true,
    offersSpot: false,
    candidates: ({ market }) => [{ type: null, subnet: null, market, cpuClass: null }],
    prepare: async (_order, candidate) => ({ ...candidate, image: null, sent: {}, frame: null }),
    ensure: ({ token }) => Promise.resolve(launched(token)),
    describe: () => Promise.resolve(null),
    terminate: () => Promise.resolve(true),
    list: () => Promise.resolve([]),
    tools: () => Promise.resolve([]),
    containment: () => Promise.resolve(null),
    gpus: () => Promise.resolve([]),
    ...own,
  };
}

/** The answer that an instance was launched. */
export function launched(token: string, providerId = 'i-1'): Extract<EnsureAnswer, { state: 'launched' }> {
  return { state: 'launched', instance: { token, providerId, state: 'running', launchedAt: '2026-11-23' } };
}

/** Makes the request of a local host's launch to a provider. */
export function specOfLaunch({ market, ...launch }: LaunchRequest): InstanceSpec {
  return {
    ...launch,
    accountId: '0197a000-0000-7000-8000-000000000000',
    terms: { type: null, subnet: null, market, cpuClass: null, image: null, sent: {}, frame: null },
    isRepeat: false,
  };
}

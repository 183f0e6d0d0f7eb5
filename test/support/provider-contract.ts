/** Contract of every provider of instances, whichever machines it has. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type {
  InstanceDescription,
  InstanceProvider,
  InstanceSpec,
} from '../../src/adapters/instances/instances.ts';
import { until } from './until.ts';

/** A provider that is asked, and launches for it. */
export interface ProviderUnderTest {
  readonly provider: InstanceProvider;
  /** A launch of a token that nobody has used. */
  readonly newSpec: () => Promise<InstanceSpec>;
}

/** The tests, for a provider that is there once the suite's hooks have run. */
export function keepsProviderContract(under: () => Promise<ProviderUnderTest>): void {
  const launch = async ({
    provider,
    newSpec,
  }: ProviderUnderTest): Promise<[InstanceSpec, InstanceDescription]> => {
    const spec = await newSpec();
    const answer = await provider.ensure(spec);
    return answer.state === 'launched' ? [spec, answer.instance] : expect.fail(`answered ${answer.state}`);
  };

  it('contract: one token is one instance, told by describe and list until it is ended, and never launched again', async () => {
    const tested = await under();
    const { provider } = tested;
    const [spec, first] = await launch(tested);
    expect(first).to.include({ token: spec.token, state: 'running' });
    const again = await provider.ensure({ ...spec, isRepeat: true });
    expect(again).to.have.nested.property('instance.providerId', first.providerId);
    expect(await provider.describe(spec.token)).to.include({
      state: 'running',
      providerId: first.providerId,
    });
    const listed = (await provider.list()).filter(({ token }) => token === spec.token);
    expect(listed.map(({ providerId }) => providerId)).to.deep.equal([first.providerId]);
    expect(await provider.terminate({ token: spec.token, providerId: first.providerId })).to.equal(true);
    expect(await provider.terminate({ token: spec.token, providerId: null }), 'a repeat').to.equal(true);
    await until('it is told as gone', async () => (await provider.describe(spec.token))?.state === 'gone');
    expect((await provider.list()).filter(({ token }) => token === spec.token)).to.deep.equal([]);
    expect(await provider.ensure({ ...spec, isRepeat: true })).to.deep.equal({ state: 'ended' });
  });

  it('contract: an instance whose launch was not answered is ended by its token', async () => {
    const tested = await under();
    const [{ token }] = await launch(tested);
    expect(await tested.provider.terminate({ token, providerId: null })).to.equal(true);
    await until('it is gone', async () => (await tested.provider.describe(token))?.state === 'gone');
  });

  it('contract: a token that nobody used is gone, and its end harms nobody', async () => {
    const tested = await under();
    const { provider } = tested;
    const [spec, { providerId }] = await launch(tested);
    const stranger = { token: randomUUID(), providerId: null };
    expect(await provider.describe(stranger.token)).to.include({ state: 'gone' });
    const ended = await Promise.all([
      provider.terminate(stranger),
      provider.terminate({ token: spec.token, providerId }),
    ]);
    expect(ended).to.deep.equal([provider.answersExactly, true]);
    await until('it is gone', async () => (await provider.describe(spec.token))?.state === 'gone');
  });

  it('contract: the same is settled for a candidate each time, and nothing is launched by that', async () => {
    const { provider, newSpec } = await under();
    const { terms, vcpus, gpus, jobId, accountId, slot, generation, token } = await newSpec();
    const need = { instanceClass: 'cpu', vcpus, gpus, market: terms.market };
    const order = { ...need, jobId, accountId, slot, generation, token };
    const [candidate] = provider.candidates(need);
    if (candidate === undefined) return expect.fail('no candidate');
    const before = (await provider.list()).length;
    const settled = await provider.prepare(order, candidate);
    expect(settled).to.deep.equal(await provider.prepare(order, candidate));
    expect(settled).to.deep.include(candidate);
    expect(await provider.list()).to.have.length(before);
  });
}

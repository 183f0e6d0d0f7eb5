import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { Child, type ChildSpec } from '../../../src/stack/child.ts';
import type { StackEvent } from '../../../src/stack/events.ts';

describe('a supervised process', () => {
  let folder = '';
  const events: StackEvent[] = [];
  before(() => (folder = mkdtempSync(join(tmpdir(), 'dockyard-unit-child-'))));
  beforeEach(() => events.splice(0));
  after(() => rmSync(folder, { recursive: true, force: true }));

  function child(differences: Partial<ChildSpec> = {}): Child {
    const spec: ChildSpec = {
      name: 'sleeper',
      log: join(folder, 'sleeper.log'),
      command: () => ({
        file: process.execPath,
        arguments: ['-e', 'setInterval(() => undefined, 1000)'],
        environment: {},
        folder,
        channel: false,
      }),
      probe: () => Promise.resolve(false),
      beforeStart: () => Promise.resolve(),
      stopSignal: 'SIGTERM',
      quickStopSignal: 'SIGKILL',
      stopTimeoutMs: 5_000,
      ...differences,
    };
    return new Child(spec, (event) => events.push(event));
  }

  it('is not started when it was stopped while its port was given back', async () => {
    const released = Promise.withResolvers<undefined>();
    const sleeper = child({ beforeStart: () => released.promise });
    const starting = sleeper.start();
    await sleeper.stop();
    released.resolve(undefined);
    await starting;
    expect(sleeper.pid).to.equal(undefined);
    expect(events).to.deep.equal([]);
  });

  it('is not waited for any longer once it was stopped', async () => {
    const sleeper = child();
    await sleeper.start();
    const waiting = sleeper.untilReady(3_600_000).then(
      () => 'ready',
      (error: unknown) => String(error),
    );
    await sleeper.stop();
    expect(await waiting).to.contain('sleeper was stopped');
  });

  /** Says that it listens, as often as it is asked to, after the text that it was given. */
  const listener = (told: () => string): Partial<ChildSpec> => ({
    command: () => ({
      file: process.execPath,
      arguments: ['-e', "process.send({ type: 'listening' }); setInterval(() => undefined, 1000)"],
      environment: {},
      folder,
      channel: true,
    }),
    probe: undefined,
    toldOfOthers: told,
  });

  it('without a probe is ready by its own word alone, whoever answers at its port', async () => {
    const listens = child(listener(() => ''));
    const silent = child({ probe: undefined, name: 'silent' });
    await Promise.all([silent.start(), listens.start()]);
    await listens.untilReady(10_000);
    expect([listens.isReady, silent.isReady]).to.deep.equal([true, false]);
    await Promise.all([silent.stop(), listens.stop()]);
  });

  it('looks at its ports before each start, and goes on when that fails', async () => {
    let looks = 0;
    const sleeper = child({
      ...listener(() => ''),
      beforeStart: () => {
        looks += 1;
        return looks === 2 ? Promise.reject(new Error('no space left on device')) : Promise.resolve();
      },
    });
    await sleeper.start();
    await sleeper.untilReady(10_000);
    sleeper.signal('SIGKILL');
    await sleeper.untilReady(10_000);
    expect(looks).to.equal(3);
    const reasons = events.flatMap((event) => (event.type === 'died' ? [event.reason] : []));
    expect(reasons).to.deep.equal(['SIGKILL', 'Error: no space left on device']);
    await sleeper.stop();
  });

  it('that was told what is no longer so is started again, and whoever waits for it is not told of a stop', async () => {
    let told = 'one address';
    const sleeper = child(listener(() => told));
    await sleeper.start();
    await sleeper.untilReady(10_000);
    const first = sleeper.pid;
    expect(sleeper.isOutdated).to.equal(false);
    told = 'another address';
    expect(sleeper.isOutdated).to.equal(true);
    const renewed = sleeper.renew();
    expect([sleeper.isOutdated, sleeper.isReady]).to.deep.equal([false, false]);
    await Promise.all([renewed, sleeper.untilReady(10_000)]);
    expect(sleeper.pid).to.be.a('number').and.not.equal(first);
    expect(events.map(({ type }) => type)).to.deep.equal(['started', 'ready', 'renewed', 'started', 'ready']);
    await sleeper.stop();
  });

  it('that ended by itself is started again, and told of', async () => {
    const restarted = Promise.withResolvers<undefined>();
    let starts = 0;
    const sleeper = child({
      probe: () => {
        starts += 1;
        if (starts === 2) restarted.resolve(undefined);
        return Promise.resolve(true);
      },
    });
    await sleeper.start();
    await sleeper.untilReady(10_000);
    const first = sleeper.pid;
    sleeper.signal('SIGKILL');
    await restarted.promise;
    await sleeper.untilReady(10_000);
    expect(sleeper.pid).to.be.a('number').and.not.equal(first);
    expect(events.map(({ type }) => type)).to.deep.equal(['started', 'ready', 'died', 'started', 'ready']);
    expect(events[2]).to.include({ name: 'sleeper', pid: first, reason: 'SIGKILL', restartInMs: 200 });
    await sleeper.stop();
  });
});

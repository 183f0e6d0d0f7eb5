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
      beforeFirstStart: () => Promise.resolve(),
      stopSignal: 'SIGTERM',
      quickStopSignal: 'SIGKILL',
      stopTimeoutMs: 5_000,
      ...differences,
    };
    return new Child(spec, (event) => events.push(event));
  }

  it('is not started when it was stopped while its port was given back', async () => {
    const released = Promise.withResolvers<undefined>();
    const sleeper = child({ beforeFirstStart: () => released.promise });
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

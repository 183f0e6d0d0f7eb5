/** The world that the workflow tests share, and suites whose tests run in it side by side. */
import pLimit from 'p-limit';

import { World } from './world.ts';

/** This many tests keep the server busy; with all tests at once each test would mostly wait for the other tests. */
const TESTS_AT_ONCE = 6;

let shared: Promise<World> | undefined;

/** The world that the workflow tests of this process share. */
export function theWorld(): Promise<World> {
  shared ??= World.open();
  return shared;
}

interface Body {
  readonly run: (world: World) => Promise<void>;
  started?: Promise<void>;
}

/** Defines one test of a suite whose tests run side by side. */
export type Define = (test: (name: string, run: Body['run']) => void) => void;

/**
 * A suite whose tests share the world and run side by side: a workflow spends its time waiting for the server, so one
 * after the other they would take ten times as long. `sections` are describe blocks by title.
 */
export function together(title: string, sections: Readonly<Record<string, Define>>): void {
  describe(title, () => {
    const bodies: Body[] = [];
    before(async function () {
      this.timeout(120_000);
      const world = await theWorld();
      const limit = pLimit(TESTS_AT_ONCE);
      for (const body of bodies) {
        body.started = limit(() => body.run(world));
        body.started.catch(() => undefined);
      }
    });
    for (const [section, define] of Object.entries(sections)) {
      describe(section, () => {
        define((name, run) => {
          const body: Body = { run };
          bodies.push(body);
          it(name, () => body.started);
        });
      });
    }
  });
}

after('ends the server of the workflow tests', async function () {
  this.timeout(120_000);
  await (await shared)?.close();
});

/** The world that the workflow tests share, and suites whose tests run in it at once. */
import { World } from './world.ts';

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

/** Defines one test of a suite that runs at once. */
export type Define = (test: (name: string, run: Body['run']) => void) => void;

/**
 * A suite whose tests share the world and run at once: a workflow spends its time waiting for the server, so one
 * after the other they would take ten times as long. `sections` are describe blocks by title.
 */
export function together(title: string, sections: Readonly<Record<string, Define>>): void {
  describe(title, () => {
    const bodies: Body[] = [];
    before(async function () {
      this.timeout(120_000);
      const world = await theWorld();
      for (const body of bodies) {
        body.started = body.run(world);
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
  this.timeout(30_000);
  await (await shared)?.close();
});

/** What `dockyard render` offers and asks for, and how it tells what was drawn. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { CommandJob, JobCommand } from '../../../src/tools/command.ts';
import { renderCommand } from '../../../src/tools/blender/command.ts';
import type { RenderOptions } from '../../../src/tools/blender/command.ts';
import { findFrames } from '../../../src/tools/blender/found.ts';
import type { SeenTask } from '../../../src/tools/shown.ts';

/** The job that a command line means. */
const jobOf = async (
  options: RenderOptions,
  args: readonly string[],
  folder: string,
): Promise<CommandJob> => {
  const taken: JobCommand<RenderOptions>[] = [];
  renderCommand((command) => void taken.push(command as unknown as JobCommand<RenderOptions>));
  const [command] = taken;
  return (command ?? expect.fail('no command')).prepare(options, args, folder);
};

describe('dockyard render', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-render-command-'));
    mkdirSync(join(folder, 'film/scenes'), { recursive: true });
    writeFileSync(join(folder, 'film/scenes/shot.blend'), Buffer.alloc(400_000));
    for (let index = 0; index < 20; index += 1)
      writeFileSync(join(folder, `film/${index}.png`), Buffer.alloc(1000));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists files and sizes before anything is sent', async () => {
    const job = await jobOf({ frames: '1-100:10' }, ['film/scenes/shot.blend', 'film'], folder);
    expect(Object.fromEntries(job.offer)).to.include({ Files: '21, 0.4 MB', Frames: '10 as PNG' });
    expect(job.notes?.[0]).to.equal('scenes/shot.blend, 0.4 MB');
    expect(job.notes?.at(-1)).to.equal('and 9 smaller ones');
  });

  it('for a preview alone asks for the first frame, which the whole range takes over', async () => {
    const job = await jobOf(
      { frames: '7-100', previewOnly: true, format: 'EXR' },
      ['film/scenes/shot.blend'],
      folder,
    );
    expect(Object.fromEntries(job.offer)['Frames']).to.equal('frame 7, the first of 94 as EXR');
    expect(job.estimate.parameters).to.deep.equal({ frames: '7' });
    const request = await job.place({
      upload: async () => 'accounts/a/uploads/u/shot.blend',
      uploadFolder: async () => [],
      register: async () => expect.fail('no artifact'),
      progress: () => undefined,
    });
    expect(request).to.deep.include({ outputFormat: 'EXR', parameters: { frames: '7' } });
  });

  it('tells how many frames a minute were drawn, and which are left', async () => {
    const drawn = (id: string, state: string): SeenTask => ({
      ...{ id, state },
      summary: state === 'SUCCEEDED' ? { frame: Number(id), seconds: 3 } : null,
    });
    const tell = async (...tasks: readonly SeenTask[]): Promise<string> => {
      const results = {
        async *tasks() {
          await Promise.resolve();
          yield* tasks;
        },
      };
      return (await findFrames(results))?.note ?? '';
    };
    const done = [drawn('1', 'SUCCEEDED'), drawn('3', 'SUCCEEDED')];
    expect(await tell(...done))
      .to.contain('20.0 a minute')
      .and.contain('None is left');
    expect(await tell(...done, drawn('2', 'FAILED'))).to.contain('1 of its frames is left: 2;');
  });
});

/**
 * Renders over the whole stack with the real Blender: frames are those of bare Blender to the last pixel, whoever draws them, and no
 * frame is paid twice. The suite says so where the pack cannot be had.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { createClient } from '../../src/client/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { blenderPack } from '../../src/tools/blender/pack.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import type { DockingCustomer, Output } from '../support/docking-customer.ts';
import type { Json } from '../support/docking-ligands.ts';
import { IS_LONG, withLong } from '../support/long.ts';
import { untilOffered } from '../support/offered.ts';
import { realPack } from '../support/real-packs.ts';

const run = promisify(execFile);
const MAKE = join(repositoryRoot, 'examples/blender/make_scene.py');
const BARE = join(repositoryRoot, 'test/fixtures/blender/bare_blender.py');
const ENDINGS = { PNG: 'png', EXR: 'exr', JPEG: 'jpg' } as const;

describe('renders', function () {
  this.timeout(JOB_SECONDS * 1000);
  let api: TestApi;
  let owner: NewAccount;
  let customer: DockingCustomer;
  let python: string;
  let scratch: string;
  let scene: string;

  before(async function () {
    this.timeout(600_000);
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    python = pack.python ?? expect.fail('no interpreter');
    scratch = await mkdtemp(join(tmpdir(), 'dockyard-test-render-'));
    await run(python, [MAKE, join(scratch, 'film'), '48', '36', '4']);
    api = await testApi();
    owner = await api.account();
    customer = dockingCustomer(api, owner.liveKey);
    scene = await stored(join(scratch, 'film'));
    return untilOffered(api, owner.liveKey, 'blender');
  });
  after(async () => {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  });

  /** Uploads a folder as a package; answers the key of its scene. */
  const stored = async (folder: string, name = 'scenes/shot.blend'): Promise<string> => {
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey });
    const { files } = await client.uploadFolder({ path: folder });
    return files.find(({ logicalPath }) => logicalPath === name)?.storageKey ?? expect.fail('no scene');
  };
  const ended = async (body: Json): Promise<{ status: Answer['body']; outputs: Map<string, Output> }> => {
    const status = await customer.ended({
      ...{
        jobType: 'render',
        sceneFile: scene,
        metadata: { software: 'Blender 4.5', renderTimeMinutes: 0.05 },
      },
      ...body,
    });
    return { status, outputs: await customer.outputsOf(status.jobId) };
  };
  const tasksOf = async (jobId: string): Promise<Answer['body'][]> =>
    (await api.call(owner.liveKey, 'GET', `jobs/${jobId}/tasks?limit=100`)).body.tasks;
  const fetched = async (outputs: ReadonlyMap<string, Output>, name: string): Promise<string> => {
    const path = join(scratch, name.replaceAll('/', '-'));
    const { url } = outputs.get(name) ?? expect.fail(`no ${name} among ${[...outputs.keys()].join(', ')}`);
    await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
    return path;
  };

  /** Compares a frame with what bare Blender draws by the settings of its format. */
  const compare = async (
    outputs: ReadonlyMap<string, Output>,
    name: string,
    format: keyof typeof ENDINGS,
  ): Promise<void> => {
    const path = await fetched(outputs, name);
    const { stdout } = await run(python, [BARE, join(scratch, 'film/scenes/shot.blend'), format, path]);
    expect(stdout.trim().split('\n').at(-1), name).to.equal('equal');
  };

  it('gives the frame of bare Blender in each format, a picture before it, and charges what was drawn', async () => {
    for (const format of withLong(['EXR'] as const, ['PNG', 'JPEG'] as const)) {
      const { status, outputs } = await ended({ outputFormat: format, frameStart: 13 });
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      const name = `frames/shot.0013.${ENDINGS[format]}`;
      expect([...outputs.keys()]).to.have.members([
        ...[name, 'thumbnails/shot.0013.jpg', 'preview.png', 'scene.json', 'contact-sheet.png'],
        ...['frames.csv', 'manifest.json'],
      ]);
      await compare(outputs, name, format);
      const { render, cost } = status;
      expect(render).to.deep.include({ width: 48, height: 36, samples: 4, camera: 'Side' });
      expect(cost.chargedCents).to.be.within(1, cost.heldCents);
      expect(status.warnings).to.deep.equal([]);
    }
  });

  it('draws no frame twice for an account, and gives the same bytes for other threads and another order', async () => {
    const first = await ended({ parameters: { frames: '2,14', threads: '1', order: 'linear' } });
    expect(first.status.status, JSON.stringify(first.status.failures)).to.equal('SUCCEEDED');
    if (IS_LONG) await compare(first.outputs, 'frames/shot.0002.png', 'PNG');
    const again = await ended({ parameters: { frames: '2,14,15' } });
    const tasks = await tasksOf(again.status.jobId);
    const attempts = tasks.map((task) => [task['id'], task['attempts']]);
    expect(attempts).to.have.deep.members([
      ['2', 0],
      ['14', 0],
      ['15', 1],
    ]);
    const [fresh] = IS_LONG ? [await ended({ parameters: { frames: '2,14', reuse: 'never' } })] : [];
    for (const name of ['frames/shot.0002.png', 'frames/shot.0014.png']) {
      const digest = first.outputs.get(name)?.sha256 ?? expect.fail(`no ${name}`);
      expect(again.outputs.get(name)?.sha256, name).to.equal(digest);
      if (fresh !== undefined)
        expect(fresh.outputs.get(name)?.sha256, `${name}, drawn anew`).to.equal(digest);
    }
  });

  it('tells what is missing by its path before a frame is paid, and leaves nothing held', async () => {
    const folder = join(scratch, 'half');
    await cp(join(scratch, 'film'), folder, { recursive: true });
    await rm(join(folder, 'textures/floor.1002.png'));
    await rm(join(folder, 'library/textures/stone.png'));
    const { status, outputs } = await ended({ sceneFile: await stored(folder), frameStart: 1 });
    expect([status.status, status.failures[0]?.code]).to.deep.equal(['FAILED', 'ASSET_MISSING']);
    expect(status.failures[0]?.message)
      .to.contain('textures/floor.1002.png')
      .and.contain('library/textures/stone.png');
    expect(status.cost.chargedCents).to.equal(0);
    expect([...outputs.keys()]).to.deep.equal([]);
    const { body } = await api.call(owner.liveKey, 'GET', 'credits/balance');
    expect(body.held_cents).to.equal(0);
  });

  it('refuses software that no machine has, with what there is', async () => {
    for (const software of ['blender-9.9', 'maya']) {
      const refused = { jobType: 'render', sceneFile: scene, metadata: { software } };
      const { status, body } = await api.submit(owner.liveKey, refused);
      expect([status, body.code]).to.deep.equal([422, 'JOB_TYPE_UNAVAILABLE']);
      expect(body.error).to.contain('blender-4.5');
    }
  });
});

// A host knows its packs: what is installed or removed while the host runs is known at the next look, no restart.
import { existsSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import { pino } from 'pino';

import { ToolMissingError } from '../../../src/instance/repeat.ts';
import { findSessionTool } from '../../../src/instance/session-tools.ts';
import { ToolWatch } from '../../../src/local-host/tool-watch.ts';
import { installPack, removePack } from '../../../src/packs/install.ts';
import { noop } from '../../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { refusalOf } from '../../support/refusals.ts';
import { makeToyPack } from '../../support/toy-pack.ts';
import type { ToyPack } from '../../support/toy-pack.ts';
import { until } from '../../support/until.ts';

/** How long a session waits for a pack that is gone; long beside what a busy machine takes for a look. */
const WAIT_MS = 2_000;

describe('the tools of a machine', function () {
  this.timeout(120_000);
  let toy: ToyPack;
  let packed: Tool;
  let watch: ToolWatch;
  let proofs = 0;
  beforeEach(async () => {
    toy = await makeToyPack();
    proofs = 0;
    const prove: typeof toy.pack.prove = (run, folder, programs) => {
      proofs += 1;
      return toy.pack.prove(run, folder, programs);
    };
    packed = { ...noop, about: { ...noop.about, id: 'packed' }, pack: { ...toy.pack, prove } };
    watch = new ToolWatch({
      ...{ tools: [noop, packed], places: toy.places, lookSeconds: 0.1 },
      log: pino({ level: 'silent' }),
    });
  });
  afterEach(async () => {
    watch.close();
    await toy.remove();
  });
  const install = () => installPack(toy.pack, { ...toy.places, from: toy.files, progress: toy.progress });
  const reportOf = async (id: string) => (await watch.reports()).find(({ toolId }) => toolId === id);
  const becomes = (available: boolean) =>
    until(`available is ${available}`, async () => (await reportOf('packed'))?.available === available);

  it('are told with version and digest; a pack is offered after its install, and withdrawn after its removal', async () => {
    expect(await reportOf('noop')).to.include({ available: true, reason: null });
    expect(await reportOf('packed')).to.include({
      available: false,
      reason: 'PACK_NOT_INSTALLED',
      digest: null,
    });
    const { pack } = await install();
    await becomes(true);
    expect(await reportOf('packed')).to.include({ version: '1.0', digest: pack.digest, reason: null });
    await removePack(toy.pack, toy.places, toy.progress);
    await becomes(false);
  });

  it('are not offered on a machine without a GPU, or while a model or a database is missing, and then are', async () => {
    const devices = join(toy.root, 'dev');
    const model = join(toy.root, 'model');
    await mkdir(devices);
    await writeFile(join(devices, 'nvidiactl'), '');
    const lacks: Tool['lacks'] = async ({ hasGpu }) => {
      if (!hasGpu) return 'GPU_REQUIRED';
      return existsSync(model) ? null : 'MODEL_NOT_INSTALLED';
    };
    const bare: Tool = { ...noop, about: { ...noop.about, id: 'bare' }, lacks };
    watch.close();
    watch = new ToolWatch({
      ...{ tools: [bare, { ...packed, lacks }], places: toy.places, lookSeconds: 0.05, devices },
      log: pino({ level: 'silent' }),
    });
    const isReason = (id: string, reason: string | null) =>
      until(`${id}: ${reason ?? 'offered'}`, async () => (await reportOf(id))?.reason === reason);
    await isReason('bare', 'GPU_REQUIRED');
    await isReason('packed', 'PACK_NOT_INSTALLED');
    await install();
    await isReason('packed', 'GPU_REQUIRED');
    await writeFile(join(devices, 'nvidia0'), '');
    await isReason('bare', 'MODEL_NOT_INSTALLED');
    expect(await reportOf('packed')).to.include({ available: false, version: '1.0' });
    await writeFile(model, '');
    await isReason('bare', null);
    await isReason('packed', null);
    expect(await reportOf('bare')).to.include({ available: true });
  });

  it('are run once, and again only when a file has changed; a damaged pack is withdrawn', async () => {
    await install();
    await becomes(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(proofs).to.equal(1);
    await appendFile(join(toy.places.folder, 'toy', '1.0-debian', 'bin', 'toy'), 'x');
    await becomes(false);
  });

  it('lie side by side as variants: each is told by itself, and a session gets the one of its claim', async () => {
    watch.close();
    const site = join(toy.root, 'site');
    const build = async (name: string, prints: string) => {
      await mkdir(join(site, name, 'bin'), { recursive: true });
      await writeFile(join(site, name, 'bin', 'toy'), `#!/bin/sh\necho ${prints}\n`, { mode: 0o755 });
    };
    await build('st4', 'toy 2.0');
    await build('broken', 'nothing');
    await mkdir(join(site, 'docs'));
    const places = { ...toy.places, environment: { ...toy.places.environment, DOCKYARD_PACK_TOY: site } };
    const varied: Tool = { ...packed, pack: { ...toy.pack, hasVariants: true } };
    watch = new ToolWatch({ tools: [varied], places, lookSeconds: 0.05, log: pino({ level: 'silent' }) });
    const told = async () =>
      (await watch.reports()).map(({ variant, available, version }) => ({ variant, available, version }));
    const broken = { variant: 'broken', available: false, version: null };
    const st4 = { variant: 'st4', available: true, version: '2.0' };
    expect(await told()).to.deep.equal([broken, st4]);
    await build('4.5', 'toy 4.5');
    await until('a new build is told', async () => (await told()).length === 3);
    expect(await told()).to.deep.equal([{ variant: '4.5', available: true, version: '4.5' }, broken, st4]);

    const registry = createToolRegistry({ testTools: '', tools: [varied] });
    const find = findSessionTool(
      registry,
      { python: null, ccd: null, packs: places },
      { waitMs: 0, lookMs: 20 },
    );
    const session = await find('packed', 'st4')?.session(toy.root, forever, 1);
    expect(JSON.parse(session?.env['DOCKYARD_PACK'] ?? '')).to.deep.include({
      ...{ variant: 'st4', version: '2.0', source: 'variable' },
      programs: { toy: join(site, 'st4', 'bin', 'toy') },
    });
    const missing = await refusalOf(Promise.resolve(find('packed', 'st6')?.session(toy.root, forever, 1)));
    expect(missing).to.be.instanceOf(ToolMissingError);
  });

  const find = (waitMs: number) => {
    const registry = createToolRegistry({ testTools: '', tools: [packed] });
    const places = { python: null, ccd: null, packs: toy.places };
    const tool = findSessionTool(registry, places, { waitMs, lookMs: 20 })('packed');
    if (tool === null) throw new Error('the tool is not registered');
    return tool;
  };
  const forever = new AbortController().signal;

  it('give a session its pack by absolute paths', async () => {
    // The watch runs the pack, too, and its runs would be counted.
    watch.close();
    const { pack } = await install();
    const command = await find(0).session(toy.root, forever, 1);
    expect(JSON.parse(command.env['DOCKYARD_PACK'] ?? '')).to.deep.include({
      ...{ name: 'toy', version: '1.0', digest: pack.digest, source: 'cache', programs: pack.programs },
    });
    expect(proofs, 'the host has run the pack').to.equal(0);
  });

  it('wait for a pack that is gone, once: later sessions end at once, and the pack is used when it is back', async () => {
    const tool = find(WAIT_MS);
    const missed = async () => {
      const startedAt = performance.now();
      const problem = await refusalOf(Promise.resolve(tool.session(toy.root, forever, 1)));
      expect(problem).to.be.instanceOf(ToolMissingError).and.include({ code: 'PACK_NOT_INSTALLED' });
      expect(String(problem), 'customers read it').to.contain('Toy 1.0').and.not.contain(toy.root);
      return performance.now() - startedAt;
    };
    expect(await missed()).to.be.at.least(WAIT_MS - 20);
    expect(await missed()).to.be.lessThan(WAIT_MS - 20);
    await install();
    expect(await tool.session(toy.root, forever, 1)).to.have.property('env');
    await removePack(toy.pack, toy.places, toy.progress);
    expect(await missed(), 'missed anew').to.be.at.least(WAIT_MS - 20);
  });

  it('take a pack that comes while it is waited for, and wait no more when the session is not wanted', async () => {
    const waiting = Promise.resolve(find(10_000).session(toy.root, forever, 1));
    await install();
    expect((await waiting).env).to.have.property('DOCKYARD_PACK');
    await removePack(toy.pack, toy.places, toy.progress);
    const given = new AbortController();
    const unwanted = refusalOf(Promise.resolve(find(10_000).session(toy.root, given.signal, 1)));
    given.abort();
    expect(await unwanted).to.include({ name: 'AbortError' });
  });
});

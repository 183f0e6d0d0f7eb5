// A host knows its packs: what is installed or removed while the host runs is known at the next look, no restart.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import { pino } from 'pino';

import { findSessionTool } from '../../../src/instance/session-tools.ts';
import { ToolWatch } from '../../../src/local-host/tool-watch.ts';
import { installPack, removePack } from '../../../src/packs/install.ts';
import { noop } from '../../../src/tools/noop/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { makeToyPack } from '../../support/toy-pack.ts';
import type { ToyPack } from '../../support/toy-pack.ts';
import { until } from '../../support/until.ts';

describe('the tools of a machine', function () {
  this.timeout(20_000);
  let toy: ToyPack;
  let packed: Tool;
  let watch: ToolWatch;
  let proofs = 0;
  beforeEach(async () => {
    toy = await makeToyPack();
    proofs = 0;
    const prove: typeof toy.pack.prove = (run) => {
      proofs += 1;
      return toy.pack.prove(run);
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
  const install = () => installPack(toy.pack, { ...toy.places, from: toy.sources, progress: toy.progress });
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

  it('are run once, and again only when a file has changed; a damaged pack is withdrawn', async () => {
    await install();
    await becomes(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(proofs).to.equal(1);
    await appendFile(join(toy.places.folder, 'toy', '1.0-source', 'bin', 'toy'), 'x');
    await becomes(false);
  });

  it('give a session its pack by absolute paths, and no session when the pack is gone', async () => {
    // The watch runs the pack, too, and its runs would be counted.
    watch.close();
    const registry = createToolRegistry({ testTools: true, tools: [packed] });
    const find = findSessionTool(registry, { python: null, ccd: null, packs: toy.places });
    const { pack } = await install();
    const command = await find('packed')?.session(toy.root);
    expect(JSON.parse(command?.env['DOCKYARD_PACK'] ?? '')).to.deep.include({
      ...{ name: 'toy', version: '1.0', digest: pack.digest, source: 'cache', programs: pack.programs },
    });
    expect(proofs, 'the host has run the pack').to.equal(0);
    await removePack(toy.pack, toy.places, toy.progress);
    const problem = await Promise.resolve(find('packed')?.session(toy.root)).then(
      () => null,
      (error: unknown) => error,
    );
    expect(String(problem)).to.contain('is not installed');
  });
});

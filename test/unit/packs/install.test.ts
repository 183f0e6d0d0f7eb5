// Packs on the real thing in small: a real package, the system's own programs, real archives; only what is installed is a toy.
import { execFileSync, spawn } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { findPack, glanceAt } from '../../../src/packs/find.ts';
import { installPack, removePack, verifyPack } from '../../../src/packs/install.ts';
import type { PackDefinition } from '../../../src/packs/pack.ts';
import { makeToyPack } from '../../support/toy-pack.ts';
import type { ToyPack } from '../../support/toy-pack.ts';
import { until } from '../../support/until.ts';

describe('a pack', function () {
  this.timeout(120_000);
  let toy: ToyPack;
  beforeEach(async () => (toy = await makeToyPack()));
  afterEach(() => toy.remove());

  const install = (
    from: string | undefined = toy.files,
    pack: PackDefinition = toy.pack,
    places = toy.places,
  ) => installPack(pack, { ...places, from, progress: toy.progress });
  const failureOf = async (
    work: Promise<unknown>,
  ): Promise<{ name: string; text: string; command?: string }> => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const reasons: string[] = Reflect.get(error, 'reasons') ?? [];
      return {
        name: error.name,
        text: [error.message, ...reasons].join('\n'),
        command: Reflect.get(error, 'command'),
      };
    }
    throw new Error('It went well.');
  };
  const kindOf = async () => (await findPack(toy.pack, toy.places)).problem?.kind ?? null;
  const installed = () => join(toy.places.folder, 'toy', '1.0-debian');
  const leftovers = async () =>
    (await readdir(join(toy.places.folder, 'toy'))).filter((name) => name.startsWith('.partial-'));

  it('that is installed was unpacked, run and recorded; a second install only looks', async () => {
    expect(await kindOf()).to.equal('absent');
    const { pack, isNew } = await install();
    expect(isNew).to.equal(true);
    expect(pack).to.include({
      name: 'toy',
      version: '1.0',
      source: 'cache',
      folder: installed(),
      python: null,
    });
    expect(execFileSync(pack.programs['toy'] ?? '', { encoding: 'utf8' })).to.equal('toy 1.0\n');
    expect(await install()).to.deep.equal({ pack, isNew: false });
    expect(await leftovers()).to.deep.equal([]);
    const [judged] = await verifyPack(toy.pack, toy.places);
    expect(judged).to.include({ digest: pack.digest, problem: null });
  });

  it('has the same digest from an archive as from a folder', async () => {
    const archive = join(toy.root, 'toy.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', toy.root, 'toy-1.0']);
    const first = await install(archive);
    await removePack(toy.pack, toy.places, toy.progress);
    expect(await kindOf()).to.equal('absent');
    const second = await install();
    expect(second.isNew).to.equal(true);
    expect(second.pack.digest).to.equal(first.pack.digest);
  });

  it('is known by the digests of its packages alone, whatever they are called and what lies beside them', async () => {
    const folder = join(toy.root, 'downloads');
    await mkdir(folder);
    await writeFile(join(folder, 'another.deb'), 'no package');
    await cp(toy.package, join(folder, 'of-any-name.deb'));
    expect((await install(folder)).isNew).to.equal(true);
    await removePack(toy.pack, toy.places, toy.progress);
    await rm(join(folder, 'of-any-name.deb'));
    const { name, text } = await failureOf(install(folder));
    expect(name).to.equal('PackRefusedError');
    expect(text).to.contain('does not hold these pinned files').and.contain('toy 1.0');
  });

  it('of other bytes than the pinned ones is refused, and nothing of it is run', async () => {
    await appendFile(toy.package, 'another byte');
    const { name, text } = await failureOf(install());
    expect(name).to.equal('PackRefusedError');
    expect(text).to.contain(toy.way.packages[0]?.sha256);
    const archive = join(toy.root, 'toy.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', toy.root, 'toy-1.0']);
    expect((await failureOf(install(archive))).name).to.equal('PackRefusedError');
    await writeFile(archive, 'no archive');
    expect((await failureOf(install(archive))).name).to.equal('PackRefusedError');
    expect((await failureOf(install(join(toy.root, 'missing')))).text).to.contain('which is not there');
    expect(await leftovers()).to.deep.equal([]);
    expect(toy.steps.filter((step) => step.startsWith('unpacking'))).to.deep.equal([]);
  });

  it('needs what unpacks packages, and says how it is had elsewhere', async () => {
    const places = { ...toy.places, environment: { ...toy.places.environment, PATH: '/nowhere' } };
    const failure = await failureOf(install(toy.files, toy.pack, places));
    expect(failure.name).to.equal('PackMissingError');
    expect(failure.text).to.contain('dpkg-deb is not on PATH');
    expect(failure.command).to.contain('apt-get download toy=1.0').and.contain('--from FOLDER');
  });

  it('that cannot be fetched names the command and the way without a network', async () => {
    const failure = await failureOf(installPack(toy.pack, { ...toy.places, progress: toy.progress }));
    expect(failure.name).to.equal('PackMissingError');
    expect(failure.command).to.contain('`apt-get update`').and.contain('--from FOLDER');
  });

  it('that no registry has is the own program of a site, which is named, and found on PATH', async () => {
    const own = { ...toy.pack, way: null };
    const failure = await failureOf(install(undefined, own));
    expect(failure).to.include({ name: 'PackMissingError' });
    expect(failure.command).to.contain('an own Toy on PATH').and.contain('DOCKYARD_PACK_TOY');
    const environment = { ...toy.places.environment, DOCKYARD_PACK_TOY: join(toy.root, 'tree') };
    const { pack, isNew } = await installPack(own, { ...toy.places, environment, progress: toy.progress });
    expect({ source: pack.source, isNew }).to.deep.equal({ source: 'variable', isNew: false });
  });

  for (const [what, harm] of [
    ['a changed byte', async (folder: string) => appendFile(join(folder, 'bin', 'toy'), 'x')],
    ['a missing program', async (folder: string) => rm(join(folder, 'bin', 'toy'))],
    ['a program that may not run', async (folder: string) => chmod(join(folder, 'bin', 'toy'), 0o644)],
    ['a file more', async (folder: string) => writeFile(join(folder, 'more'), '')],
    ['half a record', async (folder: string) => writeFile(join(folder, 'pack.json'), '{"name":')],
  ] as const) {
    it(`with ${what} is damaged, and an install makes it anew`, async () => {
      const { pack } = await install();
      await harm(installed());
      expect(await kindOf()).to.equal('damaged');
      const [judged] = await verifyPack(toy.pack, toy.places);
      expect(judged?.problem).to.be.a('string');
      const again = await install();
      expect(again.isNew).to.equal(true);
      expect(again.pack.digest).to.equal(pack.digest);
      expect(await kindOf()).to.equal(null);
      expect(await leftovers()).to.deep.equal([]);
    });
  }

  it('whose install is killed does not count, and the next install sweeps what was left', async () => {
    const slow = await makeToyPack({ aptGet: 'exec sleep 60' });
    const folder = join(slow.places.folder, 'toy');
    const program = `
      import { installPack } from ${JSON.stringify(join(import.meta.dirname, '../../../src/packs/install.ts'))};
      const pack = { ...${JSON.stringify(slow.pack)}, prove: () => Promise.resolve({ version: '1.0' }) };
      const none = () => undefined;
      const progress = { step: none, bytes: none, detail: none };
      await installPack(pack, { ...${JSON.stringify(slow.places)}, progress });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    try {
      const groupIn = async (): Promise<string | undefined> => {
        const [name] = (await readdir(folder).catch(() => [])).filter((each) => each.startsWith('.partial-'));
        return name === undefined
          ? undefined
          : readFile(join(folder, name, '.group'), 'utf8').catch(() => undefined);
      };
      await until('the packages are fetched', async () => ((await groupIn()) ?? '') !== '');
      const { pid } = JSON.parse((await groupIn()) ?? '') as { pid: number };
      child.kill('SIGKILL');
      expect((await findPack(slow.pack, slow.places)).problem?.kind).to.equal('absent');
      expect(existsSync(`/proc/${pid}`)).to.equal(true);
      await removePack(slow.pack, slow.places, slow.progress);
      await until('the fetch is ended', () => !existsSync(`/proc/${pid}`));
      expect(await readdir(folder)).to.deep.equal([]);
    } finally {
      child.kill('SIGKILL');
      await slow.remove();
    }
  });

  it('that is interrupted leaves nothing', async () => {
    const slow = await makeToyPack({ aptGet: 'exec sleep 60' });
    try {
      const interruption = new AbortController();
      const { signal } = interruption;
      const progress = {
        ...slow.progress,
        step: (text: string) => text.startsWith('downloading') && interruption.abort(),
      };
      const work = installPack(slow.pack, { ...slow.places, progress, signal });
      expect((await failureOf(work)).name).to.equal('AbortError');
      expect(await readdir(join(slow.places.folder, 'toy'))).to.deep.equal([]);
    } finally {
      await slow.remove();
    }
  });

  it('is taken from the folder that a variable names, or from PATH, when its programs run', async () => {
    const { pack } = await install();
    const own = join(toy.root, 'own');
    await cp(join(installed(), 'bin'), join(own, 'bin'), { recursive: true });
    await removePack(toy.pack, toy.places, toy.progress);
    const named = { ...toy.places, environment: { ...toy.places.environment, DOCKYARD_PACK_TOY: own } };
    expect((await findPack(toy.pack, named)).pack).to.include({ source: 'variable', version: pack.version });
    const onPath = { ...toy.places, environment: { ...toy.places.environment, PATH: join(own, 'bin') } };
    expect((await findPack(toy.pack, onPath)).pack).to.include({ source: 'path', version: pack.version });
    // The folder of all packs of a site counts where it has this one, and the pack's own variable comes before it.
    const from = (folder: string, more = {}) => {
      const environment = { ...toy.places.environment, DOCKYARD_PACKS_FROM: folder, ...more };
      return findPack(toy.pack, { ...toy.places, environment });
    };
    await cp(own, join(toy.root, 'all', 'toy'), { recursive: true });
    expect((await from(join(toy.root, 'all'))).pack).to.include({ folder: join(toy.root, 'all', 'toy') });
    const both = await from(join(toy.root, 'all'), { DOCKYARD_PACK_TOY: own });
    expect(both.pack).to.include({ folder: own });
    expect((await from(own)).problem?.kind, 'a folder without it').to.equal('absent');
    await rm(join(toy.root, 'all', 'toy', 'bin'), { recursive: true });
    expect((await from(join(toy.root, 'all'))).problem?.message).to.match(
      /^DOCKYARD_PACKS_FROM names .*toy,/,
    );
    await writeFile(join(own, 'bin', 'toy'), '#!/bin/sh\nexit 1\n');
    expect((await findPack(toy.pack, named)).problem?.kind).to.equal('unusable');
    expect((await findPack(toy.pack, onPath)).problem?.kind).to.equal('absent');
  });

  it('has the programs that only some builds have where they are there, and one that comes later is noticed', async () => {
    const pack: PackDefinition = { ...toy.pack, optionalPrograms: ['extra'] };
    const bin = join(toy.root, 'bin');
    await mkdir(bin);
    const write = async (name: string): Promise<void> => {
      await writeFile(join(bin, name), '#!/bin/sh\necho "toy 1.0"\n');
      await chmod(join(bin, name), 0o755);
    };
    const places = { ...toy.places, environment: { PATH: bin } };
    await write('toy');
    const [without, seen] = [await findPack(pack, places), await glanceAt(pack, places)];
    expect(Object.keys(without.pack?.programs ?? {})).to.deep.equal(['toy']);
    await write('extra');
    expect(await glanceAt(pack, places)).not.to.equal(seen);
    const { pack: found } = await findPack(pack, places);
    expect(found?.programs).to.deep.equal({ toy: join(bin, 'toy'), extra: join(bin, 'extra') });
    expect(found?.digest).not.to.equal(without.pack?.digest);
    // So ends a program whose libraries are missing.
    await writeFile(join(bin, 'extra'), '#!/bin/sh\nexit 127\n');
    expect((await findPack(pack, places)).pack?.programs).to.deep.equal(without.pack?.programs);
  });

  it('of which a site has variants alone is there', async () => {
    const pack: PackDefinition = { ...toy.pack, hasVariants: true, way: null };
    const bin = join(toy.root, 'own', 'deep', 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'toy'), '#!/bin/sh\necho "toy 1.0"\n');
    await chmod(join(bin, 'toy'), 0o755);
    const environment = { ...toy.places.environment, DOCKYARD_PACK_TOY: join(toy.root, 'own') };
    const options = { ...toy.places, environment, progress: toy.progress };
    const { pack: found, isNew } = await installPack(pack, options);
    expect({ variant: found.variant, isNew }).to.deep.equal({ variant: 'deep', isNew: false });
  });

  it('that others have built answers its reference case, or it does not count, and it is said why', async () => {
    const bin = join(toy.root, 'bin');
    await mkdir(bin);
    const program = join(bin, 'toy');
    const builtTo = async (answer: string): Promise<void> => {
      await writeFile(program, `#!/bin/sh\n[ $# = 0 ] && echo "toy 1.0" || ${answer}\n`);
      await chmod(program, 0o755);
    };
    const pack: PackDefinition = {
      ...toy.pack,
      reference: {
        runs: [{ program: 'toy', args: ['install.test.ts'] }],
        files: [new URL(import.meta.url)],
        async judge(folder) {
          const answer = await readFile(join(folder, 'answer'), 'utf8');
          if (answer !== '42\n') throw new Error(`it answers ${answer.trim()}, and not 42`);
        },
      },
    };
    const named = { ...toy.places, environment: { ...toy.places.environment, DOCKYARD_PACK_TOY: bin } };
    const onPath = { ...toy.places, environment: { PATH: bin } };
    for (const [places, source] of [
      [named, 'variable'],
      [onPath, 'path'],
    ] as const) {
      await builtTo('test -f "$1" && echo 42 > answer');
      expect((await findPack(pack, places)).pack).to.include({ source });
      await builtTo('echo 41 > answer');
      const { problem } = await findPack(pack, places);
      expect(problem).to.include({ kind: 'unusable' });
      expect(problem?.message).to.include('it answers 41, and not 42');
      // The host has run the case; its instances do not run it again for each session.
      expect((await findPack(pack, places, { isKnownGood: true })).pack).to.include({ source });
    }
    await builtTo('exit 3');
    expect((await findPack(pack, named)).problem?.message).to.include('ended with exit code 3');
  });

  it('is made once by two installs at the same time', async () => {
    const results = await Promise.all([install(), install()]);
    expect(results.map(({ isNew }) => isNew).sort()).to.deep.equal([false, true]);
  });
});

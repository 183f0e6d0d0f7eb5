/** Libraries as programs and vendors write them, through the reader and through the commands that read files of this machine. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import type { LibraryFormat } from '../../../src/domain/requests.ts';
import type { CommandJob } from '../../../src/tools/command.ts';
import { dockCommand } from '../../../src/tools/autodock-vina/command/index.ts';
import { readLibraryFile } from '../../../src/tools/ligand-files.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';
import { BENZENE, DIALECTS, V3000 } from '../../support/ligand-dialects.ts';

/** The ligands of the job that `dockyard dock` makes of a file: their ids, and what is sent of each. */
const docked = async (folder: string, ligands: string): Promise<(readonly [string, string])[]> => {
  const options = { receptor: '1A28', boxFromLigand: { componentId: 'STR' }, ligands };
  let job: CommandJob | Promise<CommandJob> | null = null;
  dockCommand((command) => {
    job = command.prepare(options as never, [], folder);
  });
  const stored = new Map<string, string>();
  const made = await (job as CommandJob | Promise<CommandJob> | null);
  const request = await made?.place({
    progress: () => undefined,
    upload: async () => '',
    uploadFolder: async () => [],
    register: async ({ path, format }) => {
      const key = `stored/${String(stored.size)}`;
      stored.set(key, readFileSync(path, 'utf8'));
      return { storageKey: key, format } as never;
    },
  });
  return (request?.simulationParams?.ligandLibrary ?? []).map(({ ligandId, source }) => [
    ligandId,
    source.kind === 'smiles'
      ? source.smiles
      : source.kind === 'artifact'
        ? (stored.get(source.artifact.storageKey) ?? '')
        : '',
  ]);
};

describe('a ligand library of a program or vendor', () => {
  let folder = '';
  before(() => (folder = mkdtempSync(join(tmpdir(), 'dockyard-test-dialects-'))));
  after(() => rmSync(folder, { recursive: true }));

  for (const [what, [format, content, wanted]] of Object.entries(DIALECTS))
    it(`is read as it was meant, by every command: ${what}`, async () => {
      const beginning = (structure: string, whole: string | null): string =>
        format === 'sdf' ? structure.slice(0, whole?.length) : structure;
      for (const bytes of [Buffer.from(content), gzipSync(content)]) {
        const found: (readonly [string, string | null, Record<string, string>])[] = [];
        for await (const { ligandId, start, end, properties, fault } of readLibrary([bytes], format)) {
          const structure = Buffer.from(content).toString('utf8', start, end);
          const whole = wanted[found.length]?.[1] ?? null;
          found.push([
            ligandId,
            fault === null ? beginning(structure, whole) : null,
            Object.fromEntries(properties),
          ]);
        }
        expect(found).to.deep.equal(wanted.map(([id, structure, tags]) => [id, structure, tags ?? {}]));
      }
      const name = `library.${format}`;
      writeFileSync(join(folder, name), content);
      const readable = wanted.filter(([, structure]) => structure !== null);
      const first = readable.filter(
        ([, structure], at) => readable.findIndex(([, other]) => other === structure) === at,
      );
      const sent = await docked(folder, name);
      expect(sent.map(([id, text], at) => [id, beginning(text, first[at]?.[1] ?? null)])).to.deep.equal(
        first.map(([id, structure]) => [id, structure]),
      );
      const { faults, equal } = await readLibraryFile(name, folder);
      expect([faults.length, equal.length], 'unreadable, equal').to.deep.equal([
        wanted.length - readable.length,
        readable.length - first.length,
      ]);
    });

  it('tells how large its molecules are, salts without their counter-ion', async () => {
    const sizes = async (content: string, format: LibraryFormat): Promise<(number | null)[]> => {
      const found: (number | null)[] = [];
      for await (const { heavyAtoms } of readLibrary([Buffer.from(content)], format)) found.push(heavyAtoms);
      return found;
    };
    expect(
      await sizes(`${BENZENE}\n$$$$\n${V3000}\n$$$$\nx\n\n\nno counts\nM  END\n$$$$\n`, 'sdf'),
    ).to.deep.equal([6, 3, null]);
    expect(await sizes('CC(=O)[O-].[Na+] a\nC1CC\n', 'smi')).to.deep.equal([4, 3]);
  });
});

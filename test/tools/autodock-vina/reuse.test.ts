/** Keys of reuse: equal for all content that makes the same poses, whatever it is called, and different for everything else. */
import { createHash } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import type {
  JobLigand,
  LibraryFormat,
  RecordSource,
  SimulationParams,
  SubmitJobRequest,
} from '../../../src/domain/requests.ts';
import { dockingReuse } from '../../../src/tools/autodock-vina/reuse.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';
import type { ReuseFacts } from '../../../src/tools/tool.ts';
import { artifact, docking, ligand, without } from './requests.ts';

const FACTS: ReuseFacts = {
  ...{ accountId: 'account', cacheKey: 'prepared', effectiveSeed: 42, toolchainSha256: 'code' },
  ...{ cpuClass: 'x86-64-v3', build: null, digests: new Map() },
};
type Files = Readonly<Record<string, string>>;
const requestOf = (ligandLibrary: JobLigand[], params: Partial<SimulationParams> = {}): SubmitJobRequest =>
  without(docking({ ...params, ligandLibrary: ligandLibrary as never }), 'ligandIdentity');
const keysOf = (request: SubmitJobRequest, facts: ReuseFacts = FACTS, files: Files = {}) =>
  dockingReuse.keys(request, facts, (key) => {
    const text = files[key];
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  });
const keyOf = async (
  one: JobLigand,
  params: Partial<SimulationParams> = {},
  facts: ReuseFacts = FACTS,
): Promise<string | null | undefined> => (await keysOf(requestOf([one], params), facts))[0];
const record = (more: Partial<RecordSource> = {}): JobLigand => ({
  ...ligand('a'),
  source: {
    ...{ kind: 'record', format: 'smi', line: 7, start: 10, end: 20, sha256: 'cd'.repeat(32) },
    ...{ structureSha256: 'ab'.repeat(32), heavyAtoms: 7, fault: null },
    ...more,
  },
});
/** The records of a library as its reader finds them. */
const recordsIn = async (text: string, format: LibraryFormat): Promise<JobLigand[]> => {
  const found: JobLigand[] = [];
  for await (const entry of readLibrary([Buffer.from(text)], format)) {
    const { ligandId, label, line, start, end, contentSha256: sha256, structureSha256 } = entry;
    const { heavyAtoms, fault } = entry;
    found.push({
      ...{ ...ligand(ligandId), label },
      source: {
        ...{ kind: 'record', format, line, start, end, sha256, structureSha256, heavyAtoms, fault },
      },
    });
  }
  return found;
};
const molBlock = (title: string, program = '', element = 'O'): string =>
  [
    ...[title, program, `a comment on ${title}`],
    ...['  1  0  0  0  0  0  0  0  0  0999 V2000'],
    ...[`    1.0000   -2.5000    3.0000 ${element}   0  0  0  0  0  0  0  0  0  0  0  0`, 'M  END', ''],
  ].join('\n');
/** A ligand that is a file of its own, with the file. */
const file = (name: string, text: string): { one: JobLigand; files: Files } => {
  const reference = { ...artifact('sdf', name), sha256: createHash('sha256').update(text).digest('hex') };
  return {
    one: ligand(name, { kind: 'artifact', artifact: reference }),
    files: { [reference.storageKey]: text },
  };
};
const keyOfFile = async (name: string, text: string): Promise<string | null | undefined> => {
  const { one, files } = file(name, text);
  return (await keysOf(requestOf([one]), FACTS, files))[0];
};

describe('the key of reuse of a ligand', () => {
  it('is that of its content: not of its name, of the other ligands, of their order or of where a record stands', async () => {
    const contents = fc.uniqueArray(fc.stringMatching(/^[CNO]{1,6}$/), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(contents, fc.nat(), async (smiles, seed) => {
        const library = smiles.map((text, index) =>
          ligand(`l${String(index)}`, { kind: 'smiles', smiles: text }),
        );
        const turned = [...smiles.slice(seed % smiles.length), ...smiles.slice(0, seed % smiles.length)];
        const renamed = turned.map((text, index) =>
          ligand(`n${String(index)}`, { kind: 'smiles', smiles: text }),
        );
        const keys = await keysOf(requestOf(library));
        expect(new Set(keys).size, 'each content has its own').to.equal(smiles.length);
        const keyOfText = new Map(smiles.map((text, index) => [text, keys[index]]));
        expect(await keysOf(requestOf(renamed))).to.deep.equal(turned.map((text) => keyOfText.get(text)));
      }),
      { numRuns: 30 },
    );
    const moved = record({ line: 9, start: 400, end: 410, heavyAtoms: null, structureSha256: null });
    expect(await keyOf(moved)).to.equal(await keyOf(record()));
    expect(await keyOf(ligand('a'), { cpuThreads: 4 })).to.equal(await keyOf(ligand('a')));
  });

  it('is the same for a SMILES in a list, on a line and in a cell, and for a record of an SD file in a library and alone', async () => {
    const smiles = 'C[C@H](N)C(=O)O';
    const [line] = await recordsIn(`# a comment\nO first\n${smiles}\tmy alanine\n`, 'smi').then((all) =>
      all.slice(1),
    );
    const [cell] = await recordsIn(`vendor;smiles;name\nACME;"${smiles}";ala-7\n`, 'csv');
    const listed = ligand('x', { kind: 'smiles', smiles: ` ${smiles}\n` });
    const keys = await keysOf(requestOf([line, cell, listed] as JobLigand[]));
    expect(keys[0]).to.match(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).to.equal(1);
    expect(
      await keyOf(ligand('x', { kind: 'smiles', smiles: `\u2003${smiles}` })),
      'refused later',
    ).not.to.equal(keys[0]);

    const flat = `${'program'.padEnd(20)}2D`;
    const sdf = `${molBlock('water')}> <price>\n7\n\n$$$$\n${molBlock('oxide', flat)}$$$$\n`;
    const [inLibrary] = await recordsIn(sdf, 'sdf');
    const alone = [
      await keyOfFile('one', molBlock('water')),
      await keyOfFile('two', `${molBlock('another title')}> <vendor>\nB\n\n$$$$\n`),
      await keyOfFile('three', molBlock('water').replaceAll('\n', '\r\n')),
    ];
    expect(new Set([...alone, await keyOf(inLibrary as JobLigand)]).size).to.equal(1);
  });

  it('tells structures of SD files apart by all that is read of them, and files that are not one record by their bytes', async () => {
    const solid = `${'program'.padEnd(20)}3D`;
    const texts = [
      ...[molBlock('a'), molBlock('a', '', 'N'), molBlock('a', solid), molBlock('a').replace('-2.5', ' 2.5')],
      ...[`${molBlock('a')}$$$$\n${molBlock('b')}$$$$\n`, `${molBlock('b')}$$$$\n${molBlock('a')}$$$$\n`],
      ...['no molecule', 'none, too'],
    ];
    const keys: unknown[] = [];
    for (const [index, text] of texts.entries()) keys.push(await keyOfFile(`f${String(index)}`, text));
    expect(new Set(keys).size).to.equal(texts.length);
    const { one } = file('gone', molBlock('a'));
    const [unread] = await keysOf(requestOf([one]), FACTS);
    expect(unread, 'what cannot be read is known by its digest').to.match(/^[0-9a-f]{64}$/);
    expect(keys).not.to.include(unread);
  });

  it('differs with everything on which the poses depend', async () => {
    const one = ligand('a');
    const given = { ...one.preparation, protonation: 'as_given' } as const;
    const keys = await Promise.all([
      keyOf(one),
      keyOf(one, { exhaustiveness: 9 }),
      keyOf(one, { numModes: 10 }),
      keyOf(one, { energyRangeKcalMol: 4 }),
      keyOf(one, { scoringFunction: 'vinardo' }),
      keyOf(one, { boxSizeAngstrom: [20, 20, 20] }),
      keyOf(one, { pocketLigandChain: 'A' }),
      ...(['accountId', 'cacheKey', 'toolchainSha256'] as const).map((name) =>
        keyOf(one, {}, { ...FACTS, [name]: 'another' }),
      ),
      keyOf(one, {}, { ...FACTS, effectiveSeed: 43 }),
      keyOf(ligand('a', { kind: 'smiles', smiles: 'CCO' })),
      keyOf(ligand('a', { kind: 'smiles', smiles: 'OCC' })),
      keyOf(ligand('a', { kind: 'ccd', componentId: 'EOH' })),
      keyOf(ligand('a', { kind: 'artifact', artifact: artifact('mol2') })),
      keyOf(ligand('a', { kind: 'artifact', artifact: artifact('pdbqt') })),
      keyOf({ ...one, preparation: { ...one.preparation, protonationPh: 7 } }),
      keyOf({ ...one, preparation: given }),
      keyOf({ ...one, preparation: { ...one.preparation, tautomer: 'likely' } }),
      keyOf({ ...one, preparation: { ...one.preparation, states: 'likely' } }),
      keyOf(record()),
      keyOf(record({ sha256: 'ef'.repeat(32) })),
      keyOf(record({ format: 'sdf' })),
      keyOf(record({ format: 'sdf', structureSha256: 'cd'.repeat(32) })),
    ]);
    for (const key of keys) expect(key).to.match(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).to.equal(keys.length);
    const lower = keyOf(ligand('a', { kind: 'ccd', componentId: 'eoh' }));
    expect(await lower).to.equal(await keyOf(ligand('b', { kind: 'ccd', componentId: 'EOH' })));
    const model = { ...one.preparation, protonation: 'model' } as const;
    expect(await keyOf({ ...one, preparation: model })).to.equal(keys[0]);
    const sent = { ...one.preparation, tautomer: 'as_sent' } as const;
    expect(await keyOf({ ...one, preparation: sent })).to.equal(keys[0]);
  });

  it('is none where no earlier result can stand for the ligand', async () => {
    expect(await keyOf(record({ fault: 'no SMILES' }))).to.equal(null);
    expect(await keyOf(record({ format: 'sdf', structureSha256: null })), 'of an older index').to.equal(null);
    expect(await keyOf(ligand('a'), { dryRun: true })).to.equal(null);
    expect(await keyOf(ligand('a'), {}, { ...FACTS, effectiveSeed: null })).to.equal(null);
  });

  it('leaves the names of all outputs but those of the ligand', () => {
    const outputName = (name: string, from: string, to: string): string =>
      dockingReuse.outputName(name, from, to);
    expect(outputName('ligands/old/poses.sdf', 'old', 'new')).to.equal('ligands/new/poses.sdf');
    expect(outputName('ligands/older/poses.sdf', 'old', 'new')).to.equal('ligands/older/poses.sdf');
    expect(outputName('box.json', 'old', 'new')).to.equal('box.json');
  });
});

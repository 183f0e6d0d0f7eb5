/** Ligand libraries are read as streams: the places of records, and every refusal of a library. */
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { isErrorCode } from '../../../src/domain/errors.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';
import type { LibraryFormat } from '../../../src/domain/requests.ts';
import type { LibraryEntry } from '../../../src/tools/ligand-library/library.ts';
import { LibraryColumns, lossWarnings } from '../../../src/tools/ligand-library/losses.ts';
import type { LibraryLosses } from '../../../src/tools/ligand-library/losses.ts';
import { LIBRARY_REFUSALS } from '../../../src/tools/ligand-library/codes.ts';
import { MOST_LIBRARY_BYTES } from '../../../src/tools/ligand-library/unpack.ts';
import { packedBomb } from '../../support/docking-ligands.ts';
import { refusalOf } from '../../support/refusals.ts';

const read = async (
  content: string | Uint8Array | Iterable<Uint8Array>,
  format: LibraryFormat,
): Promise<LibraryEntry[]> => {
  const chunks = typeof content === 'string' ? [Buffer.from(content)] : content;
  const entries: LibraryEntry[] = [];
  for await (const entry of readLibrary(chunks instanceof Uint8Array ? [chunks] : chunks, format))
    entries.push(entry);
  return entries;
};
const NO_LOSSES: LibraryLosses = { leftOut: [], cut: [], withoutColumn: [] };
const placed = (content: string, { start, end }: LibraryEntry): string =>
  Buffer.from(content).toString('utf8', start, end);
const tagsOf = ({ properties }: LibraryEntry): Record<string, string> => Object.fromEntries(properties);
const mol = (title: string, tags = '', atom = 'C'): string =>
  `${title}\n  Dockyard\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 ${atom}   0  0\nM  END\n${tags}`;

describe('a ligand library', () => {
  it('of SMILES has a record on each line, beside comments, blank lines, a heading and any line ends', async () => {
    const content =
      '\uFEFFsmiles name\r\n# drugs\r\nCCO ethanol\n\n  CC(=O)O\tacetic acid\r[NH4+]\nC[N+](C)C e\u0301';
    const found = await read(content, 'smi');
    expect(found.map((one) => [one.ligandId, one.label, one.line, placed(content, one)])).to.deep.equal([
      ['ethanol', 'ethanol', 3, 'CCO'],
      ['acetic-acid', 'acetic acid', 5, 'CC(=O)O'],
      ['ligand-3', 'ligand-3', 6, '[NH4+]'],
      ['e', 'e\u0301', 7, 'C[N+](C)C'],
    ]);
    expect(found.every(({ fault }) => fault === null)).to.equal(true);
  });

  it('as a table has its columns in any order, quotes and line breaks in cells, and keeps further columns', async () => {
    const content =
      'MW;Name;"Canonical_SMILES";note\n46;"ethyl; ""alcohol""\nabsolute";CCO;"a\tb"\n;;\n60;acid; "CC(=O)O" ;\n';
    const found = await read(content, 'csv');
    expect(found.map((one) => [one.ligandId, one.label, one.line, placed(content, one)])).to.deep.equal([
      ['ethyl-alcohol-absolute', 'ethyl; "alcohol" absolute', 2, 'CCO'],
      ['acid', 'acid', 5, 'CC(=O)O'],
    ]);
    expect(found.map(tagsOf)).to.deep.equal([{ MW: '46', note: 'a b' }, { MW: '60' }]);
    const tabs = 'CCO\tethanol\t46\nC\tmethane\n';
    const plain = await read(tabs, 'csv');
    expect(plain.map((one) => [one.ligandId, placed(tabs, one)])).to.deep.equal([
      ['ethanol', 'CCO'],
      ['methane', 'C'],
    ]);
    expect(plain.map(tagsOf)).to.deep.equal([{ 'column 3': '46' }, {}]);
  });

  it('as an SD file has records with their tags, and a last one without its end mark', async () => {
    const first = mol('first', '>  <logP> (1)\n1.2\n\n> <a <b>\nx\ny\n\n>  <logP>\n9\n\n');
    const content = `${first}$$$$\n${mol('')}$$$$\r\n\n \n`;
    const found = await read(content, 'sdf');
    expect(found.map((one) => [one.ligandId, one.line])).to.deep.equal([
      ['first', 1],
      ['ligand-2', 18],
    ]);
    expect(found.map((one) => `${placed(content, one)}\n`)).to.deep.equal([first, mol('')]);
    expect(found.map(tagsOf)).to.deep.equal([{ logP: '1.2', b: 'x y' }, {}]);
    expect(await read(mol('alone'), 'sdf')).to.have.length(1);
  });

  it('keeps of a record at most 32 further values of 256 characters', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const content = `smiles,${names.join(',')}\nC,${names.map(() => 'é'.repeat(5000)).join(',')}\n`;
    const [entry] = await read(content, 'csv');
    const values = [...(entry?.properties ?? [])];
    expect(values.map(([name]) => name)).to.deep.equal(names.slice(0, 32));
    expect(values.every(([, value]) => value === 'é'.repeat(256))).to.equal(true);
    expect(entry?.dropped).to.deep.equal({ leftOut: names.slice(32), cut: names.slice(0, 32) });
    const columns = new LibraryColumns();
    if (entry !== undefined) columns.add(entry);
    const { losses } = columns;
    expect(losses === null ? null : lossWarnings(losses)[0]?.message).to.equal(
      'A ligand keeps the first 32 further columns or tags that have a value; left out: p32, p33, p34, p35, p36 and 3 more. ' +
        'Values were cut after 256 characters in: p0, p1, p2, p3, p4 and 27 more.',
    );
    const [odd] = await read('smiles,__proto__,constructor\nC,1,2\n', 'csv');
    expect([...(odd?.properties ?? [])]).to.deep.equal([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it('says nothing of a loss where there is none, and names what tables have no column for', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const full = `smiles,${names.join(',')}\nC,${names.map((_, n) => (n < 8 ? '' : 'é'.repeat(256))).join(',')}\n`;
    const losses = (entries: readonly LibraryEntry[]): LibraryLosses | null => {
      const columns = new LibraryColumns();
      for (const entry of entries) columns.add(entry);
      return columns.losses;
    };
    expect(losses(await read(full, 'csv'))).to.equal(null);
    expect(losses(await read('C methane\n', 'smi'))).to.equal(null);
    const tags = (from: number): string =>
      Array.from({ length: 30 }, (_, n) => `> <t${from + n}>\n${n}\n\n`).join('');
    const records = Array.from({ length: 9 }, (_, n) => mol(`m${n}`, tags(30 * n)));
    expect(losses(await read(records.join('$$$$\n'), 'sdf'))).to.deep.equal({
      ...{ leftOut: [], cut: [] },
      withoutColumn: Array.from({ length: 14 }, (_, n) => `t${256 + n}`),
    });
    const many = Array.from({ length: 500 }, (_, n) => `> <t${n}>\n${n}\n\n`).join('');
    expect(lossWarnings(losses(await read(mol('many', many), 'sdf')) ?? NO_LOSSES)[0]?.message).to.match(
      /left out: t32, t33, t34, t35, t36 and at least 95 more\.$/,
    );
  });

  it('keeps the lines of a tag together, also where programs leave out the blank line behind them', async () => {
    const tags = '> <note>\nfirst\n second \n> <IC50>\n>50 <100 uM>\n\n> <empty>\n\n> <last>\nend\n';
    const [entry] = await read(mol('one', tags), 'sdf');
    expect(entry === undefined ? null : tagsOf(entry)).to.deep.equal({
      ...{ note: 'first second', IC50: '>50 <100 uM>', last: 'end' },
    });
  });

  it('tells what is wrong with one record of that record alone', async () => {
    const long = 'C'.repeat(4097);
    const smi = await read(`C a\n${long} b\nCé c\nC d\n`, 'smi');
    expect(smi.map(({ line, fault }) => [line, fault?.slice(0, 45) ?? null])).to.deep.equal([
      [1, null],
      [2, 'The record has a SMILES of 4097 characters; 4'],
      [3, 'The SMILES has blanks or letters that no SMIL'],
      [4, null],
    ]);
    const table = await read('smiles,name\n,a\nC C,b\n"C""C",c\n"C"C,d\n"C ",e\n', 'csv');
    expect(table.map(({ ligandId, fault }) => [ligandId, fault])).to.deep.equal([
      ['a', 'The record has no SMILES.'],
      ['b', 'The SMILES has blanks or letters that no SMILES has.'],
      ['c', 'The cell of the SMILES has quotes within.'],
      ['d', 'The cell of the SMILES has quotes within.'],
      ['e', null],
    ]);
    const sdf = await read(`no mol block\n$$$$\n${mol('good')}$$$$\n$$$$\n`, 'sdf');
    expect(sdf.map(({ ligandId, fault }) => [ligandId, fault === null])).to.deep.equal([
      ['no-mol-block', false],
      ['good', true],
      ['ligand-3', false],
    ]);
  });

  it('tells equal records by their structure, whatever their names and tags', async () => {
    const digests = async (content: string, format: LibraryFormat): Promise<string[]> =>
      (await read(content, format)).map((one) => one.structureSha256);
    const [a, b, c] = await digests('CCO a\nCCO b\nOCC c\n', 'smi');
    expect(a).to.match(/^[0-9a-f]{64}$/);
    expect(b).to.equal(a);
    expect(c).to.not.equal(a);
    expect((await digests('name,smiles\nx,CCO\n', 'csv'))[0], 'a SMILES of any format').to.equal(a);
    const molecules = [mol('x'), mol('y', '> <t>\n1\n\n').replaceAll('\n', '\r\n'), mol('z', '', 'O')];
    const [first, same, other] = await digests(molecules.map((one) => `${one}$$$$\n`).join(''), 'sdf');
    expect(same).to.equal(first);
    expect(other).to.not.equal(first);
  });

  it('may be packed with gzip, in one part or several, whatever its name', async () => {
    const content = 'CCO a\nC b\n';
    const parts = Buffer.concat([gzipSync('CCO a\n'), gzipSync('C b\n')]);
    for (const packed of [gzipSync(content), parts]) {
      const found = await read(packed, 'smi');
      expect(found.map((one) => [one.ligandId, placed(content, one)])).to.deep.equal([
        ['a', 'CCO'],
        ['b', 'C'],
      ]);
    }
  });

  const refused: Readonly<Record<string, readonly [LibraryFormat, string | Uint8Array, string, RegExp]>> = {
    'no record': ['smi', '# nothing\n\n', 'LIBRARY_EMPTY', /no record/],
    'headings alone': ['csv', 'smiles,name\n', 'LIBRARY_EMPTY', /no record/],
    'no byte': ['sdf', '', 'LIBRARY_EMPTY', /no record/],
    '10,001 records': [
      'smi',
      Array.from({ length: 10_001 }, () => 'C').join('\n'),
      'LIBRARY_TOO_LARGE',
      /more than 10000 records/,
    ],
    'a table without SMILES': [
      'csv',
      'Compound,Structure\nethanol,CCO\n',
      'LIBRARY_COLUMN_MISSING',
      /columns Compound, Structure, but none is smiles/,
    ],
    'a table of many columns without SMILES': [
      'csv',
      `${Array.from({ length: 30 }, (_, n) => `column ${n}`).join(',')}\n`,
      'LIBRARY_COLUMN_MISSING',
      /column 19 and 10 more/,
    ],
    'UTF-16 with its mark': ['smi', Buffer.from('\uFEFFC a', 'utf16le'), 'LIBRARY_UNREADABLE', /UTF-16/],
    'UTF-16 without a mark': ['csv', Buffer.from('smiles', 'utf16le'), 'LIBRARY_UNREADABLE', /UTF-16/],
    'UTF-16 of the other order': [
      'smi',
      Buffer.from('C a', 'utf16le').swap16(),
      'LIBRARY_UNREADABLE',
      /UTF-16/,
    ],
    'zero bytes': ['smi', `C a\n${'C'.repeat(100_000)}\0`, 'LIBRARY_UNREADABLE', /zero bytes/],
    'an archive that is cut off': [
      'smi',
      gzipSync('C a\n'.repeat(1000)).subarray(0, 30),
      'LIBRARY_UNREADABLE',
      /cannot be unpacked/,
    ],
    'an archive within an archive': [
      'smi',
      gzipSync(gzipSync('C a\n')),
      'LIBRARY_UNREADABLE',
      /with gzip twice/,
    ],
    'a quote that is never closed': [
      'csv',
      'smiles,name\nC,a\nC,"b\nc\n',
      'LIBRARY_UNREADABLE',
      /row of line 3 is never closed/,
    ],
    'a line of 10 MB': ['smi', `C a\nC ${'x'.repeat(10_000_000)}`, 'LIBRARY_RECORD_TOO_LARGE', /: Line 2 /],
    'a record of 10 MB': [
      'sdf',
      `${mol('a')}$$$$\n${mol('b', `> <t>\n${'x'.repeat(91)}\n\n`.repeat(100_000))}$$$$\n`,
      'LIBRARY_RECORD_TOO_LARGE',
      /record of line 8 /,
    ],
    'a row of 10 MB': [
      'csv',
      `smiles,name\nC,"${`${'x'.repeat(99)}\n`.repeat(100_000)}"`,
      'LIBRARY_RECORD_TOO_LARGE',
      /row of line 2 /,
    ],
    'a row of 2,000 columns': [
      'csv',
      `smiles\nC${','.repeat(2000)}\n`,
      'LIBRARY_RECORD_TOO_LARGE',
      /row of line 2 .*1024 columns/,
    ],
  };
  for (const [what, [format, content, code, message]] of Object.entries(refused))
    it(`is refused for ${what}`, async () => {
      const error = await refusalOf(read(content, format));
      expect(error).to.include({ code, status: 422 });
      expect(String(error)).to.match(message);
    });

  it('takes ten thousand records, also where all of them have one name', async () => {
    for (const name of [(n: number) => `m${n}`, () => 'm']) {
      const content = Array.from({ length: 10_000 }, (_, n) => `C ${name(n)}`).join('\n');
      expect(new Set((await read(content, 'smi')).map(({ ligandId }) => ligandId)).size).to.equal(10_000);
    }
  });

  it('gives an id a number where an earlier record has it, and tells which', async () => {
    const entries = await read('C ligand-2\nC\nC a+b\nO a/b\nN a-b\n', 'smi');
    const ids = ['ligand-2', 'ligand-2-2', 'a-b', 'a-b-2', 'a-b-3'];
    expect(entries.map(({ ligandId }) => ligandId)).to.deep.equal(ids);
    expect(entries.map(({ label }) => label)).to.deep.equal(['ligand-2', 'ligand-2-2', 'a+b', 'a/b', 'a-b']);
    const columns = new LibraryColumns();
    for (const entry of entries) columns.add(entry);
    expect(columns.losses).to.deep.equal({ ...NO_LOSSES, renamed: ['ligand-2-2', 'a-b-2', 'a-b-3'] });
    const [warning] = lossWarnings(columns.losses ?? NO_LOSSES);
    expect(warning?.code).to.equal('LIBRARY_NAME_REPEATED');
    expect(warning?.message).to.match(/a number behind it: ligand-2-2, a-b-2, a-b-3\.$/);
  });

  it('is refused while it is unpacked, once it is larger than a library may be, and keeps nothing of it', async function () {
    this.timeout(180_000);
    let asked = 0;
    const bomb = packedBomb();
    expect(bomb.byteLength).to.be.below(1_000_000);
    const before = process.memoryUsage().rss;
    const stored = function* (): Generator<Uint8Array> {
      for (let from = 0; from < bomb.byteLength; from += 10_000) {
        asked = from;
        yield bomb.subarray(from, from + 10_000);
      }
    };
    const error = await refusalOf(read(stored(), 'smi'));
    expect(error).to.include({ code: 'LIBRARY_TOO_LARGE' });
    expect(String(error)).to.include(`unpacked file has more than ${MOST_LIBRARY_BYTES} bytes`);
    expect(asked, 'the rest of the file is not read').to.be.below(bomb.byteLength * 0.9);
    expect(process.memoryUsage().rss - before, 'bytes').to.be.below(150_000_000);
  });

  it('passes on what the store throws, packed or not, and ends the reading of a library that is refused', async () => {
    const outage = new RangeError('the store is away');
    const cut = async function* (beginning: Uint8Array): AsyncGenerator<Uint8Array> {
      yield beginning;
      await Promise.reject(outage);
    };
    for (const content of [Buffer.from('C a\nC b\n'), gzipSync('C a\n').subarray(0, 20)]) {
      const chunks = cut(content);
      const reading = (async () => {
        for await (const entry of readLibrary(chunks, 'smi')) expect(entry.line).to.be.above(0);
      })();
      expect(await refusalOf(reading)).to.equal(outage);
    }
    let isClosed = false;
    const open = async function* (beginning: Uint8Array): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(beginning);
      } finally {
        isClosed = true;
      }
    };
    for (const content of ['C a\n', '\0\0']) {
      isClosed = false;
      const reading = (async () => {
        for await (const entry of readLibrary(open(Buffer.from(content)), 'smi'))
          expect(entry.ligandId).to.match(/^a/);
      })();
      expect(await refusalOf(reading)).to.have.property('code');
      expect(isClosed).to.equal(true);
    }
  });

  it('has a code for each refusal that is no code of the service, with words', () => {
    for (const [code, refusal] of Object.entries(LIBRARY_REFUSALS)) {
      expect(refusal.code).to.equal(code);
      expect(isErrorCode(code)).to.equal(false);
      expect(refusal.meaning).to.match(/\.$/);
      expect(refusal.advice).to.match(/\.$/);
    }
  });
});

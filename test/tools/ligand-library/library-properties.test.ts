/** Whatever a library holds, and however its bytes arrive, the index names the same records. */
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';
import fc from 'fast-check';

import { readLibrary } from '../../../src/tools/ligand-library/library.ts';
import type { LibraryFormat } from '../../../src/domain/requests.ts';
import type { LibraryEntry } from '../../../src/tools/ligand-library/library.ts';

/** A record as it was written. */
interface Written {
  readonly structure: string;
  readonly name: string;
  readonly note: string;
}

const smiles = fc
  .array(fc.constantFrom('C', 'c1ccccc1', '[NH3+]', '(=O)', 'Cl', '#N', '/C=C\\', '.'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => `C${parts.join('')}`);
const words = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', ' ', 'é', '😀', ',', ';', '"', '-', '+'),
  maxLength: 12,
});
const records = fc.array(fc.record({ structure: smiles, name: words, note: words }), {
  minLength: 1,
  maxLength: 12,
});
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** The number makes each id another one. */
const nameOf = ({ name }: Written, index: number): string => `m${index} ${name.trim()}`.trim();
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const molOf = (structure: string, name: string, note: string, end: string): string =>
  [
    ...[name, '  test', '', '  1  0  0  0  0  0  0  0  0  0999 V2000', structure, 'M  END'],
    ...(note.trim() === '' ? [] : ['>  <note>  (1) ', note, '']),
  ].join(end);

/** The text of a library in each format, and of each record the bytes that its place must have. */
const WRITERS: Readonly<
  Record<
    LibraryFormat,
    (written: readonly Written[], end: string) => { text: string; structures: readonly string[] }
  >
> = {
  smi: (written, end) => ({
    text: ['# made', ...written.map((one, n) => `${one.structure}\t${nameOf(one, n)}`), ''].join(end),
    structures: written.map(({ structure }) => structure),
  }),
  csv: (written, end) => ({
    text: [
      'note,smiles,name',
      ...written.map((one, n) =>
        [
          quoted(one.note),
          n % 2 === 0 ? one.structure : quoted(one.structure),
          quoted(nameOf(one, n)),
        ].join(),
      ),
    ].join(end),
    structures: written.map(({ structure }) => structure),
  }),
  sdf: (written, end) => {
    const structures = written.map((one, n) => molOf(one.structure, nameOf(one, n), one.note, end));
    return { text: structures.map((one) => `${one}${end}$$$$${end}`).join(''), structures };
  },
};

/** Cuts bytes anywhere. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (let turn = 0; from < bytes.byteLength; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function read(chunks: Iterable<Uint8Array>, format: LibraryFormat): Promise<LibraryEntry[]> {
  const entries: LibraryEntry[] = [];
  for await (const entry of readLibrary(chunks, format)) entries.push(entry);
  return entries;
}

describe('the index of a ligand library', () => {
  for (const format of ['smi', 'csv', 'sdf'] as const)
    it(`has the place, id and label of each record, packed or not and cut anywhere: ${format}`, async function () {
      this.timeout(240_000);
      const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(records, lineEnd, sizes, fc.boolean(), async (written, end, at, isPacked) => {
          const { text, structures } = WRITERS[format](written, end);
          const bytes = Buffer.from(text);
          const found = await read(cut(isPacked ? gzipSync(bytes) : bytes, at), format);
          expect(found.map((one) => bytes.toString('utf8', one.start, one.end))).to.deep.equal(structures);
          expect(found.map(({ smiles }) => smiles)).to.deep.equal(
            format === 'sdf' ? structures.map(() => null) : structures,
          );
          expect(found.map(({ label }) => label)).to.deep.equal(written.map(nameOf));
          expect(found.every(({ fault }) => fault === null)).to.equal(true);
          expect(new Set(found.map(({ ligandId }) => ligandId)).size).to.equal(written.length);
          for (const { ligandId } of found) expect(ligandId).to.match(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/);
          const lines = text.split(/\r\n|\r|\n/);
          for (const [index, { line }] of found.entries())
            expect(lines[line - 1]).to.include(format === 'sdf' ? `m${index}` : structures[index]);
          const notes = written.map(({ note }) => (format === 'smi' ? '' : note.trim()));
          expect(found.map(({ properties }) => properties.get('note') ?? '')).to.deep.equal(notes);
          for (const [index, { structureSha256 }] of found.entries())
            for (const [other, one] of found.entries())
              expect(one.structureSha256 === structureSha256).to.equal(
                written[index]?.structure === written[other]?.structure,
              );
        }),
        { numRuns: 60 },
      );
    });

  it('is the same however any bytes are cut, or the library is refused the same', async function () {
    this.timeout(240_000);
    const signs = fc.constantFrom(
      'C',
      ' ',
      '\n',
      '\r',
      ',',
      '"',
      '$$$$',
      'M  END',
      '> <a>',
      '#',
      'smiles',
      '\t',
      'é',
    );
    const texts = fc.array(signs, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));
    const formats = fc.constantFrom<LibraryFormat>('smi', 'csv', 'sdf');
    const outcome = async (chunks: Iterable<Uint8Array>, format: LibraryFormat): Promise<unknown> =>
      read(chunks, format).catch((error: unknown) => String(error));
    await fc.assert(
      fc.asyncProperty(texts, formats, fc.integer({ min: 1, max: 7 }), async (bytes, format, size) => {
        const whole = await outcome([bytes], format);
        expect(await outcome(cut(bytes, [size]), format)).to.deep.equal(whole);
        if (typeof whole === 'string') expect(whole).to.match(/^AppError/);
      }),
      { numRuns: 300 },
    );
  });
});

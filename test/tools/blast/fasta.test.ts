/** The reader of queries at submit: it refuses what the session would refuse, from what it sees. */
import { expect } from 'chai';

import CASES from '../../../science/blast/tests/query_cases.json' with { type: 'json' };
import { AppError } from '../../../src/domain/errors.ts';
import { checkQueries, MOST_QUERY_BYTES } from '../../../src/tools/blast/fasta.ts';
import type { Molecule } from '../../../src/tools/blast/fasta.ts';

function looked(text: string, molecule: Molecule, isWhole = true): number | null {
  const bytes = Buffer.from(text, 'utf8');
  return checkQueries({ bytes, isWhole, byteSize: bytes.byteLength }, molecule);
}

function refusalOf(act: () => unknown): { readonly code: string; readonly message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.publicMessage };
    throw error;
  }
  return expect.fail('nothing was refused');
}

describe('queries at submit', () => {
  for (const one of CASES) {
    it(`are read as the session reads them: ${one.name}`, () => {
      const bytes = Buffer.from(one.text, one.encoding === 'latin1' ? 'latin1' : 'utf8');
      const look = (): number | null =>
        checkQueries({ bytes, isWhole: true, byteSize: bytes.byteLength }, one.molecule as Molecule);
      if ('code' in one && one.code !== undefined) {
        expect(refusalOf(look)).to.deep.equal({ code: one.code, message: `sceneFile: ${one.message ?? ''}` });
      } else {
        expect(look()).to.equal(one.letters?.length);
      }
    });
  }

  it('are judged by whole records only where the file goes on', () => {
    expect(looked('>a\nMKV\n>b\nM?', 'prot', false)).to.equal(null);
    expect(looked('>a\nMKV\n>b', 'prot', false)).to.equal(null);
    expect(refusalOf(() => looked('>a\nM?\n>b\nMKV', 'prot', false)).code).to.equal('QUERY_INVALID');
  });

  it('are too large beyond the bound, whatever they begin with', () => {
    const beginning = { bytes: Buffer.from('>a\nMKV\n'), isWhole: false, byteSize: MOST_QUERY_BYTES + 1 };
    expect(refusalOf(() => checkQueries(beginning, 'prot')).code).to.equal('QUERY_TOO_LARGE');
    expect(refusalOf(() => looked(`>a\n${'M'.repeat(100_001)}\n`, 'prot')).code).to.equal('QUERY_TOO_LARGE');
  });
});

/** Cells of CSV: what spreadsheets would run is text, and numbers stay numbers. */
import { expect } from 'chai';

import { csvText } from '../../../src/domain/csv.ts';

describe('a cell of CSV', () => {
  it('is no formula, whatever a customer wrote', () => {
    for (const text of ['=1+1', '+A1', '-A1', '@SUM(A1)', '-1+2', '+1e', '-', '--1', '-1 ', '-1,5', '\t1'])
      expect(csvText(text).replace(/^"/, ''), text).to.match(/^'/);
    expect(csvText('=HYPERLINK("x","y")')).to.equal(`"'=HYPERLINK(""x"",""y"")"`);
  });

  it('keeps a number with its sign, so that a column of numbers can be calculated with', () => {
    for (const text of ['-0.53', '+1', '-1e-3', '-.5', '-2.', '7', '-12E+2'])
      expect(csvText(text), text).to.equal(text);
  });

  it('ends where it ends', () => {
    expect(csvText('2,4-D')).to.equal('"2,4-D"');
    expect(csvText('a "b"')).to.equal('"a ""b"""');
    expect(csvText('a\r\nb')).to.equal('"a\r\nb"');
    expect(csvText('')).to.equal('');
  });
});

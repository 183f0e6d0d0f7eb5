import { expect } from 'chai';

import { id, jobState, pence, someText, wholeNumber } from '../../../src/cli/arguments.ts';
import { facts, moment, pounds, printable, printableLines, table } from '../../../src/cli/table.ts';

describe('text of the command line', () => {
  it('aligns columns by their widest cell, numbers by their last digit, and leaves no blanks at the end', () => {
    const rows = [
      { name: 'a', count: 1, note: null },
      { name: 'longer', count: 1_000, note: 'x' },
    ];
    const text = table(
      [
        { title: 'NAME', value: (row) => row.name },
        { title: 'N', value: (row) => row.count, align: 'right' },
        { title: 'NOTE', value: (row) => row.note },
      ],
      rows,
    );
    expect(text).to.equal('NAME       N  NOTE\na          1  -\nlonger  1000  x\n');
    expect(
      facts([
        ['Account', 'x'],
        ['Id', 5],
      ]),
    ).to.equal('Account  x\nId       5\n');
  });

  it('keeps what others wrote from steering the terminal', () => {
    expect(printable('a\u001b[31mb\r\nc\u009b2Jd')).to.equal('a\ufffd[31mb\ufffd\ufffdc\ufffd2Jd');
    expect(printableLines('a\n  b\u001b[31m'), 'only lines are kept').to.equal('a\n  b\ufffd[31m');
  });

  it('writes money and time the same everywhere', () => {
    expect([pounds(0), pounds(5), pounds(123_456)]).to.deep.equal(['£0.00', '£0.05', '£1234.56']);
    expect(moment(new Date('2026-02-03T04:05:06.789Z'))).to.equal('2026-02-03 04:05:06Z');
    expect(moment(null)).to.equal(null);
  });
});

describe('arguments of the command line', () => {
  const refused = (read: () => unknown): boolean => {
    try {
      read();
      return false;
    } catch (error) {
      return error instanceof Error && error.message.startsWith('It is ');
    }
  };

  it('are whole amounts in their range', () => {
    expect([pence(0)('0'), pence(1)('1'), wholeNumber(1, 50)('50')]).to.deep.equal([0, 1, 50]);
    for (const text of [
      '',
      '-1',
      '1.5',
      '1e3',
      '0x10',
      ' 1',
      'ten',
      '٣',
      '100000001',
      '99999999999999999999',
    ])
      expect(
        refused(() => pence(0)(text)),
        text,
      ).to.equal(true);
    expect(refused(() => pence(1)('0'))).to.equal(true);
    expect(refused(() => wholeNumber(1, 50)('51'))).to.equal(true);
  });

  it('are ids, states and texts', () => {
    expect(id('01890A5D-AC96-774B-BCCE-B302099A8057')).to.equal('01890a5d-ac96-774b-bcce-b302099a8057');
    expect(jobState('partially-succeeded')).to.equal('PARTIALLY_SUCCEEDED');
    expect(someText(5)(' abc ')).to.equal('abc');
    expect(refused(() => id('7'))).to.equal(true);
    expect(refused(() => jobState('DONE'))).to.equal(true);
    for (const text of ['', '  ', 'abcdef', 'a\u001bb'])
      expect(
        refused(() => someText(5)(text)),
        text,
      ).to.equal(true);
  });
});

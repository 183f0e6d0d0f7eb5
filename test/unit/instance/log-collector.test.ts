import { expect } from 'chai';
import fc from 'fast-check';

import { LogCollector } from '../../../src/instance/log-collector.ts';

function takeAll(log: LogCollector): { text: string; places: number[] } {
  const places: number[] = [];
  let text = '';
  while (log.hasPending) {
    const piece = log.peek();
    places.push(piece.from);
    text += piece.bytes.toString('latin1');
    log.sent(piece);
  }
  return { text, places };
}

describe('the log of a task', () => {
  it('gives back what was printed, in order and without a gap, however it is taken', () => {
    const writes = fc.array(fc.record({ text: fc.string({ unit: 'binary-ascii' }), take: fc.boolean() }));
    fc.assert(
      fc.property(writes, (entries) => {
        const log = new LogCollector(1_000_000);
        let got = '';
        for (const { text, take } of entries) {
          log.write(Buffer.from(text, 'latin1'));
          if (take) got += takeAll(log).text;
        }
        got += takeAll(log).text;
        return got === entries.map(({ text }) => text).join('');
      }),
    );
  });

  it('keeps as much as its limit, then one note, and counts what was printed', () => {
    const log = new LogCollector(10);
    for (let index = 0; index < 100; index += 1) log.write(Buffer.from('abcdef'));
    const { text } = takeAll(log);
    expect(text).to.match(/^abcdefabcd\n\[dockyard: [^\n]*\]\n$/);
    expect(log.printedBytes).to.equal(600);
    log.write(Buffer.from('more'));
    expect(log.hasPending).to.equal(false);
  });

  it('goes in pieces of at most one mebibyte, each with its place', () => {
    const log = new LogCollector(8 * 2 ** 20);
    log.write(Buffer.alloc(2.5 * 2 ** 20));
    expect(takeAll(log).places).to.deep.equal([0, 2 ** 20, 2 * 2 ** 20]);
  });

  it('a piece that did not arrive is given again, with what was printed since', () => {
    const log = new LogCollector(100);
    log.write(Buffer.from('one'));
    log.peek();
    log.write(Buffer.from('two'));
    expect(log.peek()).to.deep.equal({ from: 0, bytes: Buffer.from('onetwo') });
  });
});

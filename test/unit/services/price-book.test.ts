import { expect } from 'chai';

import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { displayPence } from '../../../src/services/prices/quotes.ts';

describe('price book', () => {
  it('is valid, dated and names its sources', () => {
    const book = loadPriceBook();
    expect(Object.keys(book.origins)).to.include.members([
      'instanceTypes',
      'startFeeMicroUsd',
      'tools.autodock-vina',
    ]);
    const { licences: _licences, ...origins } = book.origins;
    expect(() => loadPriceBook({ ...book, origins })).to.throw('no origins of licences');
    expect(Date.parse(book.date)).to.be.a('number').above(0);
    expect(book.fx.source).to.not.equal('');
  });

  it('stops the start when an entry is wrong, and names it', () => {
    const book = structuredClone(loadPriceBook());
    expect(() => loadPriceBook({ ...book, startFeeMicroUsd: 0.5 })).to.throw('startFeeMicroUsd');
    expect(() => loadPriceBook({ ...book, fx: { ...book.fx, usdToGbpMicro: 0 } })).to.throw('usdToGbpMicro');
    expect(() => loadPriceBook({ ...book, surprise: 1 })).to.throw('surprise');
  });

  it('shows pence as people read them', () => {
    expect([0, 5, 42, 100, 123456, -7].map(displayPence)).to.deep.equal([
      '£0.00',
      '£0.05',
      '£0.42',
      '£1.00',
      '£1234.56',
      '-£0.07',
    ]);
  });
});

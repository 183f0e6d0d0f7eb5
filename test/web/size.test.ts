/** The weight of the app: what a browser loads before it shows the first page. */
import { expect } from 'chai';

import { weighApp } from '../support/app-weight.ts';

describe('the built app', () => {
  it('is at most 200 kB of scripts and 20 kB of styles on its heaviest page', () => {
    const { pages, styles } = weighApp();
    expect(pages.size).to.be.greaterThan(5);
    for (const [page, bytes] of pages) expect(bytes, page).to.be.lessThan(200_000);
    expect(styles).to.be.lessThan(20_000);
  });
});

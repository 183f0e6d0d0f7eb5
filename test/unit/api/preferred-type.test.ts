import { expect } from 'chai';

import { preferredType } from '../../../api/http/preferred-type.ts';

describe('the preferred media type', () => {
  const of = (accept?: string): string => preferredType(accept, ['application/json', 'text/csv']);

  it('is the one with the highest weight, the first where they are equal or none is named', () => {
    expect(of()).to.equal('application/json');
    for (const json of [
      '*/*',
      'application/json',
      'text/html',
      'text/csv;q=0.5, application/json',
      'text/csv;q=0',
      'text/csv;q=x',
    ])
      expect(of(json), json).to.equal('application/json');
    for (const csv of [
      'text/csv',
      'TEXT/CSV; charset=utf-8',
      'text/*',
      'application/json;q=0.1, text/csv;q=0.2',
      'text/csv, */*;q=0.1',
    ])
      expect(of(csv), csv).to.equal('text/csv');
  });
});

import { expect } from 'chai';

import { loadPart } from '../../../src/config.ts';

const NAME = 'OTEL_EXPORTER_OTLP_HEADERS';
const read = (value: string): string =>
  loadPart('gateway', ['tracesHeaders'], { [NAME]: value }).tracesHeaders;

describe('the headers for a collector', () => {
  it('are a list of names and values', () => {
    for (const value of ['', 'x-key=k', 'authorization=Basic%20dXNlcg==,x-a=b'])
      expect(read(value)).to.equal(value);
  });

  it('are refused in another form, by a message that does not show them', () => {
    for (const value of ['secret', 'a=secret,b', 'a=%secret', 'a=the secret'])
      expect(() => read(value))
        .to.throw(NAME)
        .with.property('message')
        .that.does.not.contain('secret');
  });
});

/** What commands on batches take: conditions on results, failure codes, and when a batch stops early. */
import { expect } from 'chai';

import { failureCodes } from '../../../src/cli/customer/docking/batch.ts';
import { reuse, stopAfter } from '../../../src/cli/customer/docking/start-batch.ts';
import { filterOf, sortReader, whereReader } from '../../../src/cli/customer/docking/where.ts';
import type { Conditions } from '../../../src/cli/customer/docking/where.ts';

const read = (...texts: readonly string[]): Conditions =>
  texts.reduce<Conditions>((before, text) => whereReader(text, before), {});

describe('conditions on results', () => {
  it('are fields of the API, put together', () => {
    expect(
      read(
        ...['affinity<=-8.5', 'status = failed', 'warning=stereo_unspecified', 'label=CHEMBL = 1'],
        ...['interaction=Hydrogen-Bond:A:GLN725', 'interaction=salt_bridge:_:ASP-5B'],
      ),
    ).to.deep.equal({
      affinityAtMost: -8.5,
      status: 'FAILED',
      warning: 'STEREO_UNSPECIFIED',
      label: 'CHEMBL = 1',
      interaction: ['hydrogen_bond:A:GLN725', 'salt_bridge:_:ASP-5B'],
    });
    const where = read('interaction=hydrogen_bond:A:GLN725', 'interaction=hydrogen_bond:A:ARG766');
    expect(filterOf({ where, maxMissing: 1, sort: sortReader('ligand-id') })).to.deep.equal({
      ...where,
      ...{ maxMissing: 1, sort: 'ligandId' },
    });
    expect([sortReader('id'), sortReader('Efficiency')]).to.deep.equal(['ligandId', 'efficiency']);
  });

  it('are refused with what would be right', () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['affinity'], 'the fields are affinity, status, warning, label, interaction'],
      [['charge=1'], 'the fields are'],
      [['affinity<-8'], 'Write affinity<=-8'],
      [['affinity>=-8'], 'only bounded from above'],
      [['affinity<=low'], 'a number in kcal/mol'],
      [['status<=FAILED'], 'Write status=FAILED'],
      [['status=DONE'], 'PENDING, RUNNING, SUCCEEDED'],
      [['warning=not good'], 'dockyard explain'],
      [['label='], 'A label begins with'],
      [['interaction=hbond:A:GLN725'], 'The types are hydrogen_bond'],
      [['interaction=hydrogen_bond:GLN725'], 'type:chain:residue'],
      [['status=FAILED', 'status=RUNNING'], 'has a condition already'],
      [Array.from({ length: 8 }, (_, at) => `interaction=hydrophobic:A:LEU${at}`), 'At most 7'],
    ];
    for (const [texts, message] of wrong) expect(() => read(...texts), texts.join(' ')).to.throw(message);
    expect(() => filterOf({ maxMissing: 0 })).to.throw('name some with --where interaction');
    const where = read('interaction=hydrophobic:A:LEU1');
    expect(() => filterOf({ where, maxMissing: 1 })).to.throw('needs none of them');
    expect(() => sortReader('rank')).to.throw('It is one of');
  });
});

describe('options of batches', () => {
  it('are numbers and words in the bounds of the API', () => {
    expect(stopAfter('100:1000')).to.deep.equal({ topN: 100, unchangedFor: 1000 });
    for (const text of ['', '100', '0:5', '5:0', '1001:5', '5:10001', 'a:b', '1:2:3'])
      expect(() => stopAfter(text), text).to.throw('It is how many of the best');
    expect([reuse('never'), reuse('Verified')]).to.deep.equal(['never', 'verified']);
    expect(() => reuse('always')).to.throw('verified or never');
    expect(failureCodes('engine_timeout, ENGINE_CRASHED,ENGINE_TIMEOUT')).to.deep.equal([
      ...['ENGINE_TIMEOUT', 'ENGINE_CRASHED'],
    ]);
    for (const text of ['', 'A', 'ENGINE TIMEOUT', ','])
      expect(() => failureCodes(text), text).to.throw('It is');
  });
});

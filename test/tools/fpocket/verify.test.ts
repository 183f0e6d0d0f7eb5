import { expect } from 'chai';

import { verifyPockets } from '../../../src/tools/fpocket/verify.ts';
import { readsTexts } from '../../support/read-outputs.ts';
import { pocketOf, pqr, reported, SELECTED, tableOf, written } from './outputs.ts';
import type { Odd, Texts } from './outputs.ts';

const fault = (texts: Texts, outputs = reported(texts)): Promise<string | null> =>
  verifyPockets(
    'task',
    outputs,
    readsTexts((name) => texts[name] ?? expect.fail(`${name} was not written`)),
  );
const lie = (odd: Odd): Promise<string | null> => fault(written(2, odd));
const without = (texts: Texts, name: string): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([other]) => other !== name));

describe('fpocket: outputs are read before they count', () => {
  it('takes what a session writes, also when there is no pocket', async () => {
    expect(await fault(written(2))).to.equal(null);
    expect(await fault(written(0))).to.equal(null);
    expect(await fault(written(1))).to.equal(null);
  });

  it('takes a selection so small that the program wrote no structure, and no other without one', async () => {
    const files = JSON.parse(written(0)['pockets.json'] ?? '') as { files: Record<string, string> };
    const { 'fpocket_out.pdb': _whole, ...rest } = files.files;
    const tiny = without(written(0, { report: { files: rest } }), 'fpocket_out.pdb');
    expect(await fault(tiny)).to.equal(null);
    expect(await fault(without(written(1), 'fpocket_out.pdb'))).to.include('fpocket_out.pdb is missing');
  });

  it('misses a file, and finds one that does not belong there', async () => {
    const good = written(2);
    for (const name of Object.keys(good)) expect(await fault(without(good, name)), name).to.include(name);
    expect(await fault({ ...good, 'pockets/pocket3_atm.pdb': 'END\n' })).to.include('pocket3_atm.pdb');
    expect(await fault({ ...good, 'view.pml': 'quit' })).to.include('view.pml');
    const [first, ...others] = reported(good);
    if (first === undefined) return expect.fail('nothing was written');
    expect(await fault(good, [{ ...first, kind: 'log' }, ...others])).to.include('pockets.json');
    return expect(await fault(good, [first, first, ...others])).to.include('not expected');
  });

  it('finds a file that the report is not about', async () => {
    for (const name of Object.keys(written(2)).filter((each) => each !== 'pockets.json')) {
      const texts = { [name]: `${written(2)[name] ?? ''}\n` };
      expect(await lie({ texts, agrees: false }), name).to.include(`${name} is not the file`);
    }
    const more = { ...written(2) };
    const files = {
      ...(JSON.parse(more['pockets.json'] ?? '') as { files: object }).files,
      other: 'a'.repeat(64),
    };
    expect(await lie({ report: { files } })).to.include('other files');
  });

  it('finds ranks and counts that cannot be', async () => {
    expect(await lie({ pocket: { rank: 2 } })).to.include('counted from 1');
    expect(await lie({ report: { pocketsFound: 3 } })).to.include('2 of 3');
    expect(await lie({ report: { pocketsFound: 1 } })).to.include('2 of 1');
    expect(await lie({ report: { maxPockets: 21 } })).to.include('maxPockets');
    expect(await lie({ report: { maxPockets: 1 } })).to.include('1 were asked for');
    expect(await lie({ pocket: { alphaSphereCount: 2 } })).to.include('number of alpha spheres');
    expect(await lie({ report: { selected: { ...SELECTED, atoms: 9 } } })).to.include('8 atoms');
  });

  it('finds numbers that are none, and fields that no report has', async () => {
    for (const score of ['0.5', null, 1e400]) {
      expect(await lie({ pocket: { score } }), String(score)).to.include('score');
    }
    const infinite = written(2)['pockets.json']?.replace('"score":0.5', '"score":1e999') ?? '';
    expect(await fault({ ...written(2), 'pockets.json': infinite })).to.include('no report');
    expect(await lie({ pocket: { extra: 1 } })).to.include('extra');
    expect(await lie({ report: { schema: 'dockyard.pockets.result/v2' } })).to.include('schema');
    expect(await fault({ ...written(2), 'pockets.json': '{' })).to.include('no report');
  });

  it('computes centre and box anew, because customers dock into them', async () => {
    const sphere = pocketOf(1, [[1, 2, 3, 3.5, true]]);
    expect(await lie({ pocket: { centerAngstrom: [12, 2, 4] } })).to.include('another centre of pocket 1');
    expect(await lie({ pocket: { box: sphere['box'] } })).to.include('another box of pocket 1');
    const huge = { centerAngstrom: [16, 2, 3.25], sizeAngstrom: [38, 400, 18] };
    expect(await lie({ pocket: { box: huge } })).to.include('sizeAngstrom');
  });

  it('finds spheres and atoms in the files that are not those of the report', async () => {
    const other = pqr([
      [1, 2, 3, 3.5, true],
      [4, 2, 3.5, 4.05, true],
      [31, 2, 3, 3.9, true],
    ]);
    expect(await lie({ texts: { 'pockets/pocket1_vert.pqr': other } })).to.include('other spheres');
    expect(await lie({ texts: { 'pockets/pocket2_vert.pqr': pqr([]) } })).to.include('other spheres');
    expect(await lie({ texts: { 'pockets/pocket1_atm.pdb': 'TER\nEND\n' } })).to.include('0 atoms');
    expect(await lie({ pocket: { alphaSpheres: [1, 2, 3] } })).to.include('/pockets/0/alphaSpheres/0 must');
  });

  it('finds a table with other numbers, or with a formula', async () => {
    const table = written(2)['pockets.csv'] ?? '';
    const change = (from: string, to: string): Promise<string | null> =>
      lie({ texts: { 'pockets.csv': table.replace(from, to) } });
    expect(await change('1,0.5,', '1,0.6,')).to.include('pocket 1');
    expect(await change('A:ALA1', '=HYPERLINK("x")')).to.include('pocket 1');
    expect(await change('A:ALA2', '@SUM(A1)')).to.include('pocket 2');
    expect(await change('A:ALA1', 'A:ALA1 B:GLY2')).to.include('pocket 1');
    expect(await change('rank,score', 'rank,Score')).to.include('columns');
    expect(await lie({ texts: { 'pockets.csv': tableOf([]) } })).to.include('0 rows');
  });
});

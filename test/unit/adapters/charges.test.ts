/**
 * The Python process that computes charges fails: the preview then has no charge, no caller waits, and no process is
 * left behind.
 */
import { expect } from 'chai';

import { createChargeModel } from '../../../src/adapters/chemistry/charges.ts';
import type { ChargeModel } from '../../../src/adapters/chemistry/chemistry.ts';

const SOURCE = { kind: 'smiles', smiles: 'CCO' } as const;
const READY = `console.log('{"ready":true}');`;
const EACH_LINE = `require('readline').createInterface({ input: process.stdin }).on('line',`;
const GOOD = `{"charge":-1,"smiles":"CC[O-]","warnings":[{"code":"A","message":"b"}]}`;

describe('the model of charges', () => {
  const open: ChargeModel[] = [];
  let warned = 0;
  const modelOf = (program: string | null, limitMs = 5_000): ChargeModel => {
    const command = program === null ? null : { file: process.execPath, args: ['-e', program], env: {} };
    const model = createChargeModel({ command, limitMs, log: { warn: () => void (warned += 1) } });
    open.push(model);
    return model;
  };
  beforeEach(() => {
    warned = 0;
  });
  after(async () => {
    for (const model of open) await model.close();
  });

  it('answers each question in turn, and gives the process nothing of our environment', async () => {
    const told = `JSON.stringify({ charge: JSON.parse(l).ph, smiles: Object.keys(process.env).join(), warnings: [] })`;
    const model = modelOf(`${READY}${EACH_LINE} (l) => console.log(${told}))`);
    const answers = await Promise.all([1, 2, 3].map((ph) => model.chargeAt(SOURCE, ph)));
    expect(answers.map((answer) => answer?.ok === true && answer.charge)).to.deep.equal([1, 2, 3]);
    for (const answer of answers) expect(answer?.ok === true && answer.smiles).to.equal('');
  });

  it('hands on charges, warnings and refusals', async () => {
    const model = modelOf(`${READY}${EACH_LINE} () => console.log('${GOOD}'))`);
    expect(await model.chargeAt(SOURCE, 7.4)).to.deep.equal({ ok: true, ...JSON.parse(GOOD) });
    const refusal = `{"code":"LIGAND_TOO_LARGE","message":"m"}`;
    const other = modelOf(`${READY}${EACH_LINE} () => console.log('${refusal}'))`);
    expect(await other.chargeAt(SOURCE, 7.4)).to.deep.equal({ ok: false, ...JSON.parse(refusal) });
  });

  it('has no answer where it is not installed, does not start, dies, hangs or talks nonsense', async () => {
    expect(await modelOf(null).chargeAt(SOURCE, 7.4)).to.equal(null);
    expect(warned).to.equal(0);
    const broken = [
      'process.exit(3)',
      `${READY}${EACH_LINE} () => process.exit(3))`,
      `${READY}${EACH_LINE} () => console.log('nonsense'))`,
      `${READY}${EACH_LINE} () => console.log('{"charge":"1"}'))`,
    ];
    for (const program of broken)
      expect(await modelOf(program).chargeAt(SOURCE, 7.4), program).to.equal(null);
    expect(await modelOf(`${READY}${EACH_LINE} () => undefined)`, 200).chargeAt(SOURCE, 7.4)).to.equal(null);
    expect(warned).to.equal(broken.length + 1);
  });

  it('starts another process after one that failed over a ligand, and rests after one that did not start', async () => {
    const once = `${READY}${EACH_LINE} (l) => JSON.parse(l).ph === 0 ? process.exit(1) : console.log('${GOOD}'))`;
    const model = modelOf(once);
    expect(await model.chargeAt(SOURCE, 0)).to.equal(null);
    expect((await model.chargeAt(SOURCE, 7.4))?.ok).to.equal(true);
    const dead = modelOf('process.exit(3)');
    await dead.chargeAt(SOURCE, 7.4);
    const before = warned;
    for (let round = 0; round < 20; round += 1) expect(await dead.chargeAt(SOURCE, 7.4)).to.equal(null);
    expect(warned, 'no process was started, so none has failed').to.equal(before);
  });
});

/** RDKit in its thread: what RDKit reads, draws and refuses, and that no molecule holds the thread up. */
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

import { expect } from 'chai';

import type { Molecules, Structure } from '../../../src/adapters/chemistry/chemistry.ts';
import { foldName } from '../../../src/adapters/chemistry/dictionary.ts';
import { createMolecules } from '../../../src/adapters/chemistry/molecules.ts';
import { isPlainSvg } from '../../../src/adapters/chemistry/svg.ts';

/** Fragments that RDKit compares with each other for many seconds. */
const SLOW = `${'C1CC1.'.repeat(24_000)}C`;
/** A chain over which the stack of the module overflows, which breaks the module. */
const BREAKING = 'C'.repeat(4_000);

describe('molecules', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-molecules-'));
  const open: Molecules[] = [];
  const moleculesOf = (options: Partial<Parameters<typeof createMolecules>[0]> = {}): Molecules => {
    const molecules = createMolecules({ dictionary: '', ...options });
    open.push(molecules);
    return molecules;
  };
  let molecules: Molecules;
  before(() => {
    molecules = moleculesOf();
  });
  after(async () => {
    for (const each of open) await each.close();
    rmSync(folder, { recursive: true });
  });

  const drawn = async (smiles: string): Promise<Structure> => {
    const answer = await molecules.draw({ kind: 'smiles', smiles });
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.structure;
  };

  it('have one canonical SMILES, formula and charge, however they are written', async () => {
    const cases: [string, string, string, number][] = [
      ['C1=CC=CC=C1O', 'Oc1ccccc1', 'C6H6O', 0],
      ['CC(=O)[O-].[Na+]', 'CC(=O)[O-].[Na+]', 'C2H3NaO2', 0],
      ['[O-]C(C)=O', 'CC(=O)[O-]', 'C2H3O2-', -1],
      ['[Zn+2]', '[Zn+2]', 'Zn+2', 2],
      ['[2H]C(Cl)(Cl)Cl', '[2H]C(Cl)(Cl)Cl', 'CHCl3', 0],
      ['[H]/N=C(/N)c1ccccc1', 'N=C(N)c1ccccc1', 'C7H8N2', 0],
      ['C[C@H](N)C(=O)O', 'C[C@H](N)C(=O)O', 'C3H7NO2', 0],
      ['OS(O)(=O)=O', 'O=S(=O)(O)O', 'H2O4S', 0],
    ];
    for (const [written, smiles, formula, formalCharge] of cases)
      expect(await drawn(written), written).to.include({ smiles, formula, formalCharge });
  });

  it('are drawn as one plain SVG of a fixed size', async () => {
    for (const smiles of [
      'CC(=O)Oc1ccccc1C(=O)O',
      'C[C@H](N)C(=O)[O-]',
      '[Na+].[Cl-]',
      'C',
      '*C',
      '[CH3:7]C',
    ]) {
      const { svg } = await drawn(smiles);
      expect(svg, smiles)
        .to.match(/^<svg [^>]*width='320px' height='240px'/)
        .and.match(/<\/svg>$/);
      expect(isPlainSvg(svg), smiles).to.equal(true);
    }
  });

  it('are refused with the reason when they are no molecule', async () => {
    const cases: [string, string][] = [
      ['c1ccccc', 'unclosed ring'],
      ['C(C)(C)(C)(C)C', 'valence for atom 1 C, 5,'],
      ['c1ccnc1C', 'fit the aromatic atoms 1, 2, 3, 4, 5; if a nitrogen there has a hydrogen, write [nH]'],
      ['Cc', 'atom 2 marked aromatic'],
      ['aspirin', 'syntax error'],
      ['', 'no complete molecule'],
      ['CC>>CC', 'syntax error'],
    ];
    for (const [smiles, reason] of cases) {
      const answer = await molecules.draw({ kind: 'smiles', smiles });
      expect(answer.ok, smiles).to.equal(false);
      expect(answer.ok ? '' : answer.fault.message, smiles).to.contain(reason);
      expect(answer.ok ? '' : answer.fault.code).to.equal('LIGAND_PARSE_FAILED');
    }
  });

  it('of more atoms than anybody could see are not drawn', async () => {
    const answer = await molecules.draw({ kind: 'smiles', smiles: 'C'.repeat(512) });
    expect(answer).to.have.nested.property('fault.code', 'LIGAND_TOO_LARGE');
  });

  it('that take too long are given up, and the next is drawn', async () => {
    const impatient = moleculesOf({ limitMs: 1_000 });
    const answer = await impatient.draw({ kind: 'smiles', smiles: SLOW });
    expect(answer).to.deep.include({ ok: false });
    expect(answer.ok ? '' : answer.fault.code).to.equal('LIGAND_PREPARATION_TIMEOUT');
    expect((await impatient.draw({ kind: 'smiles', smiles: 'C' })).ok).to.equal(true);
  });

  it('are not blamed for a machine that is busy: its callers are told to come again', async () => {
    const answers: number[] = [];
    // A thread that waits for the processor takes no time of it.
    const usedMs = (): Promise<number> => Promise.resolve(answers.push(0) * 0);
    const busy = moleculesOf({ limitMs: 1, patienceMs: 1_500, usedMs });
    expect((await busy.draw({ kind: 'smiles', smiles: 'CCO' })).ok).to.equal(true);
    const error: unknown = await busy
      .draw({ kind: 'smiles', smiles: SLOW })
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 2 });
    expect(answers, 'looks at the thread').to.not.be.empty;
    expect((await busy.draw({ kind: 'smiles', smiles: 'C' })).ok).to.equal(true);
  });

  it('that break the module are refused, and the next is drawn', async () => {
    const answer = await molecules.draw({ kind: 'smiles', smiles: BREAKING });
    expect(answer).to.have.nested.property('fault.message').that.contains('too complex');
    expect((await molecules.draw({ kind: 'smiles', smiles: 'C' })).ok).to.equal(true);
  });

  it('wait in a bounded row', async () => {
    const short = moleculesOf({ mostWaiting: 2 });
    const asked = Array.from({ length: 6 }, () => short.draw({ kind: 'smiles', smiles: 'CCO' }));
    const ends = await Promise.allSettled(asked);
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused.map(({ code, status }) => [code, status])).to.deep.equal(
      refused.map(() => ['SERVICE_UNAVAILABLE', 503]),
    );
    expect(refused.length).to.be.within(3, 4);
  });

  it('leave no memory behind: hundreds take the room of one', async () => {
    for (let round = 0; round < 100; round += 1) await drawn('CC(=O)Oc1ccccc1C(=O)O');
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 200; round += 1) await drawn('CC(=O)Oc1ccccc1C(=O)O');
    expect(process.memoryUsage().rss - before).to.be.lessThan(30_000_000);
  });

  it('of no dictionary are not found', async () => {
    for (const dictionary of ['', join(folder, 'none')])
      expect(await moleculesOf({ dictionary }).findComponents('AIN', 'id'), dictionary).to.equal(null);
  });

  it('of the dictionary keep charge and stereo of their coordinates', async () => {
    const path = join(folder, 'small.sqlite');
    const database = new DatabaseSync(path);
    database.exec(
      'create table component (id text primary key, data blob not null); create table name (folded, id, synonym)',
    );
    const add = database.prepare('insert into component values (?, ?)');
    const record = {
      charges: [0, 0, 0, 0, 0],
      names: [],
      leaving: '',
      aromatic: '',
      parent: null,
      model: null,
    };
    const atoms = { name: 'ONE  HAND', elements: ['C', 'F', 'Cl', 'Br', 'H'] };
    const bonds = [1, 2, 3, 4].map((atom) => [0, atom, 'SING']);
    const corners = [0, 0, 0, 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1].map((place) => place * 1000);
    const mirrored = corners.map((place, index) => (index % 3 === 0 ? -place : place));
    for (const [id, ideal] of [['L', corners] as const, ['R', mirrored] as const])
      add.run(id, deflateSync(JSON.stringify({ ...record, ...atoms, bonds, ideal })));
    const ion = { ...record, name: 'ION', elements: ['Zn'], charges: [2], bonds: [], ideal: null };
    add.run('ZN', deflateSync(JSON.stringify(ion)));
    database.close();

    const dictionary = moleculesOf({ dictionary: path });
    const of = async (componentId: string) => {
      const answer = await dictionary.draw({ kind: 'ccd', componentId });
      return answer.ok ? answer.structure : null;
    };
    const hands = [await of('L'), await of('R')].map((structure) => structure?.smiles);
    expect(hands.toSorted()).to.deep.equal(['F[C@@H](Cl)Br', 'F[C@H](Cl)Br'].toSorted());
    expect(await of('ZN')).to.include({ smiles: '[Zn+2]', formula: 'Zn+2', formalCharge: 2 });
    expect(await dictionary.findComponents('l', 'id')).to.deep.equal({
      components: [{ componentId: 'L', name: 'ONE HAND', synonym: null }],
      isExact: true,
      isCut: false,
    });
    expect(await dictionary.draw({ kind: 'ccd', componentId: 'QQQ' })).to.deep.include({ ok: false });
  });

  it('have names that are compared without case, accents and punctuation', () => {
    expect(foldName('2-(Acetyloxy)benzoïc  acid')).to.equal('2 acetyloxy benzoic acid');
    expect(foldName("ADENOSINE-5'-TRIPHOSPHATE")).to.equal(foldName('adenosine 5 triphosphate'));
    expect(foldName('α-D-glucose')).to.equal('alpha d glucose');
    expect(foldName('阿司匹林 😀')).to.equal('');
  });
});

describe('a plain SVG', () => {
  const head = "<svg width='1px' height='1px'>";
  it('has a size and shapes, and nothing that runs or is loaded', () => {
    expect(isPlainSvg(`${head}<path d='M 0 0'/></svg>`)).to.equal(true);
    const bad = [
      '<script>1</script>',
      "<path onload='x()'/>",
      "<image href='x'/>",
      "<a xlink:href='x'/>",
      "<rect style='fill:url(http://x)'/>",
      '<foreignObject/>',
      '<!ENTITY x>',
      '&x;',
      '<style>@import x</style>',
    ];
    for (const part of bad) expect(isPlainSvg(`${head}${part}</svg>`), part).to.equal(false);
    expect(isPlainSvg('<svg></svg>')).to.equal(false);
    expect(isPlainSvg("<?xml version='1.0'?><svg/>")).to.equal(false);
  });
});

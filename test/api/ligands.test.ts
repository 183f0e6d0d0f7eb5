/**
 * Ligands that are looked up by their names, as a chemist reads the answers; confirmations of such ligands in submits
 * and estimates.
 */
import { expect } from 'chai';

import { loadConfig } from '../../src/config.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { NOTHING, noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The first candidate of a query, and its charge at pH 7.4. */
interface Expected {
  readonly source: string;
  readonly formula: string;
  readonly charge: number | null;
  readonly warning?: string;
}

const FOUND: Readonly<Record<string, Expected>> = {
  aspirin: { source: 'AIN', formula: 'C9H8O4', charge: -1 },
  caffeine: { source: 'CFF', formula: 'C8H10N4O2', charge: 0 },
  STI: { source: 'STI', formula: 'C29H31N7O', charge: 1 },
  imatinib: { source: 'STI', formula: 'C29H31N7O', charge: 1 },
  NADPH: { source: 'NDP', formula: 'C21H30N7O17P3', charge: -4 },
  heme: { source: 'HEM', formula: 'C34H32FeN4O4', charge: null, warning: 'LIGAND_UNSUPPORTED_ATOM' },
  'vitamin C': { source: 'ASC', formula: 'C6H8O6', charge: -1 },
  glucose: { source: 'BGC', formula: 'C6H12O6', charge: 0 },
  water: { source: 'HOH', formula: 'H2O', charge: 0 },
  zinc: { source: 'ZN', formula: 'Zn+2', charge: null, warning: 'LIGAND_UNSUPPORTED_ATOM' },
  benzamidine: { source: 'BEN', formula: 'C7H8N2', charge: 1 },
  ben: { source: 'BEN', formula: 'C7H8N2', charge: 1 },
  '  Benzoïc  ACID ': { source: 'BEZ', formula: 'C7H6O2', charge: -1 },
  'C[C@@H](C(=O)O)N': { source: 'C[C@H](N)C(=O)O', formula: 'C3H7NO2', charge: 0 },
  'CC(=O)[O-].[Na+]': {
    source: 'CC(=O)[O-].[Na+]',
    formula: 'C2H3NaO2',
    charge: -1,
    warning: 'LIGAND_DESALTED',
  },
  'CCO.c1ccccc1CCCCN': {
    source: 'CCO.NCCCCc1ccccc1',
    formula: 'C12H21NO',
    charge: 1,
    warning: 'LIGAND_DESALTED',
  },
  paracetamol: { source: 'CC(=O)Nc1ccc(O)cc1', formula: 'C8H9NO2', charge: 0 },
  Acetaminophen: { source: 'CC(=O)Nc1ccc(O)cc1', formula: 'C8H9NO2', charge: 0 },
  remdesivir: {
    source: 'CCC(CC)COC(=O)[C@H](C)N[P@](=O)(OC[C@H]1O[C@@](C#N)(c2ccc3c(N)ncnn23)[C@H](O)[C@@H]1O)Oc1ccccc1',
    formula: 'C27H35N6O8P',
    charge: 0,
  },
  'InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)': {
    source: 'CC(=O)Oc1ccccc1C(=O)O',
    formula: 'C9H8O4',
    charge: -1,
  },
  'BSYNRYMUTXBXSQ-UHFFFAOYSA-N': { source: 'AIN', formula: 'C9H8O4', charge: -1 },
  'InChIKey=RZVAJINKPMORJF-UHFFFAOYSA-N': { source: 'CC(=O)Nc1ccc(O)cc1', formula: 'C8H9NO2', charge: 0 },
  CC: { source: 'CC', formula: 'C2H6', charge: 0 },
};

describe('POST /molecular/docking/ligands/resolve', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  before(async () => {
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account()]);
  });

  const PATH = 'molecular/docking/ligands/resolve';
  const resolve = (body: unknown, key: string | null = owner.testKey): Promise<Answer> =>
    api.call(key, 'POST', PATH, body);
  const candidatesOf = async (body: unknown): Promise<Answer['body'][]> => {
    const answer = await resolve(body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.candidates;
  };
  const nameOf = ({ source }: Answer['body']): string => source.componentId ?? source.smiles;

  it('answers what a chemist means, with formula, charge and picture', async () => {
    for (const [query, { source, formula, charge, warning }] of Object.entries(FOUND)) {
      const [first] = await candidatesOf({ query });
      expect(first === undefined ? null : nameOf(first), query).to.equal(source);
      const { preview } = first;
      expect([preview.formula, preview.chargeAtPh], query).to.deep.equal([formula, charge]);
      expect(preview.protonationPh).to.equal(7.4);
      expect(preview.smilesAtPh === null, query).to.equal(charge === null);
      expect(preview.svg, query)
        .to.match(/^<svg /)
        .and.not.match(/script|href/i);
      const codes = preview.warnings.map(({ code }: { code: string }) => code);
      if (warning !== undefined) expect(codes, query).to.include(warning);
    }
  });

  it('answers every meaning of a query that has several, and one where its kind is told', async () => {
    for (const [query, component, smiles] of [
      ['CO', 'CO', 'CO'],
      ['C', 'C', 'C'],
      ['N', 'N', 'N'],
    ]) {
      const both = (await candidatesOf({ query })).map(({ source }) => source);
      expect(both, query).to.deep.equal([
        { kind: 'ccd', componentId: component },
        { kind: 'smiles', smiles },
      ]);
      const one = await candidatesOf({ query, kind: 'smiles' });
      expect(one.map(({ source }) => source.kind)).to.deep.equal(['smiles']);
    }
    expect((await candidatesOf({ query: 'zinc', kind: 'ccd' })).length).to.equal(0);
    expect((await candidatesOf({ query: 'BEN', kind: 'name' })).map(nameOf)).to.not.include('BEN');
    const sugars = await candidatesOf({ query: 'glucose' });
    expect(sugars.map(nameOf)).to.deep.equal(['BGC', 'Z8T', 'GLC']);
    expect(sugars[0].label).to.contain('glucose').and.to.contain('beta-D-glucopyranose');
    const many = await resolve({ query: 'methyl', kind: 'name' });
    expect(many.body.candidates.length).to.equal(10);
    expect(many.body.warnings).to.have.nested.property('0.code', 'CANDIDATES_CUT');
    const codesOf = async (query: string): Promise<string[]> =>
      (await resolve({ query })).body.warnings.map(({ code }: { code: string }) => code);
    // The dictionary has a dimer and metabolites of these, which the table of names hides, and estradiol itself beside its ester.
    for (const query of ['acetaminophen', 'remdesivir']) {
      expect(await codesOf(query), query).to.deep.equal([]);
      expect((await candidatesOf({ query })).length, query).to.equal(1);
    }
    expect(await codesOf('desmethyl')).to.deep.equal(['NAME_NOT_EXACT']);
    expect((await candidatesOf({ query: 'estradiol' })).map(nameOf)).to.deep.equal(['EST']);
    expect(await codesOf('estradiol')).to.deep.equal([]);
  });

  it('answers no candidate and the reason to what means nothing', async () => {
    const cases: [object, string, RegExp][] = [
      [{ query: 'c1ccccc' }, 'LIGAND_NOT_FOUND', /unclosed ring/],
      [{ query: 'Unobtainium' }, 'LIGAND_NOT_FOUND', /id or name\. Trade names/],
      [{ query: 'c1ccccc', kind: 'smiles' }, 'LIGAND_PARSE_FAILED', /unclosed ring/],
      [{ query: 'C(C)(C)(C)(C)C', kind: 'smiles' }, 'LIGAND_PARSE_FAILED', /valence/],
      [{ query: 'CC CC', kind: 'smiles' }, 'LIGAND_PARSE_FAILED', /one word/],
      [{ query: 'InChI=1S/C2H6/c1-3/h1-2H3' }, 'LIGAND_NOT_FOUND', /layer is missing or wrong/],
      [{ query: 'InChI=1S/CH4/h1H4; rm' }, 'LIGAND_NOT_FOUND', /layer is missing or wrong/],
      [{ query: 'AAAAAAAAAAAAAA-BBBBBBBBBB-C' }, 'LIGAND_NOT_FOUND', /Send its InChI or SMILES/],
      [{ query: '阿司匹林' }, 'LIGAND_NOT_FOUND', /id or name/],
      [{ query: '😀' }, 'LIGAND_NOT_FOUND', /id or name/],
      [{ query: '   ' }, 'LIGAND_NOT_FOUND', /id or name/],
      [{ query: 'QQQQQQQQ', kind: 'ccd' }, 'LIGAND_NOT_FOUND', /this id/],
      [{ query: "'; drop table component; --" }, 'LIGAND_NOT_FOUND', /id or name/],
      [{ query: '%_*' }, 'LIGAND_NOT_FOUND', /id or name/],
    ];
    for (const [body, code, words] of cases) {
      const { status, body: answer } = await resolve(body);
      expect([status, answer.candidates], JSON.stringify(body)).to.deep.equal([200, []]);
      expect(answer.warnings[0].code, JSON.stringify(answer)).to.equal(code);
      expect(answer.warnings[0].message).to.match(words);
    }
  });

  it('takes 512 characters and refuses what the contract does not have', async () => {
    const long = await resolve({ query: 'C'.repeat(512) });
    expect([long.status, long.body.warnings[0].code]).to.deep.equal([200, 'LIGAND_TOO_LARGE']);
    const written = `OC(=O)${'C([H])([H])'.repeat(46)}`;
    expect(written.length).to.equal(512);
    expect((await candidatesOf({ query: written }))[0].preview.formula).to.equal('C47H94O2');
    expect((await resolve({ query: '😀'.repeat(512) })).status).to.equal(200);
    const bad = [
      ...[{}, { query: '' }, { query: 'C'.repeat(513) }, { query: 1 }, { query: 'a\0b' }],
      ...[{ query: 'C', kind: 'inchi' }, { query: 'C', more: 1 }, []],
    ];
    for (const body of bad) {
      const { status, body: answer } = await resolve(body);
      expect([status, answer.code], JSON.stringify(body)).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    const { headers } = await resolve({ query: 'C' });
    expect(headers.get('ratelimit-policy')).to.match(/^"resolve";q=6000;/);
  });

  const ligand = (candidate: Answer['body'], query: string, patch: object = {}): object => ({
    ligandId: 'a',
    label: candidate.label,
    source: candidate.source,
    confirmation: {
      token: candidate.resolutionToken,
      query,
      sourceId: candidate.sourceId,
      ...patch,
    },
  });
  const docking = (ligandLibrary: object[]): object => ({
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: { receptorPdbId: '1A28', pocketLigand: 'STR', ligandLibrary },
  });
  const estimate = (body: unknown, { liveKey } = owner): Promise<Answer> =>
    api.call(liveKey, 'POST', 'jobs/estimate', body);

  it('answers tokens that confirm the ligand in an estimate and a submit', async () => {
    const query = ' OC1=CC=CC=C1C(=O)O';
    const [salicylic] = await candidatesOf({ query });
    const [aspirin] = await candidatesOf({ query: 'aspirin' });
    const asAsked = { ...ligand(salicylic, query), source: { kind: 'smiles', smiles: query.trim() } };
    const library = [
      { ...ligand(salicylic, query), ligandId: 'canonical' },
      { ...asAsked, ligandId: 'as-asked' },
      { ...ligand(aspirin, 'aspirin'), ligandId: 'component' },
      { ligandId: 'plain', label: 'plain', source: { kind: 'smiles', smiles: 'CCO' } },
    ];
    const priced = await estimate(docking(library));
    expect(priced.status, JSON.stringify(priced.body)).to.equal(200);
    const job = { ...noopJob(4), simulationParams: { ligandLibrary: library } };
    const accepted = await api.submit(owner.liveKey, job);
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    expect((await api.ends(owner.liveKey, accepted.body.jobId, 60)).body.status).to.equal('SUCCEEDED');
  });

  it('answers tokens that are refused forged, expired, by another account and for another ligand', async () => {
    const [aspirin] = await candidatesOf({ query: 'aspirin' });
    const { secret } = loadConfig('cli', api.stack.env);
    const old = createConfirmations(secret, () => Date.now() - DAY_MS - 1000);
    const expired = old.sign(owner, { query: 'aspirin', source: aspirin.source });
    const token: string = aspirin.resolutionToken;
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const plain = { ligandId: 'plain', label: 'plain', source: { kind: 'smiles', smiles: 'CCO' } };
    const good = ligand(aspirin, 'aspirin');
    const cases: [object, NewAccount, string][] = [
      [ligand(aspirin, 'aspirin', { token: forged }), owner, 'not genuine'],
      [ligand(aspirin, 'aspirin', { token: expired }), owner, 'expired at'],
      [good, stranger, 'another account'],
      [{ ...good, source: { kind: 'ccd', componentId: 'BEN' } }, owner, 'another ligand (component AIN)'],
      [ligand(aspirin, 'caffeine'), owner, 'another query'],
      [ligand(aspirin, 'aspirin', { sourceId: 'CFF' }), owner, 'another sourceId'],
    ];
    for (const [bad, who, words] of cases) {
      const answers = [
        await api.submit(who.liveKey, docking([plain, bad])),
        await estimate(docking([plain, bad]), who),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code], words).to.deep.equal([422, 'LIGAND_CONFIRMATION_INVALID']);
        expect(body.error)
          .to.match(/^simulationParams\.ligandLibrary\.1\.confirmation: /)
          .and.contain(words);
      }
    }
    expect(await api.leftovers(stranger.accountId)).to.deep.equal(NOTHING);
  });
});

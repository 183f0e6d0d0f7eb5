/**
 * Confirmations of ligands: genuine confirmations of the caller pass; every other kind is refused with a message that
 * names the fault.
 */
import { expect } from 'chai';
import fc from 'fast-check';

import { AppError } from '../../../src/domain/errors.ts';
import type { LigandIdentity, NamedSource } from '../../../src/domain/requests.ts';
import { signInstanceToken } from '../../../src/services/execution/instances/token.ts';
import { createConfirmations, sourceIdOf } from '../../../src/services/ligands/confirmation.ts';

const SECRET = 'ab'.repeat(32);
const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 24 * 3600 * 1000;
const ME = { accountId: 'me' };
const ASPIRIN: NamedSource = { kind: 'ccd', componentId: 'AIN' };
const PHENOL: NamedSource = { kind: 'smiles', smiles: 'Oc1ccccc1' };

const at = (ms: number) => createConfirmations(SECRET, () => ms);
const confirmations = at(NOW);

type Confirmation = NonNullable<LigandIdentity['confirmation']>;

const confirmed = (source: LigandIdentity['source'], confirmation?: Confirmation): LigandIdentity => ({
  ligandId: 'a',
  label: 'a',
  source,
  ...(confirmation === undefined ? {} : { confirmation }),
  preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
});
const resolved = (query: string, source: NamedSource): Confirmation => ({
  token: confirmations.sign(ME, { query, source }),
  query,
  sourceId: sourceIdOf(source),
});
const alone = (ligandIdentity: LigandIdentity) => ({ ligandIdentity });

async function faultOf(
  params: Parameters<typeof confirmations.check>[1],
  { who = ME, when = NOW } = {},
): Promise<string | null> {
  try {
    await at(when).check(who, params);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.code, error.status]).to.deep.equal(['LIGAND_CONFIRMATION_INVALID', 422]);
    return error.publicMessage;
  }
}

describe('a confirmation of a ligand', () => {
  it('is good for the source that was answered, for the SMILES as it was asked, and for a day', async () => {
    const byName = confirmed(ASPIRIN, resolved('aspirin', ASPIRIN));
    expect(await faultOf(alone(byName))).to.equal(null);
    expect(await faultOf(alone({ ...byName, source: { kind: 'ccd', componentId: 'ain' } }))).to.equal(null);
    expect(await faultOf(alone(byName), { when: NOW + DAY_MS - 1000 })).to.equal(null);
    const written = ' C1=CC=CC=C1O ';
    expect(await faultOf(alone(confirmed(PHENOL, resolved(written, PHENOL))))).to.equal(null);
    const asAsked = confirmed({ kind: 'smiles', smiles: 'C1=CC=CC=C1O' }, resolved(written, PHENOL));
    expect(await faultOf(alone(asAsked))).to.equal(null);
    expect(await faultOf(alone(confirmed(ASPIRIN)))).to.equal(null);
    expect(await faultOf(undefined)).to.equal(null);
  });

  it('is refused when it is not genuine: changed, signed by another secret, or a token of another kind', async () => {
    const good = resolved('aspirin', ASPIRIN);
    const other = createConfirmations('cd'.repeat(32), () => NOW).sign(ME, {
      query: 'aspirin',
      source: ASPIRIN,
    });
    const instance = signInstanceToken(SECRET, { jobId: 'j', slot: 0, generation: 1, expiresAt: NOW });
    const [prefix = '', body = '', mac = ''] = good.token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { expiresAt: number };
    const longer = Buffer.from(JSON.stringify({ ...claims, expiresAt: claims.expiresAt + 1 }));
    const forged = [
      ...[other, instance, 'x'.repeat(40), `${good.token}x`, `${good.token}.`, `dkr2.${body}.${mac}`],
      ...[`${prefix}.${longer.toString('base64url')}.${mac}`, `${prefix}.${body}.`, `${prefix}.${body}`],
    ];
    for (const token of forged)
      expect(await faultOf(alone(confirmed(ASPIRIN, { ...good, token }))), token).to.match(
        /^simulationParams\.ligandIdentity\.confirmation: the token is not genuine/,
      );
  });

  it('is refused when any character of it was changed', async () => {
    const good = resolved('aspirin', ASPIRIN);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.token.length - 1),
        fc.base64String({ minLength: 1 }),
        async (place, text) => {
          const token = good.token.slice(0, place) + text + good.token.slice(place + text.length);
          fc.pre(token !== good.token);
          expect(await faultOf(alone(confirmed(ASPIRIN, { ...good, token })))).to.be.a('string');
        },
      ),
    );
  });

  it('is refused when it has expired, or belongs to another account', async () => {
    const ligand = confirmed(ASPIRIN, resolved('aspirin', ASPIRIN));
    expect(await faultOf(alone(ligand), { when: NOW + DAY_MS })).to.contain(
      'the token expired at 2026-03-02T12:00:00.000Z',
    );
    expect(await faultOf(alone(ligand), { who: { accountId: 'you' } })).to.contain('for another account');
  });

  it('is refused beside another query, id or ligand than it was made for', async () => {
    const good = resolved('aspirin', ASPIRIN);
    const artifact = { kind: 'artifact', artifact: {} } as unknown as LigandIdentity['source'];
    const cases: [LigandIdentity, string][] = [
      [confirmed(ASPIRIN, { ...good, query: 'Aspirin' }), 'another query'],
      [confirmed(ASPIRIN, { ...good, sourceId: 'BEN' }), 'another sourceId'],
      [confirmed({ kind: 'ccd', componentId: 'BEN' }, good), 'another ligand (component AIN)'],
      [confirmed({ kind: 'smiles', smiles: 'AIN' }, good), 'another ligand (component AIN)'],
      [confirmed({ kind: 'smiles', smiles: 'aspirin' }, good), 'another ligand (component AIN)'],
      [confirmed(artifact, good), 'another ligand (component AIN)'],
      [confirmed({ kind: 'smiles', smiles: 'Oc1ccccc1O' }, resolved('Oc1ccccc1', PHENOL)), 'another SMILES'],
      [confirmed(ASPIRIN, resolved('Oc1ccccc1', PHENOL)), 'another SMILES'],
    ];
    for (const [ligand, words] of cases) expect(await faultOf(alone(ligand))).to.contain(words);
  });

  it('is checked of every ligand of a library, which is named; ten thousand take a moment', async () => {
    const good = confirmed(PHENOL, resolved('Oc1ccccc1', PHENOL));
    const ligandLibrary = Array.from({ length: 10_000 }, () => good);
    const before = performance.now();
    expect(await faultOf({ ligandLibrary })).to.equal(null);
    expect(performance.now() - before).to.be.lessThan(30_000);
    ligandLibrary[9_998] = confirmed(ASPIRIN, resolved('Oc1ccccc1', PHENOL));
    expect(await faultOf({ ligandLibrary })).to.match(
      /^simulationParams\.ligandLibrary\.9998\.confirmation: /,
    );
  });
});

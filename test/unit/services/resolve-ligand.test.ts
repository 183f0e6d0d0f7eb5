/** Resolving where a part is not installed: a ligand that could not be looked for is never answered as not found. */
import { expect } from 'chai';

import { createChargeModel } from '../../../src/adapters/chemistry/charges.ts';
import { createMolecules } from '../../../src/adapters/chemistry/molecules.ts';
import { openNames } from '../../../src/adapters/chemistry/names.ts';
import type { LigandQueryKind } from '../../../src/domain/requests.ts';
import { createConfirmations } from '../../../src/services/ligands/confirmation.ts';
import { createResolve } from '../../../src/services/ligands/resolve.ts';
import { ownerOf } from '../../support/actors.ts';

describe('resolving a ligand without dictionary and Python', function () {
  this.timeout(120_000);
  const log = { warn: () => undefined };
  const molecules = createMolecules({ dictionary: '' });
  const charges = createChargeModel({ command: null, log });
  const resolve = createResolve({
    molecules,
    known: openNames(),
    charges,
    log,
    confirmations: createConfirmations('0'.repeat(64)),
  });
  const ask = (query: string, kind?: LigandQueryKind) =>
    resolve(ownerOf('account', 'user'), { query, ...(kind === undefined ? {} : { kind }) });
  after(() => molecules.close());

  it('answers SMILES, and says what it did not look for', async () => {
    const { candidates, warnings } = await ask('CC(=O)[O-]');
    expect(warnings.map(({ code }) => code)).to.deep.equal(['DICTIONARY_MISSING']);
    const [candidate] = candidates;
    expect(candidate?.source).to.deep.equal({ kind: 'smiles', smiles: 'CC(=O)[O-]' });
    expect(candidate?.preview).to.include({ formalCharge: -1, chargeAtPh: null, smilesAtPh: null });
    expect(candidate?.preview.warnings.map(({ code }) => code)).to.deep.equal(['CHARGE_NOT_COMPUTED']);
    expect((await ask('CC(=O)[O-]', 'smiles')).warnings).to.deep.equal([]);
  });

  it('answers an ordinary name and its InChIKey without either', async () => {
    for (const query of ['Paracetamol', 'acetaminophen', 'RZVAJINKPMORJF-UHFFFAOYSA-N'])
      expect(
        (await ask(query)).candidates.map(({ source }) => source),
        query,
      ).to.deep.equal([{ kind: 'smiles', smiles: 'CC(=O)Nc1ccc(O)cc1' }]);
  });

  it('answers 503 to names and ids, not that there are none', async () => {
    for (const [query, kind] of [['aspirin'], ['AIN', 'ccd'], ['vitamin C', 'name']] as const) {
      const error = await ask(query, kind).catch((refusal: unknown) => refusal);
      expect(error, query).to.include({ code: 'SERVICE_UNAVAILABLE', status: 503 });
      expect(error).to.have.property('message').that.contains('dictionary is not installed');
    }
    for (const query of ['InChI=1S/CH4/h1H4', 'BSYNRYMUTXBXSQ-UHFFFAOYSA-N'])
      expect(await ask(query).catch((refusal: unknown) => refusal), query).to.include({
        code: 'SERVICE_UNAVAILABLE',
      });
    expect((await ask('c1ccccc', 'smiles')).warnings[0]?.code).to.equal('LIGAND_PARSE_FAILED');
  });
});

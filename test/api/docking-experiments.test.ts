/** Experiments and runs that are refused: each with a code and what to do, and none leaves a run, a job or a hold. */
import { expect } from 'chai';

import { loadConfig } from '../../src/config.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { NOTHING, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

const BASE = 'molecular/docking';
const DAY_MS = 24 * 3600 * 1000;
const SOURCE = { kind: 'smiles', smiles: 'CCO' } as const;
const LIGAND = { ligandId: 'ethanol', label: 'Ethanol', source: SOURCE, preparation: {} };
const PARAMETERS = {
  box: { derivation: { kind: 'explicit' }, center: [0, 0, 0], size: [20, 20, 20] },
  protocol: { exhaustiveness: 1 },
};

describe('experiments of docking that are refused', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  before(async () => {
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account(1)]);
  });

  const post = (path: string, body: object, key = owner.liveKey): Promise<Answer> =>
    api.call(key, 'POST', `${BASE}/${path}`, body);
  /** Registers a file; answers the ids under which account and store know the file. */
  const registered = async (
    format: string,
    key = owner.liveKey,
  ): Promise<{ readonly artifactId: string; readonly storageKey: string }> => {
    const storageKey = await api.upload(key, `HEADER ${format}\n`, { filename: `file.${format}` });
    const { status, body } = await post('artifacts', { storageKey, format }, key);
    expect(status, JSON.stringify(body)).to.equal(201);
    return { artifactId: body.artifact.artifactId, storageKey };
  };
  const experimentOf = (receptor: object, ligand: object = LIGAND): object => ({
    ...{ name: 'refused', receptor, ligand, parameters: PARAMETERS },
  });
  const experiment = async (receptor: object, ligand?: object, key?: string): Promise<string> => {
    const { status, body } = await post('experiments', experimentOf(receptor, ligand), key);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.experiment.id;
  };
  const runsOf = async (): Promise<number> => {
    const [row] = await api.db.query<{ runs: number }[]>(
      'select count(*)::int as runs from docking_runs where account_id = any($1)',
      [[owner.accountId, stranger.accountId]],
    );
    return row?.runs ?? NaN;
  };

  it('for the token of a ligand: forged, expired, or of another account, and nothing is stored', async () => {
    const { artifactId } = await registered('pdb');
    const { secret } = loadConfig('cli', api.stack.env);
    const ligand = { query: 'CCO', source: SOURCE };
    const now = createConfirmations(secret).sign(owner, ligand);
    const expired = createConfirmations(secret, () => Date.now() - DAY_MS - 1000).sign(owner, ligand);
    const forged = `${now.slice(0, -1)}${now.endsWith('A') ? 'B' : 'A'}`;
    const foreign = createConfirmations(secret).sign(stranger, ligand);
    for (const [resolutionToken, words] of [
      [forged, 'not genuine'],
      [expired, 'expired at'],
      [foreign, 'another account'],
    ] as const) {
      const { status, body } = await post('experiments', experimentOf({ artifactId }, { resolutionToken }));
      expect([status, body.code], words).to.deep.equal([422, 'LIGAND_CONFIRMATION_INVALID']);
      expect(body.error)
        .to.match(/^ligand\.resolutionToken: /)
        .and.include(words);
    }
    expect((await api.call(owner.liveKey, 'GET', `${BASE}/experiments`)).body.experiments).to.deep.equal([]);
    expect(
      (await post('experiments', experimentOf({ artifactId }, { resolutionToken: now }))).status,
    ).to.equal(201);
  });

  it('for artifacts of the wrong format, for whose ids there is none, and for foreign ones', async () => {
    const [structure, ligand, foreign] = [
      await registered('pdb'),
      await registered('sdf'),
      await registered('pdb', stranger.liveKey),
    ];
    const { artifactId } = structure;
    const answers: string[] = [];
    for (const [receptor, docked] of [
      [{ artifactId: ligand.artifactId }, LIGAND],
      [{ artifactId }, { artifactId }],
      [{ artifactId: foreign.artifactId }, LIGAND],
      [{ artifactId }, { artifactId: foreign.artifactId }],
    ] as const) {
      const { status, body } = await post('experiments', experimentOf(receptor, docked));
      answers.push(`${status} ${body.code} ${/^[a-z]+\.artifactId/.exec(body.error)?.[0] ?? body.error}`);
    }
    expect(answers).to.deep.equal([
      '422 ARTIFACT_MISMATCH receptor.artifactId',
      '422 ARTIFACT_MISMATCH ligand.artifactId',
      '404 NOT_FOUND receptor.artifactId',
      '404 NOT_FOUND ligand.artifactId',
    ]);
  });

  it('for a run whose artifact is gone, and for one that the account cannot pay, has limited or may not start', async () => {
    const [structure, removed, ligand] = [
      await registered('pdb'),
      await registered('pdb'),
      await registered('sdf'),
    ];
    const { artifactId } = structure;
    const whole = await experiment({ artifactId });
    const withoutFile = await experiment({ artifactId: removed.artifactId });
    const withoutLigand = await experiment({ artifactId }, { artifactId: ligand.artifactId });
    await api.store.remove([removed.storageKey]);
    await api.db.query('delete from artifacts where id = $1', [ligand.artifactId]);
    const poor = await experiment(
      { artifactId: (await registered('pdb', stranger.liveKey)).artifactId },
      LIGAND,
      stranger.liveKey,
    );
    const answers: [Answer, string][] = [
      [await post(`experiments/${withoutFile}/runs`, {}), '404 INPUT_NOT_FOUND'],
      [await post(`experiments/${withoutLigand}/runs`, {}), '404 NOT_FOUND'],
      [await post(`experiments/${whole}/runs`, { limitCents: 1 }), '422 COST_LIMIT_EXCEEDED'],
      [await post(`experiments/${whole}/runs`, { limitCents: 0 }), '400 VALIDATION_ERROR'],
      [await post(`experiments/${whole}/runs`, {}, owner.testKey), '403 TEST_KEY_LIVE_BILLING'],
      [await post(`experiments/${whole}/runs`, {}, stranger.liveKey), '404 NOT_FOUND'],
      [await post(`experiments/${poor}/runs`, {}, stranger.liveKey), '402 INSUFFICIENT_CREDITS'],
    ];
    for (const [{ status, body }, expected] of answers)
      expect(`${status} ${body.code}`, body.error).to.equal(expected);
    expect(answers[0]?.[0].body.error).to.match(
      /receptor\S*: the file is not stored any more\. Upload it again/i,
    );
    expect(answers[1]?.[0].body.error).to.match(/^ligand\.artifactId: .*Register the file/);
    expect(await runsOf()).to.equal(0);
    for (const { accountId } of [owner, stranger])
      expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);
  });
});

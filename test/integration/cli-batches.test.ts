/** The commands of batches, over a running stack: what is sent, what is refused before, and what is shown. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import type { TestApi } from '../support/api.ts';
import { NOTHING, testApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';

const RECEPTOR = join(import.meta.dirname, '..', '..', 'examples', '1a28', '1a28.pdb');
const TO = ['--receptor', RECEPTOR, '--chains', 'A', '--box-from-ligand', 'STR:A:1'];
const SEARCH = ['--exhaustiveness', '1', '--modes', '1', '--yes'];

describe('commands of batches', function () {
  this.timeout(180_000);
  let api: TestApi;
  let folder = '';
  before(async () => {
    api = await testApi();
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-batches-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const runAs =
    (liveKey: string) =>
    (...args: string[]): Promise<CommandEnding> => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder, DOCKYARD_API_URL: api.stack.apiUrl };
      return runCommand(args, { ...env, DOCKYARD_API_KEY: liveKey, ...KEPT_MODULES }, folder);
    };
  const file = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);

  it('dock a library as a batch: told what is wrong before it is sent, uploaded once, looked at, nothing done twice', async () => {
    const { accountId, liveKey } = await api.account();
    const run = runAs(liveKey);
    const to = TO.map((word) => (word === RECEPTOR ? 'packed.pdb.gz' : word));
    file('packed.pdb.gz', gzipSync(readFileSync(RECEPTOR)));
    file('wrong.csv', 'Compound;Structure\na;CCO\n');
    const wrong = await run('batch', 'create', ...to, ...SEARCH, '--ligands', 'wrong.csv', '--json');
    expect([wrong.code, JSON.parse(wrong.err).code]).to.deep.equal([2, 'LIBRARY_COLUMN_MISSING']);
    file('one.mol2', '@<TRIPOS>MOLECULE\n');
    const single = await run('dock', ...to, ...SEARCH, '--ligands', 'one.mol2', '--dry-run');
    expect([single.code, single.err]).to.deep.include(2);
    expect(single.err).to.contain('where no option makes it a batch (--batch, --library, --dry-run');
    const none = await run('dock', ...to, ...SEARCH);
    expect([none.code, none.err]).to.deep.include(2);
    expect(none.err).to.contain('give --ligands FILE, or --library');
    expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);

    const many = Array.from({ length: 21 }, (_, index) => `${'C'.repeat(index + 1)}O alcohol-${index}`);
    file('many.smi', many.join('\n'));
    const dear = await run('dock', ...to, ...SEARCH, '--ligands', 'many.smi', '--max-price', '0.01');
    expect([dear.code, dear.err]).to.deep.include(2);
    expect(dear.err).to.contain('More than 20 ligands are docked as a batch').and.contain('Price');
    expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);

    const table =
      'Name,SMILES,MW,active\r\nphenol,Oc1ccccc1,94,1\r\ncarbolic acid,Oc1ccccc1,94,1\r\nring,C1CC,42,0\r\n';
    file('library.csv.gz', gzipSync(table));
    const key = randomUUID();
    const create = [
      'dock',
      '--batch',
      ...to,
      ...SEARCH,
      '--ligands',
      'library.csv.gz',
      '--idempotency-key',
      key,
    ];
    const docked = await run(...create, '--watch');
    expect(docked.code, docked.err).to.equal(3);
    expect(docked.err).to.contain('3 records, 1 equal to others').and.to.contain('library.csv.gz  stored\n');
    expect(docked.out)
      .to.match(/\n +1 +carbolic acid +-\d/)
      .and.to.match(/LIGAND_PARSE_FAILED +1\n/)
      .and.to.match(
        /\nActives +2 of 3 ligands, by the column active\nEnrichment +ROC AUC 1\.000 .*EF 1 % 1\.5, EF 5 % 1\.5/,
      );
    const [, batch = ''] = /^Batch +(\S+)/m.exec(docked.out) ?? [];
    const again = await run(...create, '--json');
    expect([again.code, again.data?.batch.id], again.err).to.deep.equal([0, batch]);
    expect(again.data.idempotentReplay).to.equal(true);

    const listed = await run(
      'batch',
      'results',
      batch,
      '--where',
      'label=carb',
      '--where',
      'affinity<=0',
      '--json',
    );
    expect(listed.data.results).to.have.length(1);
    expect(listed.data.results[0]).to.deep.include({
      ligand_id: 'carbolic-acid',
      input_properties: { MW: '94', active: '1' },
    });
    const poses = await run('batch', 'poses', batch, 'phenol');
    expect(poses.out)
      .to.match(/as docked +Oc1ccccc1\n/)
      .and.to.match(/\n +1 +-\d/);
    const excess = await run('batch', 'pick', batch, '--top', '1', '--diverse', '2', '-o', 'picks.smi');
    expect([excess.code, excess.err]).to.deep.include(2);
    expect((await run('batch', 'pick', batch, '-o', 'picks')).err).to.contain('add --format');
    const picked = await run('batch', 'pick', batch, '--top', '9', '--diverse', '1', '-o', 'picks.smi');
    expect([picked.code, picked.out], picked.err).to.deep.equal([0, '1 result in picks.smi\n']);
    expect(readFileSync(join(folder, 'picks.smi'), 'utf8')).to.equal('Oc1ccccc1\tphenol\n');
    const retry = await run('batch', 'retry', batch, '--yes', '--json');
    expect([retry.code, JSON.parse(retry.err).code]).to.deep.equal([2, 'NOTHING_TO_RETRY']);
    expect(await api.leftovers(accountId)).to.include({ jobs: 1, heldPence: 0 });

    const first = await run('batch', 'results', batch, '--sort', 'ligandId', '--top', '1');
    expect(first.out)
      .to.match(/^ *RANK +LIGAND/)
      .and.contain('carbolic acid')
      .and.contain('More: add --top 10\n')
      .and.not.contain('ring');
    const lax = await run('batch', 'results', batch, '--max-missing', '1');
    expect([lax.code, lax.err]).to.deep.equal([
      2,
      'dockyard: --max-missing 1: it says how many of the interactions of --where a pose may lack; name some with --where interaction=….\n',
    ]);
    const chosen = ['--code', 'ligand_parse_failed'];
    const failures = await run('batch', 'failures', batch, ...chosen);
    expect(failures.out)
      .to.match(/\nring +4 +LIGAND_PARSE_FAILED +\S/)
      .and.to.match(/LIGAND_PARSE_FAILED +1\n/);

    const anew = await run(
      'batch',
      'retry',
      batch,
      '--codes',
      'LIGAND_PARSE_FAILED',
      '--yes',
      '--watch',
      '--json',
    );
    expect(anew.code, anew.err).to.equal(3);
    expect(anew.data.batch).to.include({ runs: 2, status: 'PARTIALLY_SUCCEEDED' });
    const runId: string = anew.data.batch.run_id;
    expect((await run('batch', 'failures', batch, ...chosen, '--json')).data.failures[0].run_id).to.equal(
      runId,
    );
    const status = await run('experiment', 'status', runId);
    expect([status.code, status.out]).to.deep.include(4);
    expect(status.out).to.match(/^Run +\S+\nBatch +\S+\nNumber +2\nStatus +FAILED\n/);
    const end = await run('experiment', 'cancel', runId);
    expect([end.code, end.out], end.err).to.deep.equal([0, 'The run had ended already: FAILED\n']);
    const written = await run('experiment', 'export', runId, '--format', 'csv', '-o', 'failed.csv');
    expect([written.code, written.out], written.err).to.deep.equal([0, '1 result in failed.csv\n']);
    expect(readFileSync(join(folder, 'failed.csv'), 'utf8')).to.contain('LIGAND_PARSE_FAILED');
    expect(await api.leftovers(accountId)).to.include({ jobs: 2, heldPence: 0 });
  });

  it('dock a library that the service has, and say what to do about one that it has not', async () => {
    const { accountId, liveKey } = await api.account();
    const run = runAs(liveKey);
    file('two.smi', 'Oc1ccccc1 phenol\nCCO ethanol\n');
    const dry = await run(
      'batch',
      'create',
      ...TO,
      ...SEARCH,
      '--ligands',
      'two.smi',
      '--dry-run',
      '--watch',
    );
    expect(dry.code, dry.err).to.equal(0);
    const [library] = await api.db.query<{ id: string }[]>(
      `select id from artifacts where account_id = $1 and format = 'smi'`,
      [accountId],
    );
    const docked = await run('batch', 'create', ...TO, ...SEARCH, '--library', library?.id ?? '', '--watch');
    expect(docked.code, docked.err).to.equal(0);
    expect(docked.err)
      .to.match(/2 records of \S+\.smi/)
      .and.not.to.contain('stored\n');
    expect(docked.out).to.match(/\n +2 +(phenol|ethanol) +-\d/);
    const [, batch = ''] = /^Batch +(\S+)/m.exec(docked.out) ?? [];
    const { data } = await run('batch', 'results', batch, '--json');
    expect(data.results.map(({ cluster }: { cluster: number }) => cluster)).to.deep.equal([1, 2]);

    const before = await api.leftovers(accountId);
    const id = randomUUID();
    const unknown = await run('batch', 'create', ...TO, ...SEARCH, '--library', id);
    expect([unknown.code, unknown.out]).to.deep.equal([2, '']);
    expect(unknown.err).to.contain(
      `There is no artifact ${id} in this account. Give the file itself with --ligands`,
    );
    expect((await run('batch', 'create', ...TO, ...SEARCH, '--library', 'two.smi')).code).to.equal(2);
    const other = await api.account();
    const foreign = await runAs(other.liveKey)(
      'batch',
      'create',
      ...TO,
      ...SEARCH,
      '--library',
      library?.id ?? '',
    );
    expect([foreign.code, foreign.out]).to.deep.equal([2, '']);
    expect(await api.leftovers(accountId)).to.deep.equal(before);
    expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
  });
});

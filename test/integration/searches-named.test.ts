/**
 * Searches in databases of the catalogue, of nucleotides and in ready volumes, over the whole stack with the real
 * programs: the reports are those of a bare run, also after a control worker was killed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { InstalledPack } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { blastPack } from '../../src/tools/blast/pack.ts';
import { NOTHING, sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { dockingCustomer } from '../support/docking-customer.ts';
import { withLong } from '../support/long.ts';
import { nucleotideExample } from '../support/nucleotide-example.ts';
import { untilOffered } from '../support/offered.ts';
import { realPack } from '../support/real-packs.ts';
import { bareRun, chainsAmongDecoys, searched } from '../support/searching.ts';
import type { SearchFiles } from '../support/searching.ts';
import { until } from '../support/until.ts';

const DECOYS = 200;
/** The searches keep files of their own beside the volumes, and no name of a database may meet them. */
const NAME = 'nothing';
const PROTEIN = '>p\nPQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKM\n';
const BASES = '>n\nGAATTCCCGCTACAGGGGGGGCCTGAGGCACTGCAGAAAGTGGGCCTGAGC\n';
const SAID = ['--type', 'prot', '--db-version', '1', '--date', '2026-11-22'];

describe('searches by name', function () {
  this.timeout(300_000);
  let pack: InstalledPack;
  let api: TestApi;
  let owner: NewAccount;
  let folder: string;
  let files: SearchFiles;
  let bare: ReturnType<typeof bareRun>;
  let queries: string;

  before(async function () {
    const found = await realPack(blastPack);
    if (found === null) return this.skip();
    pack = found;
    folder = mkdtempSync(join(tmpdir(), 'dockyard-named-'));
    files = chainsAmongDecoys(folder, DECOYS);
    bare = bareRun(pack, folder, { program: 'blastp', files, args: [], name: NAME });
    api = await testApi();
    owner = await api.account();
    await untilOffered(api, owner.liveKey, 'blastp');
    await untilOffered(api, owner.liveKey, 'blastn');
    queries = await api.upload(owner.liveKey, files.queries, { filename: 'chains.fasta' });
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const databases = (...args: string[]): Promise<CommandEnding> => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DOCKYARD_HOME: api.stack.home,
    };
    return runCommand(['admin', 'databases', ...args], env, folder);
  };
  const search = (name: string, params: object = {}, more: object = {}): Record<string, unknown> => ({
    ...{ jobType: 'simulation', simulator: 'blastp', sceneFile: queries },
    simulationParams: { blastDatabaseName: name, ...params },
    ...more,
  });
  const reportsOf = async (jobId: string, than: ReturnType<typeof bareRun>) => {
    const customer = dockingCustomer(api, owner.liveKey);
    const outputs = await customer.outputsOf(jobId);
    expect(await customer.read(outputs, 'hits.tsv')).to.equal(than.hits);
    expect(JSON.parse(await customer.read(outputs, 'hits.json'))).to.deep.equal(than.report);
    return JSON.parse(await customer.read(outputs, 'search.json'));
  };
  const good = async (body: Readonly<Record<string, unknown>>): Promise<string> => {
    const status = await searched(api, owner.liveKey, body);
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    return status.jobId;
  };

  it('are those of a bare run, with the checksum of the catalogue in their provenance', async () => {
    const added = await databases('add', NAME, 'decoys.fasta', ...SAID, '--json');
    expect(added.code, added.err).to.equal(0);
    const checksum = sha256(files.database);
    expect(JSON.parse(added.out)).to.include({ name: NAME, checksum, version: '1', date: '2026-11-22' });
    expect((await databases('list')).out).to.match(/^NAME .*\nnothing +prot +1 +2026-11-22 .*\n$/);
    expect((await databases('verify', NAME)).out).to.equal('nothing: good\n');

    const said = { blastDatabaseVersion: '1', blastDatabaseChecksum: checksum.toUpperCase() };
    const summary = await reportsOf(await good(search(NAME, said)), bare);
    expect(summary.database).to.include({ name: NAME, checksum, version: '1', date: '2026-11-22' });
  });

  it('are refused, at estimate as at submit, when the catalogue says otherwise', async () => {
    const other = await api.account();
    const mine = await api.upload(other.liveKey, files.queries, { filename: 'chains.fasta' });
    const cases: readonly (readonly [code: string, message: RegExp, body: object])[] = [
      ['DATABASE_MISMATCH', /blastDatabaseName: there is no database nr; there are nothing/, search('nr')],
      ['DATABASE_MISMATCH', /blastDatabaseVersion: is 2;/, search(NAME, { blastDatabaseVersion: '2' })],
      ['DATABASE_MISMATCH', /blastDatabaseDate: /, search(NAME, { blastDatabaseDate: '2026-11-21' })],
      [
        'DATABASE_MISMATCH',
        /blastDatabaseChecksum: /,
        search(NAME, { blastDatabaseChecksum: 'a'.repeat(64) }),
      ],
      ['DATABASE_TYPE_MISMATCH', /is nucl;/, search(NAME, { blastDatabaseType: 'nucl' })],
      ['DATABASE_TYPE_MISMATCH', /nothing is of type prot/, search(NAME, {}, { simulator: 'blastn' })],
    ];
    for (const [code, message, body] of cases) {
      const { sceneFile: _queries, ...estimated } = { ...body, sceneFile: mine };
      for (const answer of [
        await api.submit(other.liveKey, { ...body, sceneFile: mine }),
        await api.call(other.liveKey, 'POST', 'jobs/estimate', estimated),
      ]) {
        expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([422, code]);
        expect(answer.body.error).to.match(message);
      }
    }
    const stolen = await api.db.query<{ key: string }[]>(
      `select files->0->>'storageKey' as key from databases where name = 'nothing'`,
    );
    const taken = { attachments: [stolen[0]?.key], simulationParams: { blastDatabasePath: 'nothing.fasta' } };
    const answer = await api.submit(other.liveKey, { ...search(NAME), sceneFile: mine, ...taken });
    expect([answer.status, answer.body.code]).to.deep.equal([404, 'INPUT_NOT_FOUND']);
    expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
  });

  it('keep their database when it is replaced while they wait, and after a control worker was killed', async () => {
    const { jobId } = (await api.submit(owner.liveKey, search(NAME, {}, { taskCount: 5 }))).body;
    writeFileSync(join(folder, 'other.fasta'), '>x\nMKVLLAGMKVLLAGMKWWHHP\n');
    const replaced = await databases('add', NAME, 'other.fasta', ...SAID, '--replace');
    expect(replaced.code, replaced.err).to.equal(0);
    await until('the search has begun', async () => {
      const { body } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`);
      return body.progress.completed > 0 || body.status === 'RUNNING';
    });
    api.stack.kill('control');
    await api.stack.waitUntilRestarted('control');
    const { body } = await api.ends(owner.liveKey, jobId, 240);
    expect(body.status, JSON.stringify(body.failures)).to.equal('SUCCEEDED');
    expect((await reportsOf(jobId, bare)).database.checksum).to.equal(sha256(files.database));
  });

  it('read ready volumes, whose index has the letters that the catalogue says', async () => {
    const place = join(folder, 'ready');
    mkdirSync(place);
    execFileSync(
      pack.programs['makeblastdb'] ?? 'makeblastdb',
      ['-in', '-', '-dbtype', 'prot', '-out', join(place, NAME), '-title', NAME],
      { env: pack.environment, input: files.database, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    const added = await databases('add', NAME, 'ready', ...SAID, '--replace', '--json');
    expect(added.code, added.err).to.equal(0);
    const { letters, sequences } = JSON.parse(added.out);

    const attachments: string[] = [];
    for (const name of readdirSync(place)) {
      attachments.push(await uploadBytes(name, readFileSync(join(place, name))));
    }
    const own = { blastDatabasePath: NAME, blastDatabaseVersion: 'mine' };
    const jobId = await good({ ...search(NAME), attachments, simulationParams: own });
    expect((await reportsOf(jobId, bare)).database).to.include({ letters, sequences, version: 'mine' });
  });

  const uploadBytes = async (filename: string, bytes: Buffer): Promise<string> => {
    const { body } = await api.call(owner.liveKey, 'POST', 'jobs/upload-url', {
      ...{ filename, contentType: 'application/octet-stream', size: bytes.byteLength },
    });
    const stored = await fetch(body.uploadUrl, {
      method: 'PUT',
      headers: body.headers,
      body: new Uint8Array(bytes),
    });
    expect(stored.status).to.equal(200);
    return body.s3Key;
  };

  it("find what a bare run finds in the package's nucleotide example", async function () {
    const example = nucleotideExample(folder);
    if (example === null) return this.skip();
    const place = join(folder, 'nucleotides');
    mkdirSync(place);
    const plain = bareRun(pack, place, { program: 'blastn', files: example, args: [] });
    expect(plain.hits).to.contain('gnl1');
    const jobId = await good({
      ...{ jobType: 'simulation', simulator: 'blastn' },
      sceneFile: await api.upload(owner.liveKey, example.queries, { filename: 'test.fa' }),
      attachments: [await api.upload(owner.liveKey, example.database, { filename: 'decoys.fa' })],
      simulationParams: { blastDatabasePath: 'decoys.fa' },
    });
    await reportsOf(jobId, plain);
  });

  const failures = withLong<readonly [what: string, code: string, database: string, params: object]>(
    [
      ['a database that is no FASTA', 'DATABASE_UNREADABLE', 'MKV\nLLL\n', {}],
      ['results that are too large', 'OUTPUT_TOO_LARGE', PROTEIN, { blastMaxOutputBytes: 1024 }],
    ],
    [
      ['a database of nucleotides', 'DATABASE_TYPE_MISMATCH', BASES.repeat(3), {}],
      ['an empty database', 'DATABASE_UNREADABLE', '\n', {}],
      [
        'a changed database',
        'DATABASE_CHECKSUM_MISMATCH',
        PROTEIN,
        { blastDatabaseChecksum: 'a'.repeat(64) },
      ],
    ],
  );
  for (const [what, code, database, params] of failures) {
    it(`fail with ${code} and cost nothing: ${what}`, async () => {
      const attachment = await api.upload(owner.liveKey, database, { filename: 'd.fasta' });
      const status = await searched(api, owner.liveKey, {
        ...{ jobType: 'simulation', simulator: 'blastp', attachments: [attachment] },
        sceneFile: await api.upload(owner.liveKey, PROTEIN, { filename: 'p.fasta' }),
        simulationParams: { blastDatabasePath: 'd.fasta', ...params },
      });
      expect(status.status).to.equal('FAILED');
      expect(status.failures.map((one: { code: string }) => one.code)).to.include(code);
      expect(status.cost.chargedCents).to.equal(0);
    });
  }
});

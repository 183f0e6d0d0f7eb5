/**
 * Searches over the whole stack, with the real programs on real instances: the reports are those of one bare run over
 * all queries, however the queries are cut, with one thread and two, and after an instance was killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { InstalledPack } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { blastPack } from '../../src/tools/blast/pack.ts';
import { NOTHING, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { dockingCustomer } from '../support/docking-customer.ts';
import { inLongRuns, IS_LONG } from '../support/long.ts';
import { untilOffered } from '../support/offered.ts';
import { processApi } from '../support/process-api.ts';
import { realPack } from '../support/real-packs.ts';
import { until } from '../support/until.ts';
import { bareRun, chainsAmongDecoys, searched } from '../support/searching.ts';
import type { SearchFiles } from '../support/searching.ts';

/** With as many in the long runs, no instance is through before it is killed. */
const DECOYS = IS_LONG ? 20_000 : 4_000;
const PROTEIN = '>p\nPQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKM\n';
const BASES = '>n\nGAATTCCCGCTACAGGGGGGGCCTGAGGCACTGCAGAAAGTGGGCCTGAGC\n';

const ALPHA =
  'MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR';
const TITLES = [
  'é1 protéine α – une chaîne de l’hémoglobine, décrite à la main # 1, plus longue qu’une ligne',
  'è1 protéine β',
  'x alpha',
  'x alpha again',
];

const longIt = inLongRuns(it);

describe('searches', function () {
  this.timeout(300_000);
  let pack: InstalledPack;
  let api: TestApi;
  let owner: NewAccount;
  let folder: string;
  let files: SearchFiles;
  let bare: ReturnType<typeof bareRun>;
  let keys: SearchFiles;

  before(async function () {
    const found = await realPack(blastPack);
    if (found === null) return this.skip();
    pack = found;
    folder = mkdtempSync(join(tmpdir(), 'dockyard-blast-'));
    files = chainsAmongDecoys(folder, DECOYS);
    bare = bareRun(pack, folder, { program: 'blastp', files, args: ['-max_target_seqs', '50'] });
    api = await testApi();
    owner = await api.account();
    await untilOffered(api, owner.liveKey, 'blastp');
    await untilOffered(api, owner.liveKey, 'blastn');
    keys = await stored(api, owner.liveKey);
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** The storage keys of the files of a customer. */
  const stored = async (on: TestApi, key: string): Promise<SearchFiles> => ({
    queries: await on.upload(key, files.queries, { filename: 'chains.fasta' }),
    database: await on.upload(key, files.database, { filename: 'decoys.fasta' }),
  });
  const search = (
    { queries, database }: SearchFiles,
    params: object = {},
    more: object = {},
  ): Record<string, unknown> => ({
    ...{ jobType: 'simulation', simulator: 'blastp', sceneFile: queries, attachments: [database] },
    simulationParams: { blastDatabasePath: 'decoys.fasta', blastMaxHits: 50, ...params },
    ...more,
  });
  const expectBare = async (jobId: string, on = api, key = owner.liveKey): Promise<void> => {
    const customer = dockingCustomer(on, key);
    const outputs = await customer.outputsOf(jobId);
    expect(await customer.read(outputs, 'hits.tsv')).to.equal(bare.hits);
    expect(JSON.parse(await customer.read(outputs, 'hits.json'))).to.deep.equal(bare.report);
    const alignments = await customer.read(outputs, 'alignments.txt');
    const queries = files.queries.match(/^>/gm)?.length ?? 0;
    expect(queries).to.be.at.least(10);
    expect(alignments.match(/^Query= /gm)).to.have.length(queries);
    const summary = JSON.parse(await customer.read(outputs, 'search.json'));
    expect(summary.engine).to.deep.include({ version: pack.version, packSha256: pack.digest });
    expect(summary.missingTasks).to.deep.equal([]);
  };

  for (const [taskCount, blastThreads] of [
    [1, 1],
    [5, 2],
  ] as const) {
    it(`report what one bare run does, in ${taskCount} tasks with ${blastThreads} threads`, async () => {
      const status = await searched(api, owner.liveKey, search(keys, { blastThreads }, { taskCount }));
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      expect(status.cost.chargedCents).to.be.within(1, status.cost.heldCents);
      await expectBare(status.jobId);
    });
  }

  it('make a database once, and take it again for the same file', async () => {
    const rows = await api.db.query<{ reused: boolean; jobs: number }[]>(
      `select (t.summary->>'databaseReused')::boolean as reused, count(*)::int as jobs from tasks t
       join jobs j on j.id = t.job_id where j.account_id = $1 and t.kind = 'prepare' group by 1 order by 1`,
      [owner.accountId],
    );
    expect(rows).to.deep.equal([
      { reused: false, jobs: 1 },
      { reused: true, jobs: 1 },
    ]);
  });

  it('keep the letters of ids and titles, and tell what is there twice, empty, or too few', async () => {
    const query = 'ü1 requête';
    const records = [...TITLES.map((title) => `>${title}\n${ALPHA}\n`), '>empty\n'];
    const named = {
      queries: await api.upload(owner.liveKey, `>${query}\n${ALPHA}\n`, { filename: 'q.fasta' }),
      database: await api.upload(owner.liveKey, records.join(''), { filename: 'named.fasta' }),
    };
    const wanted = search(named, { blastDatabasePath: 'named.fasta', blastMaxHits: 4 });
    const { body: estimate } = await api.call(owner.liveKey, 'POST', 'jobs/estimate', {
      ...{ jobType: 'simulation', simulator: 'blastp' },
      simulationParams: { blastMaxHits: 4 },
    });
    expect(estimate.warnings.map(({ code }: { code: string }) => code)).to.deep.equal(['BLAST_HITS_FEW']);
    const codes = ['BLAST_HITS_FEW', 'DATABASE_ID_REPEATED', 'DATABASE_RECORD_EMPTY'];
    for (const reused of [false, true]) {
      const status = await searched(api, owner.liveKey, wanted);
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      expect(status.warnings.map(({ code }: { code: string }) => code).toSorted()).to.deep.equal(codes);
      const customer = dockingCustomer(api, owner.liveKey);
      const outputs = await customer.outputsOf(status.jobId);
      const rows = (await customer.read(outputs, 'hits.tsv')).trimEnd().split('\n');
      const names = rows.map((row) => row.split('\t').slice(0, 2));
      expect(names.map(([name]) => name)).to.deep.equal(TITLES.map(() => 'ü1'));
      expect(names.map(([, subject]) => subject).toSorted()).to.deep.equal(['x', 'x', 'è1', 'é1']);
      const report = JSON.parse(await customer.read(outputs, 'hits.json'));
      const found = report.BlastOutput2[0].report.results.search;
      const titles = found.hits.map((hit: { description: { title: string }[] }) => hit.description[0]?.title);
      expect(found.query_title).to.equal(query);
      expect(titles.toSorted()).to.deep.equal(TITLES.toSorted());
      expect(names.map(([, subject]) => subject)).to.deep.equal(
        titles.map((title: string) => title.split(' ')[0]),
      );
      const alignments = await customer.read(outputs, 'alignments.txt');
      expect(alignments).to.contain(`Query= ${query}\n`);
      const shown = [...alignments.matchAll(/\n>([^]*?)\nLength=/g)].map(([, title = '']) =>
        title.replaceAll('\n', '').trim(),
      );
      expect(shown).to.deep.equal(titles);
      expect(reused).to.equal(
        (
          await api.db.query<{ reused: boolean }[]>(
            `select (summary->>'databaseReused')::boolean as reused from tasks where job_id = $1 and kind = 'prepare'`,
            [status.jobId],
          )
        )[0]?.reused,
      );
    }
  });

  longIt('report the same after their instance, a process of its own, was killed', async () => {
    const apart = await processApi();
    const { liveKey: key } = await apart.account();
    await untilOffered(apart, key, 'blastp');
    const { body: submitted } = await apart.submit(
      key,
      search(await stored(apart, key), {}, { taskCount: 5 }),
    );
    const { jobId } = submitted;
    await until('one task is verified', async () => {
      const { body } = await apart.call(key, 'GET', `jobs/${jobId}/status`);
      return body.progress.completed > 0;
    });
    const [row] = await apart.db.query<{ provider_id: string }[]>(
      `select provider_id from instances where job_id = $1 and fenced_at is null`,
      [jobId],
    );
    apart.stack.kill(`instance/${row?.provider_id ?? expect.fail('no instance')}`);
    const { body } = await apart.ends(key, jobId, 240);
    expect(body.status, JSON.stringify(body.failures)).to.equal('SUCCEEDED');
    await expectBare(jobId, apart, key);
  });

  describe('that cannot be run', () => {
    it('are refused with a code, hold nothing and leave no job', async () => {
      const other = await api.account();
      const stranger = { key: other.liveKey };
      const sent = async (content: string, filename = 'x.fasta'): Promise<string> =>
        api.upload(stranger.key, content, { filename });
      const database = await sent('>d\nPQITLWQRPLVTIKIGGQLKE\n', 'd.fasta');
      const good = await sent(PROTEIN);
      const cases: readonly (readonly [string, string, number, object])[] = [
        ['no queries', 'SCENE_FILE_REQUIRED', 422, { sceneFile: undefined }],
        ['empty', 'QUERY_EMPTY', 422, { sceneFile: await sent('\n') }],
        ['comments alone', 'QUERY_EMPTY', 422, { sceneFile: await sent('; nothing\n') }],
        ['cut off', 'QUERY_INVALID', 422, { sceneFile: await sent('>a\nMKV\n>b') }],
        ['binary', 'QUERY_INVALID', 422, { sceneFile: await sent('>a\nMK\0V\n') }],
        ['compressed', 'QUERY_INVALID', 422, { sceneFile: await sent('\u001f\u008b\b') }],
        ['a letter that is none', 'QUERY_INVALID', 422, { sceneFile: await sent('>a\nMK?V\n') }],
        ['one name twice', 'QUERY_INVALID', 422, { sceneFile: await sent('>a\nMKV\n>a\nMKL\n') }],
        ['nucleotides', 'QUERY_TYPE_MISMATCH', 422, { sceneFile: await sent(BASES) }],
        ['too long', 'QUERY_TOO_LARGE', 422, { sceneFile: await sent(`>a\n${'M'.repeat(100_001)}\n`) }],
        ['more tasks than queries', 'TASK_COUNT_MISMATCH', 422, { taskCount: 2 }],
        ['no database', 'DATABASE_MISSING', 422, { simulationParams: {} }],
        [
          'two databases',
          'DATABASE_CONFLICT',
          422,
          { simulationParams: { blastDatabaseName: 'nr', blastDatabasePath: 'd.fasta' } },
        ],
        ['an unknown name', 'DATABASE_MISMATCH', 422, { simulationParams: { blastDatabaseName: 'nr' } }],
        ['no such attachment', 'DATABASE_FILE_MISSING', 422, { attachments: [] }],
        [
          'the other type',
          'DATABASE_TYPE_MISMATCH',
          422,
          { simulationParams: { blastDatabasePath: 'd.fasta', blastDatabaseType: 'nucl' } },
        ],
        ['a task of blastn', 'VALIDATION_ERROR', 400, { parameters: { task: 'megablast' } }],
        ['a parameter that is none', 'VALIDATION_ERROR', 400, { parameters: { matrix: 'BLOSUM45' } }],
        ['a file that is not there', 'INPUT_NOT_FOUND', 404, { sceneFile: 'accounts/x/uploads/y/z' }],
      ];
      for (const [what, code, status, more] of cases) {
        const body = {
          ...{ jobType: 'simulation', simulator: 'blastp', sceneFile: good, attachments: [database] },
          simulationParams: { blastDatabasePath: 'd.fasta' },
          ...more,
        };
        const answer = await api.submit(stranger.key, body);
        expect([answer.status, answer.body.code], `${what}: ${answer.body.error}`).to.deep.equal([
          status,
          code,
        ]);
      }
      expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
    });
  });
});

/**
 * Exports and a receipt, made by the services themselves, opened by what customers have: pandas, pyarrow, RDKit and a library of
 * cryptography. The checks are `test/readers/test_readers.py`, run by pytest.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { withStoredContent } from '../../api/projects/content.ts';
import type { CreateExportRequest } from '../../src/domain/docking-exports.ts';
import type { DockingRecord } from '../../src/domain/docking-results.ts';
import { createDockingExports } from '../../src/services/docking/exports/index.ts';
import { writeExport } from '../../src/services/docking/exports/write.ts';
import { createDockingResults } from '../../src/services/docking/results/index.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { createFileTurns } from '../../src/services/file-turns.ts';
import { issueReceipt } from '../../src/services/receipts/issue.ts';
import {
  createReceiptSigner,
  listReceiptKeys,
  publishReceiptKeys,
} from '../../src/services/receipts/keys.ts';
import type { ReceiptSigner } from '../../src/services/receipts/keys.ts';
import { createProjects } from '../../src/services/projects/index.ts';
import { readReceipt } from '../../src/services/receipts/read.ts';
import { issueRevisionReceipts, readRevisionReceipt } from '../../src/services/receipts/revisions.ts';
import { createSecretBox } from '../../src/services/secret-box.ts';
import { findTool, projectRoot } from '../../src/stack/tools.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { dock, dockedBatch, dockedRecord, storePosesOf } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { createDiversity } from '../../src/adapters/chemistry/diversity.ts';
import { suitePatterns } from '../support/patterns.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import type { Answers } from '../../src/domain/answers.ts';

type ResultRecord = Answers['getDockingResult']['result'];

const run = promisify(execFile);
const READERS = join(projectRoot, 'test', 'readers');
/** More than two pages of an export, so that a file has several row groups. */
const LIGANDS = 2_100;
const FAILED = LIGANDS - 1;
/** As `test/readers/write_poses.py` writes them: SMILES as given and as docked, and the charge. */
const DOCKED: readonly (readonly [string, string, number])[] = [
  ['C[C@H](N)C(=O)O', 'C[C@H]([NH3+])C(=O)[O-]', 0],
  ['CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O', 'CC(C)Cc1ccc([C@H](C)C(=O)[O-])cc1', -1],
  ['F/C=C\\Cl', 'F/C=C\\Cl', 0],
];
const LABELS = ['=1+1, "so"', 'two\nlines', 'β-lactam Å 🧪'];

/** These exports pick nothing. */
const NO_DIVERSITY = createDiversity({ command: null, log: { warn: () => undefined } });

describe('exports and receipts in the hands of a customer', function () {
  this.timeout(180_000);
  const home = suiteHome();
  const patterns = suitePatterns();
  let folder = '';
  let batch: DockedBatch;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-test-readers-'));
    await mkdir(join(folder, 'poses'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const python = async (...args: readonly string[]): Promise<string> => {
    const sources = ['session', 'structures', 'autodock-vina'].map((name) =>
      join(projectRoot, 'science', name, 'src'),
    );
    const { stdout } = await run(findTool('science-dev', process.env), ['-P', ...args], {
      cwd: projectRoot,
      env: {
        ...{ HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: sources.join(':') },
        DOCKYARD_READERS_FOLDER: folder,
      },
    }).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return expect.fail(`${args.join(' ')}: ${out.slice(-6_000)}${stderr.slice(-2_000)}`);
    });
    return stdout;
  };
  const recordOf = (n: number): DockingRecord => {
    const [smilesInput, smilesDocked, formalCharge] = DOCKED[n] ?? [`${'C'.repeat((n % 40) + 1)}O`, 'CO', 0];
    const warnings = ['LIGAND_DESALTED', 'STEREO_UNSPECIFIED', 'STEREO_UNSPECIFIED'].map((code) => ({
      ...{ code, message: 'a message' },
    }));
    // The ligands with poses are the best, and not in the order of the library.
    const best = n < DOCKED.length ? -20 + ((n + 1) % DOCKED.length) : -4 - ((n * 7919) % 1000) / 128;
    return dockedRecord([best, -3], [], {
      ...{ smilesInput, smilesDocked, formalCharge, ligandEfficiency: n % 5 === 4 ? null : n / 7 },
      warnings: n % 9 === 0 ? warnings : [],
      ...{
        descriptors: n % 3 === 0 ? null : figuresOf(n),
        secondAffinityKcalMol: -n / 8,
        secondRank: 1,
        states: null,
      },
    });
  };
  const figuresOf = (n: number): DockingRecord['descriptors'] => ({
    ...{ molecularWeight: 100 + n / 8, logP: -n / 16, tpsa: n / 4, donors: n % 4, acceptors: n % 6 },
    ...{ rotatableBonds: n % 9, qed: (n % 8) / 8, alerts: n % 2 === 0 ? ['NIH: x'] : [], scaffold: 'C1CC1' },
  });
  /** Stores the poses of a ligand, as its commit does. */
  const storePoses = async (ordinal: number): Promise<void> => {
    const bytes = await readFile(join(folder, 'poses', `l${ordinal}.sdf`));
    await storePosesOf(home, batch, ordinal, bytes);
  };
  const actor = () => ownerOf(batch.accountId, batch.userId);
  /** Makes an export, and puts its file into the folder. */
  const exported = async (name: string, body: Omit<CreateExportRequest, 'sort'>): Promise<void> => {
    const workflows = { startExport: async () => undefined };
    const services = createDockingExports({
      ...{ db: home.db, patterns, diversity: NO_DIVERSITY, workflows, log: { warn: () => undefined } },
    });
    const of = { kind: 'batch', id: batch.batchId } as const;
    const asked = await services.create(actor(), of, { sort: 'affinity', ...body });
    const turns = createFileTurns(home.db, { ofAccount: 4, inProcess: 4 });
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    await writeExport({ db: home.db, store: home.store, turns }, asked.export.id, options);
    const { artifact } = (await services.get(actor(), asked.export.id)).export;
    const opened = await home.store.read(artifact?.storage_key ?? '');
    const pieces: Buffer[] = [];
    for await (const piece of opened?.stream ?? []) pieces.push(piece as Buffer);
    await writeFile(join(folder, name), Buffer.concat(pieces));
  };
  const writeJson = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, name), JSON.stringify(value));

  /** A batch that has ended, whose first three ligands have poses. */
  const endedBatch = async (): Promise<void> => {
    batch = await dockedBatch(home, LIGANDS);
    const numbers = Array.from({ length: FAILED }, (_, n) => n);
    await dock(home.db, batch.jobId, Object.fromEntries(numbers.map((n) => [n, recordOf(n)])));
    await home.db.query(
      `update tasks set state = 'FAILED', failure_code = 'LIGAND_EMBED_FAILED', failure_message = 'no shape, "none"'
       where job_id = $1 and kind = 'task' and ordinal = $2`,
      [batch.jobId, FAILED],
    );
    await home.db.query(`update jobs set status = 'PARTIALLY_SUCCEEDED', finished_at = now() where id = $1`, [
      batch.jobId,
    ]);
    await home.db.query(`update ligand_libraries set property_names = '{vendor}' where id = $1`, [
      batch.libraryId,
    ]);
    await home.db.query(
      `update ligand_library_records set label = ($2::text[])[ordinal + 1] where library_id = $1 and ordinal < 3`,
      [batch.libraryId, LABELS],
    );
    for (const ordinal of DOCKED.keys()) await storePoses(ordinal);
  };
  const allResults = async (): Promise<readonly ResultRecord[]> => {
    const found: ResultRecord[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = { sort: 'affinity', limit: 1_000, ...(cursor === '' ? {} : { cursor }) } as const;
      const of = { kind: 'batch', id: batch.batchId } as const;
      const page: Awaited<ReturnType<ReturnType<typeof createDockingResults>['list']>> =
        await createDockingResults(home.db, patterns).list(actor(), of, query);
      found.push(...page.results);
      cursor = page.nextCursor;
    }
    return found;
  };
  /** The receipt of a revision whose content names a file of the account. */
  const revisionReceipt = async (signer: ReceiptSigner, accountId: string): Promise<object> => {
    const issuer = 'https://dockyard.example.org';
    const box = createSecretBox(`a:${'0a'.repeat(32)}`);
    const [output] = await home.db.query('select id from artifacts where account_id = $1', [accountId]);
    const content = { notes: 'Prüfung 🧪', files: [`/api/v1/molecular/assets/${output.id}`] };
    const { project } = await createProjects({ db: home.db, box, publicUrl: issuer }).create(
      ownerOf(accountId),
      {
        body: withStoredContent({ name: 'n', content }).value,
        idempotencyKey: 'a-key-of-mine',
        fingerprint: 'f',
      },
    );
    await issueRevisionReceipts({ db: home.db, signer, issuer });
    return readRevisionReceipt(home.db, ownerOf(accountId), { projectId: project.id, version: 1 });
  };
  /** The receipt of a job that was admitted, committed and settled. */
  const receipt = async (): Promise<void> => {
    const signer = createReceiptSigner(`key-1:${randomBytes(32).toString('hex')}`);
    if (signer === null) return expect.fail('no key');
    await publishReceiptKeys(home.db, signer);
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    const { jobId, accountId } = await runningJob(home, [], { jobName: 'Prüfung 🧪' });
    await stage(home, jobId, 'an output');
    const of = { jobId, execution: 1 } as const;
    await commitTasks(
      { ...home, tools },
      { ...of, slot: 0, generation: 1, kind: 'task', reports: [reportOf('result.bin', 'an output')] },
    );
    await settleJob(home.db, { ...of, transition: 9, to: 'CANCELLED', reason: null, pauseReason: null });
    await issueReceipt({ db: home.db, tools, signer, issuer: 'https://dockyard.example.org' }, of);
    await writeJson(
      'receipt.json',
      await readReceipt(home.db, ownerOf(accountId), jobId, { execution: null }),
    );
    await writeJson('revision-receipt.json', await revisionReceipt(signer, accountId));
    await writeJson('receipt-keys.json', await listReceiptKeys(home.db));
  };

  it('are read by pandas, pyarrow and RDKit with the values that the API answers, and are proven by another library', async () => {
    await python(join(READERS, 'write_poses.py'), join(folder, 'poses'));
    await endedBatch();
    await exported('results.csv', { format: 'csv' });
    await exported('results.parquet', { format: 'parquet' });
    const best = { format: 'sdf', topN: DOCKED.length } as const;
    await exported('best.sdf', best);
    await exported('all.sdf', { ...best, poses: 'all' });
    await receipt();
    await writeJson('results.json', await allResults());
    const found = await python(
      '-m',
      'pytest',
      '-c',
      'science/pyproject.toml',
      join(READERS, 'test_readers.py'),
    );
    expect(found).to.match(/^9 passed/m);
  });
});

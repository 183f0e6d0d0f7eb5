/**
 * The judgement of outputs: the size and digest of the store count, not those of the report; the tool's verdict counts,
 * and an exception of the tool is a verdict too.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { TaskReport } from '../../src/contracts/instance.ts';
import { MAX_UNVERIFIED_ATTEMPTS } from '../../src/domain/lost-output.ts';
import { createByteBudget } from '../../src/services/stored-objects/byte-budget.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import type { CommitDependencies, CommitResult } from '../../src/services/execution/commit/commit.ts';
import { checkCompleteness } from '../../src/services/execution/settle/completeness.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { byPieces } from '../../src/tools/output-readers.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { ReadOutput, Tool, ToolOutputs } from '../../src/tools/tool.ts';
import { suiteHome } from '../support/home.ts';
import { wholeOf } from '../support/read-outputs.ts';
import { refusalOf } from '../support/refusals.ts';
import { objectsOf, reportOf, runningJob, stage, startAgain } from '../support/running-job.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const VERIFIED = { fenced: false, verified: 1, failed: 0, redo: [] };
const REDO = { fenced: false, verified: 0, failed: 0, redo: [0] };
const FAILED = { fenced: false, verified: 0, failed: 1, redo: [] };
const CONTENT = 'bytes';
const GOOD = reportOf('result.bin', CONTENT);

/** Reads an output to its end. */
const WHOLE = byPieces(async (pieces) => (await wholeOf(pieces)).toString());

/** What a tool does with the one output. */
type Verify = (read: ReadOutput) => Promise<string | null>;

describe('the judgement of outputs', () => {
  const home = suiteHome();

  const commit = (
    jobId: string,
    reports: readonly TaskReport[],
    change: { readonly verify?: Verify; readonly store?: ObjectStore } & Pick<
      CommitDependencies,
      'reads' | 'metrics'
    > = {},
  ): Promise<CommitResult> => {
    const { verify, store = home.store, ...more } = change;
    const outputs: ToolOutputs =
      verify === undefined
        ? noop.outputs
        : { ...noop.outputs, verify: (_kind, _item, _outputs, read) => verify(read) };
    const tool: Tool = { ...noop, outputs };
    const tools = { ...createToolRegistry({ testTools: TEST_TOOLS }), find: () => tool };
    const request = { jobId, execution: 1, slot: 0, generation: 1, kind: 'task', reports } as const;
    return commitTasks({ db: home.db, store, tools, recorders: RECORDERS, ...more }, request);
  };
  const failureOf = async (jobId: string): Promise<{ code: string | null; message: string | null }> => {
    const [row] = await home.db.query<{ code: string | null; message: string | null }[]>(
      `select failure_code as code, failure_message as message from tasks where job_id = $1 and kind = 'task' and ordinal = 0`,
      [jobId],
    );
    return row ?? expect.fail('no such task');
  };
  const lastAttempt = (jobId: string): Promise<unknown> =>
    home.db.query('update tasks set attempts = $2 where job_id = $1 and ordinal = 0', [
      jobId,
      MAX_UNVERIFIED_ATTEMPTS,
    ]);

  const throwing: Readonly<Record<string, Verify>> = {
    'exhausts the stack': () => {
      const deeper = (): number => 1 + deeper();
      return Promise.resolve(String(deeper()));
    },
    'throws over what it has read': async (read) => JSON.parse(await read('result.bin', WHOLE)) as string,
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a tool may throw anything
    'throws something that is no error': () => Promise.reject({ message: 'The store does not answer.' }),
    'reads what is not there': async (read) => read('other.bin', WHOLE),
    'swallows all of that': (read) => read('other.bin', WHOLE).catch(() => 'it did not like them'),
  };
  for (const [what, verify] of Object.entries(throwing)) {
    it(`of a tool that ${what} is against the outputs: done again, in the end OUTPUT_UNVERIFIED`, async () => {
      const job = await runningJob(home);
      await stage(home, job.jobId, CONTENT);
      expect(await commit(job.jobId, [GOOD], { verify })).to.deep.equal(REDO);
      await startAgain(home.db, job.jobId);
      await lastAttempt(job.jobId);
      await stage(home, job.jobId, CONTENT);
      expect(await commit(job.jobId, [GOOD], { verify })).to.deep.equal(FAILED);
      expect(await failureOf(job.jobId)).to.include({ code: 'OUTPUT_UNVERIFIED' });
      expect(await objectsOf(home, job), 'no copy is kept').to.deep.equal([]);
    });
  }

  const readAll: Verify = async (read) => {
    await read('result.bin', WHOLE);
    return null;
  };
  const outages: Readonly<Record<string, Verify>> = {
    'a tool that lets it pass': readAll,
    'a tool that swallows it': (read) => readAll(read).catch(() => null),
    'a tool that blames the outputs': (read) => readAll(read).catch(() => 'they cannot be read'),
    'a tool that throws something else': (read) =>
      readAll(read).catch(() => Promise.reject(new RangeError('no'))),
  };
  for (const [whose, verify] of Object.entries(outages)) {
    it(`is put off while the store cannot be read: ${whose}`, async () => {
      const { jobId } = await runningJob(home);
      await stage(home, jobId, CONTENT);
      const outage = new RangeError('the store is away');
      for (const store of [
        { ...home.store, read: () => Promise.reject(outage) },
        { ...home.store, read: () => Promise.resolve(null) },
        { ...home.store, read: () => Promise.resolve(cutOff()) },
      ])
        expect(await refusalOf(commit(jobId, [GOOD], { verify, store }))).to.be.instanceOf(Error);
      expect(await failureOf(jobId)).to.deep.equal({ code: null, message: null });
      expect(await commit(jobId, [GOOD], { verify })).to.deep.equal(VERIFIED);
    });
  }

  /** A store that records its calls and the moment of the first byte; with false it computes no digest. */
  const noting = (asked: string[], computesDigests = true): ObjectStore => ({
    ...home.store,
    head: (...of) => (asked.push('head'), home.store.head(...of)),
    hash: (...of) => (asked.push('hash'), home.store.hash(...of)),
    read: async (...of) => {
      asked.push('read');
      const object = await home.store.read(...of);
      return object === null ? null : { ...object, stream: notingBytes(object.stream, asked) };
    },
    copy: async (...of) => {
      asked.push('copy');
      const copy = await home.store.copy(...of);
      return copy === null || computesDigests ? copy : { ...copy, sha256: null };
    },
  });

  for (const computesDigests of [true, false]) {
    it(`goes by the store's size before a byte is read, ${computesDigests ? 'with' : 'without'} a digest of the store's`, async () => {
      const { jobId } = await runningJob(home);
      const large = 'x'.repeat(100_000);
      const asked: string[] = [];
      await stage(home, jobId, large);
      await lastAttempt(jobId);
      const report = reportOf('result.bin', large, { byteSize: 100 });
      const store = noting(asked, computesDigests);
      expect(await commit(jobId, [report], { store, verify: readAll })).to.deep.equal(FAILED);
      expect(asked).to.deep.equal(['copy', computesDigests ? 'read' : 'head']);
      expect((await failureOf(jobId)).message)
        .to.include('100000 bytes')
        .and.include('100 were reported');

      const honest = await runningJob(home);
      await stage(home, honest.jobId, large);
      asked.length = 0;
      expect(
        await commit(honest.jobId, [reportOf('result.bin', large)], { store, verify: readAll }),
      ).to.deep.equal(VERIFIED);
      expect(asked).to.deep.equal([
        ...(computesDigests ? ['copy'] : ['copy', 'head', 'hash']),
        ...['read', 'byte'],
      ]);
      const other = await runningJob(home);
      await stage(home, other.jobId, large.replace('x', 'y'));
      expect(await commit(other.jobId, [reportOf('result.bin', large)], { store })).to.deep.equal(REDO);
    });
  }

  it('finds the size of what no tool reads when the job is proven complete, and does it again', async () => {
    const { jobId } = await runningJob(home);
    await stage(home, jobId, 'more bytes');
    const report = reportOf('result.bin', 'more bytes', { byteSize: 5 });
    expect(await commit(jobId, [report])).to.deep.equal(VERIFIED);
    await home.db.query(`update tasks set state = 'CANCELLED' where job_id = $1 and state = 'PENDING'`, [
      jobId,
    ]);
    await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [jobId]);
    expect(await checkCompleteness(home, jobId)).to.include({ setBack: 1 });
  });

  it('copies nothing that is larger than its kind may be, or of a kind that the tool does not write', async () => {
    for (const change of [
      { byteSize: (noop.outputs.largestBytes['result'] ?? 0) + 1 },
      { kind: 'other' },
      { kind: 'constructor' },
    ]) {
      const { jobId } = await runningJob(home);
      const asked: string[] = [];
      await stage(home, jobId, CONTENT);
      const report = reportOf('result.bin', CONTENT, change);
      expect(await commit(jobId, [report], { store: noting(asked) })).to.deep.equal(REDO);
      expect(asked).to.deep.equal([]);
    }
  });

  it('of all commits of a process takes no more memory at once than the budget', async () => {
    const reads = createByteBudget(2 * WHOLE.memoryBytes(CONTENT.length));
    let [held, most, left] = [0, 0, 12];
    const allHere = Promise.withResolvers<null>();
    const store: ObjectStore = {
      ...home.store,
      copy: async (...of) => {
        const copy = await home.store.copy(...of);
        // Every commit has begun before the first byte is read.
        left -= 1;
        if (left === 0) allHere.resolve(null);
        await allHere.promise;
        return copy;
      },
      read: (...of) => {
        held += CONTENT.length;
        most = Math.max(most, held);
        return home.store.read(...of);
      },
    };
    const verify: Verify = (read) =>
      read(
        'result.bin',
        byPieces(async (pieces) => {
          await WHOLE.read(pieces);
          held -= CONTENT.length;
          return null;
        }),
      );
    const jobs = await Promise.all(Array.from({ length: left }, () => runningJob(home)));
    await Promise.all(jobs.map(({ jobId }) => stage(home, jobId, CONTENT)));
    const ends = await Promise.all(jobs.map(({ jobId }) => commit(jobId, [GOOD], { verify, store, reads })));
    for (const end of ends) expect(end).to.deep.equal(VERIFIED);
    expect([most, held]).to.deep.equal([2 * CONTENT.length, 0]);
  });

  it('is counted by its cause, once however often the commit is repeated', async () => {
    const counted: string[] = [];
    let committed = 0;
    const metrics = {
      bad: (cause: string) => void counted.push(cause),
      committed: (count: number) => void (committed += count),
    };
    const cases: Readonly<
      Record<
        string,
        { readonly staged: string | null; readonly report: TaskReport; readonly verify?: Verify }
      >
    > = {
      not_staged: { staged: null, report: GOOD },
      changed: { staged: 'BYTES', report: GOOD },
      size: {
        staged: 'more bytes',
        report: reportOf('result.bin', 'more bytes', { byteSize: 5 }),
        // A tool that ignores the failure of a read.
        verify: (read) => readAll(read).catch(() => null),
      },
      too_large: { staged: CONTENT, report: reportOf('result.bin', CONTENT, { byteSize: 2 ** 40 }) },
      unverified: { staged: CONTENT, report: GOOD, verify: () => Promise.resolve('no') },
      report: { staged: CONTENT, report: { ...GOOD, summary: [] } as unknown as TaskReport },
    };
    for (const [cause, { staged, report, verify }] of Object.entries(cases)) {
      const { jobId } = await runningJob(home);
      if (staged !== null) await stage(home, jobId, staged);
      const change = { metrics, ...(verify === undefined ? {} : { verify }) };
      const first = await commit(jobId, [report], change);
      expect(await commit(jobId, [report], change), cause).to.deep.equal(first);
      expect(counted.splice(0), cause).to.deep.equal([cause]);
    }
    const { jobId } = await runningJob(home);
    await stage(home, jobId, CONTENT);
    for (let times = 0; times < 2; times += 1)
      expect(await commit(jobId, [GOOD], { metrics })).to.deep.equal(VERIFIED);
    expect({ counted, committed }).to.deep.equal({ counted: [], committed: 1 });
  });

  it('is not stopped by reports of tasks that cannot be, nor changed by a second report of a task', async () => {
    const { jobId } = await runningJob(home);
    await stage(home, jobId, CONTENT);
    const second = reportOf('second.bin', CONTENT);
    const odd = [
      { ...GOOD, ordinal: 2 ** 40 },
      { ...GOOD, ordinal: -1 },
      { ...GOOD, ordinal: '0' },
      'nothing',
      null,
    ] as unknown as TaskReport[];
    expect(await commit(jobId, [...odd, GOOD, second])).to.deep.equal(VERIFIED);
    const names = await home.db.query<{ name: string; sha256: string }[]>(
      'select name, sha256 from artifacts where job_id = $1',
      [jobId],
    );
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    expect(names).to.deep.equal([{ name: 'result.bin', sha256 }]);
  });
});

/** An object whose stream ends before the announced length. */
function cutOff() {
  return { stream: Readable.from([Buffer.from('by')]), byteSize: CONTENT.length, etag: null };
}

/** A stream that records when its first byte is asked for. */
function notingBytes(inner: Readable, asked: string[]): Readable {
  const outer = Readable.from(
    (async function* () {
      asked.push('byte');
      yield* inner;
    })(),
  );
  return outer.on('close', () => inner.destroy());
}

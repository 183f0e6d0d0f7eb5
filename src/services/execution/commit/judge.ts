/**
 * Judges the outputs that a task has reported. The report is not believed: the store copies each staged object to a place where
 * no instance may write, and the size and the digest of the copy are compared with the report. The size of a copy is compared
 * before a byte of the copy is read here; the size of a copy that nobody reads is compared when the job is proven complete. The
 * answer or the error of the tool when it reads the bytes is its verdict on the outputs. Only an error of the store is passed on,
 * so that an outage of the store delays a task and never fails a task.
 */
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StagedOutput } from '../../../contracts/instance.ts';
import { copiedKey, stagedKey } from '../../../contracts/names.ts';
import type { Pieces } from '../../../tools/pieces.ts';
import type { ReadOutput, Tool, Verdict } from '../../../tools/tool.ts';
import type { ByteBudget } from '../../stored-objects/byte-budget.ts';
import { ObjectSizeError, readExactly } from '../../stored-objects/read-object.ts';
import type { Recorder } from '../recorder.ts';
import type { BadCause, OutputFault } from './bad-outputs.ts';
import type { CommitRequest, DoneReport, Judged, OpenTask, OutputCopy } from './commit-records.ts';

/** One attempt at a batch. */
export interface Attempt {
  readonly accountId: string;
  readonly tool: Tool;
  readonly isDryRun: boolean;
  readonly recorder: Recorder;
  readonly request: CommitRequest;
  /** The random text in the keys of the copies of this attempt. */
  readonly mark: string;
}

export interface JudgeDependencies {
  readonly store: ObjectStore;
  /** The memory in which the process reads outputs. */
  readonly reads: ByteBudget;
}

/** Copies a task's outputs, compares the copies with the report and lets the tool read them. */
export async function judgeOutputs(
  deps: JudgeDependencies,
  attempt: Attempt,
  report: DoneReport,
  task: OpenTask,
): Promise<Judged> {
  const { accountId, request, mark, tool } = attempt;
  const { jobId, kind } = request;
  const copies = report.outputs.map((output) => ({
    output,
    key: copiedKey(accountId, jobId, kind, report.ordinal, { ...output, mark }),
  }));
  const refused = boundFault(tool, report.outputs) ?? (await copyFault(deps.store, request, report, copies));
  const found =
    refused === null ? await judgedByTool(deps, attempt, task, copies) : { fault: refused, record: null };
  return { report, task, copies, ...found };
}

/** The fault of a report that breaks the bounds of the tool; no output of such a report is copied. */
function boundFault(
  { outputs: { largestBytes } }: Tool,
  outputs: readonly StagedOutput[],
): OutputFault | null {
  for (const { name, kind, byteSize } of outputs) {
    const most = Object.hasOwn(largestBytes, kind) ? largestBytes[kind] : undefined;
    if (most === undefined)
      return because('report', `${name} is of the kind ${kind}, which the tool does not write`);
    if (byteSize > most)
      return because('too_large', `${name} has ${byteSize} bytes; an output of its kind has at most ${most}`);
  }
  return null;
}

async function copyFault(
  store: ObjectStore,
  { jobId, slot, generation, kind }: CommitRequest,
  { ordinal }: DoneReport,
  copies: readonly OutputCopy[],
): Promise<OutputFault | null> {
  for (const { output, key } of copies) {
    const { name, byteSize, sha256 } = output;
    const copy = await store.copy(
      stagedKey(jobId, slot, generation, kind, ordinal, name),
      key,
      output.mediaType,
    );
    if (copy === null) return because('not_staged', `${name} was not staged`);
    const stored = copy.byteSize ?? (copy.sha256 === null ? await sizeOf(store, key) : byteSize);
    if (stored !== byteSize) return sizeFault(output, stored);
    const digest = copy.sha256 ?? (await digestOf(store, key));
    if (digest !== sha256) return because('changed', `${name} changed after it was reported`);
  }
  return null;
}

/** The size of a copy that has to be read for its digest. */
async function sizeOf(store: ObjectStore, key: string): Promise<number> {
  return orMissing(await store.head(key), key).byteSize;
}

/** The digest of a copy whose size is known to be the reported size, where the store computes no digest. */
async function digestOf(store: ObjectStore, key: string): Promise<string> {
  return orMissing(await store.hash(key), key).sha256;
}

async function judgedByTool(
  { store, reads }: JudgeDependencies,
  { tool, isDryRun, request }: Attempt,
  { itemId }: OpenTask,
  copies: readonly OutputCopy[],
): Promise<Pick<Judged, 'fault' | 'record'>> {
  const met: Met = {};
  const read: ReadOutput = async (name, reader) => {
    const copy = copies.find((candidate) => candidate.output.name === name);
    if (copy === undefined) throw new Error(`${name} is not among the outputs`);
    // A reader that takes more than the whole budget has the budget for itself.
    const bytes = Math.min(reads.totalBytes, reader.memoryBytes(copy.output.byteSize));
    return reads.hold(bytes, () => reader.read(piecesOf(store, copy, met)));
  };
  const outputs = copies.map(({ output }) => output);
  let verdict: Verdict;
  try {
    verdict = await tool.outputs.verify(request.kind, { itemId, isDryRun }, outputs, read);
  } catch (error) {
    verdict = `the outputs could not be judged: ${error instanceof Error ? error.name : 'an unknown error'}`;
  }
  // The verdict of the tool does not count when the store failed, because the tool could not read the bytes.
  if (met.outage !== undefined) throw met.outage.error;
  if (met.fault !== undefined) return { fault: met.fault, record: null };
  return typeof verdict === 'string'
    ? { fault: because('unverified', verdict), record: null }
    : { fault: null, record: verdict };
}

/** Failures while the tool read, which are no verdict of the tool. */
interface Met {
  outage?: { readonly error: unknown };
  fault?: OutputFault;
}

/** The bytes of a copy; an error of the store is noted, also when the tool catches the error. */
async function* piecesOf(store: ObjectStore, { key, output }: OutputCopy, met: Met): Pieces {
  try {
    yield* readExactly(store, key, output.byteSize);
  } catch (error) {
    if (error instanceof ObjectSizeError) met.fault = sizeFault(output, error.byteSize);
    else met.outage = { error };
    throw error;
  }
}

/** @throws when the store has lost a copy that the store has just made. */
function orMissing<T>(found: T | null, key: string): T {
  if (found === null) throw new Error(`The copy ${key} is missing.`);
  return found;
}

function sizeFault({ name, byteSize }: StagedOutput, stored: number): OutputFault {
  return because('size', `${name} has ${stored} bytes in the store; ${byteSize} were reported`);
}

function because(cause: BadCause, text: string): OutputFault {
  return { cause, text };
}

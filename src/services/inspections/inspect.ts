/**
 * Inspections of receptors: what a preparation would find in a receptor, answered before a docking is paid for. The
 * work of an inspection is an internal job, so that it has every guarantee of a job: fences, recovery, and a report
 * that counts only after the control side has read it. Such a job holds no credits, is never billed, and no list shows
 * it to a customer. The bytes of the receptor do not pass through this process; the bytes of the report do, because
 * they are the answer.
 */
import type { JobAdmission } from '../../contracts/job.ts';
import type { Actor } from '../../domain/access.ts';
import type { ToolRefusal } from '../../domain/codes/code.ts';
import { AppError } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { InspectReceptorRequest } from '../../domain/requests.ts';
import { RECEPTOR_REFUSALS } from '../../tools/receptor-inspect/codes.ts';
import { INSPECT_ID, receptorInspect } from '../../tools/receptor-inspect/index.ts';
import { INSPECTION } from '../../tools/receptor-inspect/report.ts';
import { inspectionJob, inspectionKey } from '../../tools/receptor-inspect/request.ts';
import { checkInputs } from '../jobs/inputs.ts';
import { createByteBudget } from '../stored-objects/byte-budget.ts';
import { readExactly } from '../stored-objects/read-object.ts';
import { ask, mustFind } from './ask.ts';
import type { InspectionDependencies } from './ask.ts';
import type { InspectionRecord, InspectionState } from './records.ts';
import type { InspectionResponse } from '../../domain/answers.ts';

export type { InspectionDependencies } from './ask.ts';

/** The largest receptor file that is accepted, which is as large as the largest that is fetched from the archive. */
export const LARGEST_RECEPTOR_BYTES = 256 * 1024 * 1024;

const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;
/** How long a report answers the same question again. */
const REPORT_DAYS = 30;
/**
 * The archive revises its entries, so the report of an entry that is named by its id alone is used for a shorter time.
 */
const ENTRY_DAYS = 1;
/**
 * The memory in which all requests of this process read reports. The report of an ordinary receptor takes some MiB, the
 * largest report takes nearly all of the memory, and then reports are read one after the other.
 */
const READ_BYTES = 64 * MEBIBYTE;
const PROCESS_READS = createByteBudget(READ_BYTES);
/** Codes of a failed inspection that are answered as they are. */
const TOLD: ReadonlyMap<string, ErrorCode | ToolRefusal> = new Map<string, ErrorCode | ToolRefusal>([
  ...Object.entries(RECEPTOR_REFUSALS),
  ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
]);

/** Makes the inspections. */
export function createInspections(deps: InspectionDependencies) {
  return {
    inspect: (actor: Actor, wanted: InspectReceptorRequest) => inspect(deps, actor, wanted),
    get: (actor: Actor, id: string) => getInspection(deps, actor, id),
  };
}

/**
 * Inspects a receptor, or answers the report of an equal inspection. Waits for the end of the inspection for a while.
 * @throws PAYLOAD_TOO_LARGE, INPUT_NOT_FOUND, ARTIFACT_MISMATCH, UPLOAD_INCOMPLETE, CHECKSUM_MISMATCH, SIZE_MISMATCH,
 * INSPECTION_LIMIT, SERVICE_UNAVAILABLE, INSPECTION_FAILED, and codes of receptors.
 */
async function inspect(
  deps: InspectionDependencies,
  actor: Actor,
  wanted: InspectReceptorRequest,
): Promise<InspectionResponse> {
  const inputs = await pinned(deps, actor, wanted);
  const days = wanted.source.kind === 'pdb' ? ENTRY_DAYS : REPORT_DAYS;
  const inspection = await ask(deps, actor, {
    kind: 'inspection',
    cacheKey: inspectionKey(wanted, receptorInspect.work.toolchainSha256()),
    maxAgeSeconds: days * DAY_SECONDS,
    toolId: INSPECT_ID,
    request: inspectionJob(wanted),
    inputs,
  });
  return answerOf(deps, inspection);
}

async function getInspection(
  deps: InspectionDependencies,
  actor: Actor,
  id: string,
): Promise<InspectionResponse> {
  return answerOf(deps, await mustFind(deps, actor, 'inspection', id));
}

/** Checks the receptor's file in the store; a file that is too large is refused before a row is written. */
async function pinned(
  deps: InspectionDependencies,
  { accountId }: Actor,
  { source }: InspectReceptorRequest,
): Promise<JobAdmission['inputs']> {
  if (source.kind === 'pdb') return [];
  const { artifact } = source;
  if (artifact.byteSize > LARGEST_RECEPTOR_BYTES) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `source.artifact: a receptor has at most ${LARGEST_RECEPTOR_BYTES / MEBIBYTE} MiB. Choose fewer models or chains before you upload it.`,
    );
  }
  const { storageKey } = artifact;
  const pins = await checkInputs(deps, accountId, [
    { path: 'source.artifact', storageKey, reference: artifact },
  ]);
  return [{ storageKey, byteSize: artifact.byteSize, sha256: pins.get(storageKey)?.sha256 ?? null }];
}

async function answerOf(
  deps: Pick<InspectionDependencies, 'store' | 'reads'>,
  { id, createdAt, state }: InspectionRecord,
): Promise<InspectionResponse> {
  switch (state.kind) {
    case 'open':
      return { inspectionId: id, status: 'RUNNING', createdAt, message: state.message, report: null };
    case 'failed':
      throw failureOf(state);
    case 'done': {
      const report = await readReport(deps, state);
      // The commit has read the report, so the object was removed or changed in the store since.
      if (!report.ok) throw new Error(`The report of the inspection ${id} is not what was committed.`);
      return { inspectionId: id, status: 'SUCCEEDED', createdAt, message: null, report: report.value };
    }
    default:
      return state satisfies never;
  }
}

/** Reads a committed report once the process has memory for it. */
function readReport(
  { store, reads = PROCESS_READS }: Pick<InspectionDependencies, 'store' | 'reads'>,
  { storageKey, byteSize }: Extract<InspectionState, { kind: 'done' }>,
): ReturnType<typeof INSPECTION.read> {
  const bytes = Math.min(reads.totalBytes, INSPECTION.memoryBytes(byteSize));
  return reads.hold(bytes, () => INSPECTION.read(readExactly(store, storageKey, byteSize)));
}

function failureOf({ code, message }: { readonly code: string; readonly message: string }): AppError {
  const told = TOLD.get(code);
  if (told !== undefined) return new AppError(told, message);
  return new AppError('INSPECTION_FAILED', `${message} (${code})`);
}

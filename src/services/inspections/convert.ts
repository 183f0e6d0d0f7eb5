/**
 * Conversions of files from one format to another, by internal jobs as inspections are. A file is known by its digest, so the same file is
 * converted once for an account, and the same artifact is answered again for as long as the sweep keeps it.
 */
import type { DataSource } from 'typeorm';

import type { Artifact } from '../../../entities/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { CONVERSIONS, formatOfName, INPUT_FORMATS, OUTPUT_FORMATS, PAIRS } from '../../domain/conversions.ts';
import type { ConversionResponse, ConvertRequest, FileInput } from '../../domain/conversions.ts';
import { AppError } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { ARTIFACT_SCHEMA, REFERENCE_FORMATS } from '../../domain/requests.ts';
import type { ArtifactReference } from '../../domain/requests.ts';
import { CONVERSION_REFUSALS } from '../../tools/format-convert/codes.ts';
import { CONVERT_ID, formatConvert } from '../../tools/format-convert/index.ts';
import { CONVERSION, CONVERTED_KIND } from '../../tools/format-convert/report.ts';
import { conversionJob, conversionKey } from '../../tools/format-convert/request.ts';
import type { Pair } from '../../tools/format-convert/request.ts';
import { registerArtifact } from '../artifacts.ts';
import { checkInputs } from '../jobs/inputs.ts';
import type { Row } from '../row.ts';
import { readExactly } from '../stored-objects/read-object.ts';
import { ask, mustFind } from './ask.ts';
import type { InspectionDependencies } from './ask.ts';
import type { InspectionRecord } from './records.ts';

const MEBIBYTE = 1024 * 1024;
/** The largest file that is converted. */
export const LARGEST_INPUT_BYTES = 64 * MEBIBYTE;
/** A converted file is answered again for as long as it is there and the code is the same. */
const FOR_EVER_SECONDS = 100 * 365 * 24 * 3600;

/** Makes the conversions. */
export function createConversions(deps: InspectionDependencies) {
  return {
    convert: (actor: Actor, wanted: ConvertRequest<FileInput>) => convert(deps, actor, wanted),
    get: async (actor: Actor, id: string) => answerOf(deps, await mustFind(deps, actor, 'conversion', id)),
  };
}

/**
 * Converts a file, or answers what became of an equal conversion. Waits for the end of the conversion for a while.
 * @throws CONVERSION_UNSUPPORTED, PAYLOAD_TOO_LARGE, INPUT_NOT_FOUND, ARTIFACT_MISMATCH, UPLOAD_INCOMPLETE, CHECKSUM_MISMATCH,
 * SIZE_MISMATCH, CONVERSION_LIMIT, SERVICE_UNAVAILABLE, CONVERSION_FAILED, and codes of conversions.
 */
async function convert(
  deps: InspectionDependencies,
  actor: Actor,
  { input, to }: ConvertRequest<FileInput>,
): Promise<ConversionResponse> {
  const pair = pairOf(input, to);
  const { storageKey, byteSize, sha256 } = await fileOf(deps, actor, input, pair);
  const record = await ask(deps, actor, {
    kind: 'conversion',
    cacheKey: conversionKey(sha256, pair, formatConvert.work.toolchainSha256()),
    maxAgeSeconds: FOR_EVER_SECONDS,
    toolId: CONVERT_ID,
    request: conversionJob(storageKey, pair),
    inputs: [{ storageKey, byteSize, sha256 }],
  });
  return answerOf(deps, record);
}

/** The formats of a request. @throws CONVERSION_UNSUPPORTED where nothing is converted so. */
function pairOf(input: FileInput, wanted: string): Pair {
  const called = 'storageKey' in input ? formatOfName(input.storageKey) : input.artifact.format;
  const from = INPUT_FORMATS.find((format) => format === called);
  const to = OUTPUT_FORMATS.find((format) => format === wanted);
  if (from === undefined || to === undefined || CONVERSIONS[from] !== to)
    throw noSuchPair(called ?? 'a file whose name has no known ending', wanted);
  return { from, to };
}

/** The refusal of a pair that there is not. */
export function noSuchPair(from: string, to: string): AppError {
  return new AppError(
    CONVERSION_REFUSALS.CONVERSION_UNSUPPORTED,
    `Nothing is converted from ${from} to ${to}. There are: ${PAIRS}.`,
  );
}

/** The file with its digest; an uploaded file is registered, which computes the digest where there is none. */
async function fileOf(
  deps: InspectionDependencies,
  actor: Actor,
  input: FileInput,
  { from }: Pair,
): Promise<Pick<ArtifactReference, 'storageKey' | 'byteSize' | 'sha256'>> {
  if ('artifact' in input) {
    const { artifact } = input;
    refuseTooLarge(artifact);
    await checkInputs(deps, actor.accountId, [
      { path: 'input.artifact', storageKey: artifact.storageKey, reference: artifact },
    ]);
    return artifact;
  }
  const { response } = await registerArtifact(deps, actor, { storageKey: input.storageKey, format: from });
  refuseTooLarge(response.artifact);
  return response.artifact;
}

function refuseTooLarge({ byteSize }: { readonly byteSize: number }): void {
  if (byteSize > LARGEST_INPUT_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `input: a file of at most ${LARGEST_INPUT_BYTES / MEBIBYTE} MiB is converted; this one has ${byteSize} bytes.`,
    );
}

async function answerOf(
  deps: Pick<InspectionDependencies, 'db' | 'store'>,
  { id, jobId, createdAt, state }: InspectionRecord,
): Promise<ConversionResponse> {
  const answered = { conversionId: id, createdAt };
  switch (state.kind) {
    case 'open':
      return { ...answered, status: 'RUNNING', message: state.message, artifact: null, warnings: [] };
    case 'failed':
      throw failureOf(state);
    case 'done': {
      const { storageKey, byteSize } = state;
      const report = await CONVERSION.read(readExactly(deps.store, storageKey, byteSize));
      // The commit has read the report, so the object was removed or changed in the store since.
      if (!report.ok) throw new Error(`The report of the conversion ${id} is not what was committed.`);
      const artifact = await convertedFile(deps.db, jobId);
      return { ...answered, status: 'SUCCEEDED', message: null, artifact, warnings: report.value.warnings };
    }
    default:
      return state satisfies never;
  }
}

type FileRow = Row<Artifact, 'id' | 'storageKey' | 'sha256' | 'byteSize' | 'mediaType' | 'format'>;

async function convertedFile(db: DataSource, jobId: string): Promise<ArtifactReference> {
  const [file] = await db.query<FileRow[]>(
    'select id, storage_key, sha256, byte_size, media_type, format from artifacts where job_id = $1 and kind = $2',
    [jobId, CONVERTED_KIND],
  );
  const format = REFERENCE_FORMATS.find((known) => known === file?.format);
  if (file === undefined || format === undefined) throw invariantBroken('a conversion has no file');
  return {
    schema: ARTIFACT_SCHEMA,
    artifactId: file.id,
    storageKey: file.storage_key,
    sha256: file.sha256,
    byteSize: file.byte_size,
    mediaType: file.media_type,
    format,
  };
}

function failureOf({ code, message }: { readonly code: string; readonly message: string }): AppError {
  if (code === 'SERVICE_UNAVAILABLE') return new AppError(code, message);
  const told = Object.values(CONVERSION_REFUSALS).find((known) => known.code === code);
  return told === undefined
    ? new AppError('CONVERSION_FAILED', `${message} (${code})`)
    : new AppError(told, message);
}

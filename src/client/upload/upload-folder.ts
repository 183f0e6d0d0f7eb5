/**
 * A folder as one project package: small files several at once, large ones one after the other in parts. The first
 * failure ends it; what is stored by then is not sent again by the next call.
 */
import { randomUUID } from 'node:crypto';

import { CLIENT_CODES, ClientError, localError } from '../errors.ts';
import type { UploadApi } from './api.ts';
import { createMeter } from './meter.ts';
import type { Meter } from './meter.ts';
import { USUAL_CONCURRENCY, USUAL_PART_BYTES } from './options.ts';
import type { UploadedFile, UploadOptions } from './options.ts';
import { planPackage } from './package.ts';
import type { LeftOut, PackageFile } from './package.ts';
import { abortUpload, createShared, createUploader } from './upload-file.ts';
import type { SharedTools } from './upload-file.ts';

/** A folder to upload. */
export interface FolderUpload {
  readonly path: string;
  /** Package that the files go to; a new one by default. */
  readonly projectId?: string;
}

/** A file of an uploaded package. */
export interface UploadedPackageFile extends UploadedFile {
  readonly logicalPath: string;
}

/** An uploaded package. */
export interface UploadedPackage {
  readonly projectId: string;
  readonly files: readonly UploadedPackageFile[];
  /** Empty files, links that lead out, and the like. */
  readonly leftOut: readonly LeftOut[];
}

const MOST_FILES_AT_ONCE = 8;

/** Uploads a folder. */
export async function uploadFolder(
  api: UploadApi,
  folder: FolderUpload,
  options: UploadOptions,
): Promise<UploadedPackage> {
  const { files, leftOut } = await planPackage(folder.path);
  const projectId = folder.projectId ?? randomUUID();
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const atOnce = Math.min(options.concurrency ?? USUAL_CONCURRENCY, MOST_FILES_AT_ONCE);
  const { onProgress, idempotencyKey: _one, ...shared } = options;
  const meter = createMeter({
    totalBytes,
    totalParts: files.length,
    concurrency: () => atOnce,
    onProgress,
  });
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const tools = createShared(api, atOnce);
  const uploaded = new Map<PackageFile, UploadedFile>();
  const send = async (file: PackageFile): Promise<void> => {
    const fileOptions = { skipStored: true, ...shared, signal };
    uploaded.set(file, await uploadOne(api, { file, projectId, meter, tools, options: fileOptions }));
  };
  const isSmall = ({ sizeBytes }: PackageFile): boolean => sizeBytes <= USUAL_PART_BYTES;
  const large = files.filter((file) => !isSmall(file));
  try {
    await inLanes(files.filter(isSmall), atOnce, send, () => stop.abort());
    await inLanes(large, 1, send, () => stop.abort());
  } finally {
    tools.putter.close();
  }
  meter.enter('done');
  const done = files.flatMap((file) => {
    const result = uploaded.get(file);
    return result === undefined ? [] : [{ logicalPath: file.logicalPath, ...result }];
  });
  return { projectId, files: done, leftOut };
}

/**
 * Aborts the unfinished uploads of a folder's files.
 * @throws ClientError NO_OPEN_UPLOAD when there are none.
 */
export async function abortFolder(
  api: UploadApi,
  { path, projectId }: Required<FolderUpload>,
  options: Pick<UploadOptions, 'signal' | 'stateFolder'>,
): Promise<void> {
  const { files } = await planPackage(path);
  let aborted = 0;
  for (const file of files) {
    try {
      await abortUpload(api, { path: file.path, projectId, logicalPath: file.logicalPath }, options);
      aborted += 1;
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== CLIENT_CODES.noOpenUpload) throw error;
    }
  }
  if (aborted === 0)
    throw localError(CLIENT_CODES.noOpenUpload, `There is no unfinished upload of a file in ${path}.`);
}

interface One {
  readonly file: PackageFile;
  readonly projectId: string;
  readonly meter: Meter;
  readonly tools: SharedTools;
  readonly options: UploadOptions;
}

async function uploadOne(
  api: UploadApi,
  { file, projectId, meter, tools, options }: One,
): Promise<UploadedFile> {
  let told = 0;
  const onProgress: UploadOptions['onProgress'] = ({ doneBytes }) => {
    meter.sent(doneBytes - told);
    told = doneBytes;
  };
  const { logicalPath, path } = file;
  const uploader = createUploader(api, { ...options, onProgress }, tools);
  const result = await uploader.upload({ path, projectId, logicalPath });
  meter.sent(-told);
  if (result.skipped) meter.partKept(file.sizeBytes);
  else {
    meter.sent(file.sizeBytes);
    meter.partDone();
  }
  return result;
}

/** Works through items in so many lanes; the first failure ends all of them and is thrown when all have ended. */
async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
  stop: () => void,
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (failures.length === 0) {
      const item = items[next];
      next += 1;
      if (item === undefined) return;
      await work(item).catch((error: unknown) => {
        failures.push(error);
        stop();
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failures.length > 0) throw failures[0];
}

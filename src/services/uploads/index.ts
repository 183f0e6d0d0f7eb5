/** Uploads: one presigned PUT, or parts under a workflow; room, digests, ends and sweeps. */
export { createUploadEndings } from './complete.ts';
export { initUpload } from './init.ts';
export type { MultipartDependencies } from './init.ts';
export { partUrls } from './part-urls.ts';
export { createUploadUrl, renewUploadUrl } from './single.ts';
export { listUploads, uploadStatus } from './status.ts';
export { AttemptsError } from '../stored-objects/sweep-attempts.ts';
export { removeAccountFiles, sweepUploads } from './sweep.ts';
export { createUploads } from './services.ts';

/** The HTTP client: what the command line, the demo and the published client stand on. */
export { Client, createClient } from './client.ts';
export { Docking } from './docking.ts';
export type { PageQuery, ResultFilter, ResultScope } from './docking.ts';
export { CLIENT_CODES, ClientError } from './errors.ts';
export type { AnyErrorCode, ClientErrorFacts } from './errors.ts';
export { sha256OfFile } from './files.ts';
export { beginSession, Person } from './person.ts';
export type { BegunSession, PersonOptions } from './person.ts';
export type { RetryPolicy } from './retry.ts';
export type { CallOptions, ClientOptions, Query, WriteOptions } from './transport.ts';
export type * from './types.ts';
export { uploadStateFolder } from './upload/journal.ts';
export type { UploadPhase, UploadProgress } from './upload/meter.ts';
export type { FileUpload, UploadedFile, UploadIntegrity, UploadOptions } from './upload/options.ts';
export type { LeftOut } from './upload/package.ts';
export type { FolderUpload, UploadedPackage, UploadedPackageFile } from './upload/upload-folder.ts';
export { hasEnded } from './watch.ts';
export type { WatchOptions } from './watch.ts';

/** The HTTP client: what the command line, the demo and the published client stand on. */
export { Client, createClient } from './client.ts';
export type { CallOptions, FileUpload, UploadedFile, WriteOptions } from './client.ts';
export { CLIENT_CODES, ClientError } from './errors.ts';
export type { ClientErrorFacts } from './errors.ts';
export { sha256OfFile } from './files.ts';
export type { RetryPolicy } from './retry.ts';
export type { ClientOptions, Query } from './transport.ts';
export { hasEnded } from './watch.ts';
export type { WatchOptions } from './watch.ts';

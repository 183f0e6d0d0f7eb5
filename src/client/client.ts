/**
 * A client of the HTTP API, as a customer has it: one method per operation, typed by the contract. Every POST carries
 * an idempotency key, made up when the caller gives none, so that a lost answer never means a second effect.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type {
  CancelJobRequest,
  EstimateJobRequest,
  RegisterArtifactRequest,
  SubmitJobRequest,
  UploadUrlRequest,
} from '../domain/requests.ts';
import type {
  ArtifactResponse,
  CancelJobResponse,
  CreditBalanceResponse,
  CreditTransaction,
  EstimateJobResponse,
  JobListResponse,
  JobStatusResponse,
  OutputItem,
  OutputListResponse,
  SubmitJobResponse,
  TaskItem,
  TaskListResponse,
  TransactionListResponse,
  UploadUrlResponse,
} from '../domain/responses.ts';
import { fetchOutput, putFile, sha256OfFile } from './files.ts';
import { createTransport } from './transport.ts';
import type { ClientOptions, Query, Transport } from './transport.ts';
import { watchJob } from './watch.ts';
import type { WatchOptions } from './watch.ts';

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that has an effect. */
export interface WriteOptions extends CallOptions {
  /** 8 to 255 characters; the same key with the same request never has a second effect. */
  readonly idempotencyKey?: string;
}

/** A file to upload. */
export interface FileUpload {
  readonly path: string;
  readonly contentType?: string;
  /** Name that the service keeps; the file's own by default. */
  readonly filename?: string;
}

/** An uploaded file; `storageKey` is what a job names. */
export interface UploadedFile {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** Makes a client. */
export function createClient(options: ClientOptions): Client {
  return new Client(createTransport(options));
}

/** The operations of the API. Every one throws ClientError. */
export class Client {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits a job; the key is the body's own, else the option's, else a fresh one. */
  async submit(request: SubmitJobRequest, options: WriteOptions = {}): Promise<SubmitJobResponse> {
    const idempotencyKey =
      request.idempotencyKey ?? request.dockingRequest?.idempotencyKey ?? options.idempotencyKey;
    return this.#write('/jobs/submit', request, {
      ...options,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  /** Prices a job without any effect. */
  async estimate(request: EstimateJobRequest, options: CallOptions = {}): Promise<EstimateJobResponse> {
    return this.#transport.json({
      method: 'POST',
      path: '/jobs/estimate',
      body: request,
      repeatable: true,
      signal: options.signal,
    });
  }

  /** A page of jobs, newest first. */
  async listJobs(query: Query = {}, options: CallOptions = {}): Promise<JobListResponse> {
    return this.#read('/jobs', query, options);
  }

  /** How a job stands now. */
  async status(jobId: string, options: CallOptions = {}): Promise<JobStatusResponse> {
    return this.#read(`${jobPath(jobId)}/status`, {}, options);
  }

  /** Gives a job's statuses as they change, up to the terminal one. */
  watch(jobId: string, options: WatchOptions = {}): AsyncGenerator<JobStatusResponse, void, void> {
    return watchJob(this.#transport, jobId, options);
  }

  /** Waits until a job has ended. */
  async waitForEnd(jobId: string, options: WatchOptions = {}): Promise<JobStatusResponse> {
    let last: JobStatusResponse | null = null;
    for await (const status of this.watch(jobId, options)) last = status;
    return last ?? this.status(jobId);
  }

  /** All tasks of a job by index, page by page. */
  tasks(jobId: string, options: CallOptions = {}): AsyncGenerator<TaskItem, void, void> {
    const page = (cursor: string | undefined): Promise<TaskListResponse> =>
      this.#read(`${jobPath(jobId)}/tasks`, { limit: 100, cursor }, options);
    return pages(page, ({ tasks }) => tasks);
  }

  /** A page of outputs, with the figures of completeness. */
  async listOutputs(
    jobId: string,
    query: Query = {},
    options: CallOptions = {},
  ): Promise<OutputListResponse> {
    return this.#read(`${jobPath(jobId)}/outputs`, query, options);
  }

  /** All outputs of a job, page by page; their addresses live for minutes. */
  outputs(
    jobId: string,
    query: Query = {},
    options: CallOptions = {},
  ): AsyncGenerator<OutputItem, void, void> {
    const page = (cursor: string | undefined): Promise<OutputListResponse> =>
      this.listOutputs(jobId, { limit: 1000, ...query, cursor }, options);
    return pages(page, ({ outputs }) => outputs);
  }

  /** Fetches an output into a file, which appears only when size and digest are right. */
  async download(output: OutputItem, path: string, options: CallOptions = {}): Promise<void> {
    await fetchOutput(this.#transport, output, path, options.signal);
  }

  /** What a task's tool printed, from a byte on. An end that has not grown is refused as RANGE_NOT_SATISFIABLE. */
  async taskLog(jobId: string, index: number, startByte = 0, options: CallOptions = {}): Promise<string> {
    const { text } = await this.#transport.send({
      method: 'GET',
      path: `${jobPath(jobId)}/tasks/${index}/log`,
      headers: { accept: 'text/plain', ...(startByte === 0 ? {} : { range: `bytes=${startByte}-` }) },
      repeatable: true,
      signal: options.signal,
    });
    return text;
  }

  /** Asks for a job's end; complete outputs are kept and charged. */
  async cancel(
    jobId: string,
    request: CancelJobRequest = {},
    options: WriteOptions = {},
  ): Promise<CancelJobResponse> {
    return this.#write(`${jobPath(jobId)}/cancel`, request, options);
  }

  /** Asks for an address to upload one file to. */
  async createUploadUrl(request: UploadUrlRequest, options: WriteOptions = {}): Promise<UploadUrlResponse> {
    return this.#write('/jobs/upload-url', request, options);
  }

  /** Uploads a file; the store checks its digest. */
  async upload(file: FileUpload, options: WriteOptions = {}): Promise<UploadedFile> {
    const { size } = await stat(file.path);
    const sha256 = await sha256OfFile(file.path);
    const request = {
      filename: file.filename ?? basename(file.path),
      contentType: file.contentType ?? 'application/octet-stream',
      size,
      sha256,
    };
    const keyed = { ...options, idempotencyKey: options.idempotencyKey ?? randomUUID() };
    const mintUrl = (): Promise<UploadUrlResponse> => this.createUploadUrl(request, keyed);
    const { s3Key } = await putFile(this.#transport, file.path, mintUrl, options.signal);
    return { storageKey: s3Key, byteSize: size, sha256 };
  }

  /** Registers an uploaded file as an artifact that requests may reference. */
  async registerArtifact(
    request: RegisterArtifactRequest,
    options: WriteOptions = {},
  ): Promise<ArtifactResponse> {
    return this.#write('/molecular/docking/artifacts', request, options);
  }

  /** Reads an artifact. */
  async artifact(artifactId: string, options: CallOptions = {}): Promise<ArtifactResponse> {
    return this.#read(`/molecular/docking/artifacts/${encodeURIComponent(artifactId)}`, {}, options);
  }

  /** The account's credits, in pence. */
  async balance(options: CallOptions = {}): Promise<CreditBalanceResponse> {
    return this.#read('/credits/balance', {}, options);
  }

  /** The account's movements of credits, newest first, page by page. */
  transactions(query: Query = {}, options: CallOptions = {}): AsyncGenerator<CreditTransaction, void, void> {
    const page = (cursor: string | undefined): Promise<TransactionListResponse> =>
      this.#read('/credits/transactions', { limit: 200, ...query, cursor }, options);
    return pages(page, ({ transactions }) => transactions);
  }

  async #read<T extends object>(path: string, query: Query, { signal }: CallOptions): Promise<T> {
    return this.#transport.json<T>({ method: 'GET', path, query, repeatable: true, signal });
  }

  async #write<T extends object>(path: string, body: unknown, options: WriteOptions): Promise<T> {
    return this.#transport.json<T>({
      method: 'POST',
      path,
      body,
      headers: { 'idempotency-key': options.idempotencyKey ?? randomUUID() },
      repeatable: true,
      signal: options.signal,
    });
  }
}

function jobPath(jobId: string): string {
  return `/jobs/${encodeURIComponent(jobId)}`;
}

async function* pages<P extends { readonly nextCursor: string | null }, I>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly I[],
): AsyncGenerator<I, void, void> {
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor);
    yield* itemsOf(page);
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

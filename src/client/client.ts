/**
 * A client of the HTTP API, as a customer has it: one method per operation, typed by the contract. Every POST carries
 * an idempotency key, made up when the caller gives none, so that a lost answer never means a second effect.
 */
import { randomUUID } from 'node:crypto';

import { programCaller } from './caller.ts';
import { createDocking } from './docking.ts';
import type { Docking } from './docking.ts';
import { readEvents } from './events.ts';
import type { EventOptions } from './events.ts';
import { fetchOutput } from './files.ts';
import { followOutputs } from './follow-outputs.ts';
import { pages } from './pages.ts';
import { sessionCaller } from './person.ts';
import type { PersonOptions } from './person.ts';
import { readExport } from './export-file.ts';
import { createProjects } from './projects.ts';
import type { Projects } from './projects.ts';
import { pause } from './retry.ts';
import { createTopups } from './topups.ts';
import type { Topups } from './topups.ts';
import { createTransport } from './transport.ts';
import type { CallOptions, ClientOptions, Query, Transport, WriteOptions } from './transport.ts';
import type {
  AccountEvent,
  ArtifactFormat,
  ArtifactResponse,
  ConversionResponse,
  ConvertRequest,
  CancelJobRequest,
  CancelJobResponse,
  ResumeJobRequest,
  ResumeJobResponse,
  CreditBalanceResponse,
  CreditTransaction,
  DownloadUrlResponse,
  EstimateJobRequest,
  EstimateJobResponse,
  InspectReceptorRequest,
  InspectionResponse,
  JobListResponse,
  CreditUsageResponse,
  JobBillResponse,
  JobRequestResponse,
  JobStatusResponse,
  MultipartCompleteRequest,
  MultipartCompleteResponse,
  MultipartInitRequest,
  MultipartInitResponse,
  MultipartPartUrlsRequest,
  MultipartPartUrlsResponse,
  MultipartStatusResponse,
  OutputItem,
  OutputListResponse,
  ReceiptKeyList,
  RecoveryItem,
  RecoveryListResponse,
  RegisterArtifactRequest,
  RegisteredAs,
  ResolveLigandRequest,
  ResolveLigandResponse,
  SimulatorListResponse,
  StatementListResponse,
  StatementResponse,
  SignedReceipt,
  SubmitJobRequest,
  SubmitJobResponse,
  TaskFilter,
  TaskItem,
  TaskListResponse,
  TransactionListResponse,
  UploadItem,
  UploadUrlRequest,
  UploadUrlResponse,
  UploadUsageResponse,
} from './types.ts';
import { createUploadApi } from './upload/api.ts';
import type { UploadApi } from './upload/api.ts';
import type { FileUpload, UploadedFile, UploadOptions } from './upload/options.ts';
import { abortUpload, createUploader } from './upload/upload-file.ts';
import { abortFolder, uploadFolder } from './upload/upload-folder.ts';
import type { FolderUpload, UploadedPackage } from './upload/upload-folder.ts';
import { watchJob } from './watch.ts';
import type { WatchOptions } from './watch.ts';
import { createWebhooks } from './webhooks.ts';
import type { Webhooks } from './webhooks.ts';

/** How often the report of an inspection is asked for. */
const INSPECTION_POLL_MS = 2_000;

/** Makes a client of a program with a key, or of a person with a session, who may do whatever a key may. */
export function createClient(options: ClientOptions | PersonOptions): Client {
  const caller =
    'session' in options
      ? sessionCaller(options.session)
      : programCaller({ authorization: `Bearer ${options.apiKey}` }, options.apiKey);
  return new Client(createTransport({ ...caller, ...options }));
}

/** The operations of the API. Every one throws ClientError. */
export class Client {
  /** Experiments, batches, runs and results of docking. */
  readonly docking: Docking;
  /** Molecular projects, their revisions and shares. */
  readonly projects: Projects;
  /** Prices of credits, and buying them. */
  readonly topups: Topups;
  /** Places that events are sent to, and what was sent to each; for owners who have signed in. */
  readonly webhooks: Webhooks;
  readonly #transport: Transport;
  readonly #uploads: UploadApi;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#uploads = createUploadApi(transport);
    this.projects = createProjects(transport);
    this.webhooks = createWebhooks(transport);
    this.topups = createTopups({
      read: (path, options) => this.#read(path, {}, options),
      write: (path, body, options) => this.#write(path, body, options),
    });
    this.docking = createDocking({
      read: (path, query, options) => this.#read(path, query, options),
      write: (path, body, options) => this.#write(path, body, options),
      file: (path, query, options) => readExport(transport, path, query, options),
    });
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

  /** Gives the events of the account one after the other, and waits for further ones. */
  events(options: EventOptions = {}): AsyncGenerator<AccountEvent, void, void> {
    return readEvents(this.#transport, options);
  }

  /** A page of jobs, newest first. */
  async listJobs(query: Query = {}, options: CallOptions = {}): Promise<JobListResponse> {
    return this.#read('/jobs', query, options);
  }

  /** Reads the state of a job. */
  async status(jobId: string, options: CallOptions = {}): Promise<JobStatusResponse> {
    return this.#read(`${jobPath(jobId)}/status`, {}, options);
  }

  /** Reads the request of a job, as it can be submitted again. */
  async request(jobId: string, options: CallOptions = {}): Promise<JobRequestResponse> {
    return this.#read(`${jobPath(jobId)}/request`, {}, options);
  }

  /** Reads the cost of a job, line by line. */
  async bill(jobId: string, options: CallOptions = {}): Promise<JobBillResponse> {
    return this.#read(`${jobPath(jobId)}/bill`, {}, options);
  }

  /** The signed receipt of a job: of an execution, by default of the last one that has a receipt. */
  async receipt(jobId: string, query: Query = {}, options: CallOptions = {}): Promise<SignedReceipt> {
    return this.#read(`${jobPath(jobId)}/receipt`, query, options);
  }

  /** The public keys of receipts. */
  async receiptKeys(options: CallOptions = {}): Promise<ReceiptKeyList> {
    return this.#read('/receipt-keys', {}, options);
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

  /** The tasks of a job by index, page by page: all, or those in some states or with a code of failure. */
  tasks(
    jobId: string,
    { state, code, ...options }: TaskFilter & CallOptions = {},
  ): AsyncGenerator<TaskItem, void, void> {
    const page = (cursor: string | undefined): Promise<TaskListResponse> =>
      this.#read(`${jobPath(jobId)}/tasks`, { limit: 100, state, code, cursor }, options);
    return pages(page, ({ tasks }) => tasks);
  }

  /** Lists the losses, pauses and resumes of a job, the oldest first, page by page. */
  recoveries(jobId: string, options: CallOptions = {}): AsyncGenerator<RecoveryItem, void, void> {
    const page = (cursor: string | undefined): Promise<RecoveryListResponse> =>
      this.#read(`${jobPath(jobId)}/recoveries`, { limit: 100, cursor }, options);
    return pages(page, ({ recoveries }) => recoveries);
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

  /** Gives a job's outputs as they are committed, each once, until the service says that nothing more comes. */
  followOutputs(
    jobId: string,
    query: { readonly kind?: string } = {},
    options: WatchOptions = {},
  ): AsyncGenerator<OutputItem, void, void> {
    const list = (more: Query): Promise<OutputListResponse> =>
      this.listOutputs(jobId, { limit: 1000, ...query, ...more }, options);
    return followOutputs({ changes: this.watch(jobId, options), list });
  }

  /** Fetches an output into a file, which appears only when size and digest are right. */
  async download(output: OutputItem, path: string, options: CallOptions = {}): Promise<void> {
    await fetchOutput(this.#transport, output, path, options.signal);
  }

  /** Reads a task's log, which its tool printed, from a byte on. An end that has not grown is refused as RANGE_NOT_SATISFIABLE. */
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

  /**
   * Starts the next execution of a job that is paused or has ended; what is verified stays and is not charged again. With
   * `limitCents` no more than that is held, and the job pauses there.
   */
  resume(
    jobId: string,
    request: ResumeJobRequest = {},
    options: WriteOptions = {},
  ): Promise<ResumeJobResponse> {
    return this.#write(`${jobPath(jobId)}/resume`, request, options);
  }

  /** Asks for an address to upload one file to. */
  async createUploadUrl(request: UploadUrlRequest, options: WriteOptions = {}): Promise<UploadUrlResponse> {
    return this.#write('/jobs/upload-url', request, options);
  }

  /** Uploads a file: small ones by one PUT, others in parts, going on where a killed process has stopped. */
  async upload(file: FileUpload, options: UploadOptions = {}): Promise<UploadedFile> {
    const uploader = createUploader(this.#uploads, options);
    try {
      return await uploader.upload(file);
    } finally {
      uploader.close();
    }
  }

  /** Uploads a folder as a project package; files that are stored already are not sent again. */
  async uploadFolder(folder: FolderUpload, options: UploadOptions = {}): Promise<UploadedPackage> {
    return uploadFolder(this.#uploads, folder, options);
  }

  /** Aborts the unfinished upload of a file, so that the store keeps nothing of it. */
  async abortUpload(
    file: FileUpload,
    options: Pick<UploadOptions, 'signal' | 'stateFolder'> = {},
  ): Promise<void> {
    await abortUpload(this.#uploads, file, options);
  }

  /** Aborts the unfinished uploads of a folder's files. */
  async abortFolder(
    folder: Required<FolderUpload>,
    options: Pick<UploadOptions, 'signal' | 'stateFolder'> = {},
  ): Promise<void> {
    await abortFolder(this.#uploads, folder, options);
  }

  /** Starts an upload in parts. */
  async initMultipartUpload(
    request: MultipartInitRequest,
    options: WriteOptions = {},
  ): Promise<MultipartInitResponse> {
    return this.#uploads.init(request, options);
  }

  /** Reads the state of an upload in parts. */
  async getMultipartUpload(uploadId: string, options: CallOptions = {}): Promise<MultipartStatusResponse> {
    return this.#uploads.status(uploadId, options);
  }

  /** Addresses for parts, fresh ones too. */
  async createPartUrls(
    uploadId: string,
    request: MultipartPartUrlsRequest,
    options: CallOptions = {},
  ): Promise<MultipartPartUrlsResponse> {
    return this.#uploads.partUrls(uploadId, request, options);
  }

  /** Puts the parts together; may be repeated and answers the same. */
  async completeMultipartUpload(
    uploadId: string,
    request: MultipartCompleteRequest,
    options: CallOptions = {},
  ): Promise<MultipartCompleteResponse> {
    return this.#uploads.complete(uploadId, request, options);
  }

  /** Ends an upload in parts; the store keeps nothing of it. */
  async abortMultipartUpload(uploadId: string, options: CallOptions = {}): Promise<void> {
    await this.#uploads.abort(uploadId, options);
  }

  /** The account's uploads, newest first, page by page: open ones, or verified files with `state: 'completed'`. */
  listUploads(query: Query = {}, options: CallOptions = {}): AsyncGenerator<UploadItem, void, void> {
    return this.#uploads.list(query, options);
  }

  /** Reads how much is stored and reserved, and how much the plan lets the account store. */
  async uploadUsage(options: CallOptions = {}): Promise<UploadUsageResponse> {
    return this.#read('/uploads/usage', {}, options);
  }

  /** Deletes the stored file of an upload for ever, and gives its room back. */
  async deleteFile(uploadId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `/uploads/${encodeURIComponent(uploadId)}/file`;
    await this.#transport.send({ method: 'DELETE', path, repeatable: true, signal });
  }

  /** Registers an uploaded file as an artifact that requests may reference. */
  async registerArtifact<Format extends ArtifactFormat>(
    request: RegisterArtifactRequest & { readonly format: Format },
    options: WriteOptions = {},
  ): Promise<RegisteredAs<Format>> {
    const { format } = request;
    const answer: ArtifactResponse = await this.#write('/molecular/docking/artifacts', request, options);
    // An artifact is answered in the format that it was registered in, so that its reference fits where the format fits.
    return { ...answer, artifact: { ...answer.artifact, format } };
  }

  /** Reads an artifact. */
  async artifact(artifactId: string, options: CallOptions = {}): Promise<ArtifactResponse> {
    return this.#read(`/molecular/docking/artifacts/${encodeURIComponent(artifactId)}`, {}, options);
  }

  /** An address to download an artifact from; it lives for minutes. */
  async artifactDownloadUrl(artifactId: string, options: CallOptions = {}): Promise<DownloadUrlResponse> {
    return this.#transport.json({
      method: 'POST',
      path: `/molecular/docking/artifacts/${encodeURIComponent(artifactId)}/download-url`,
      repeatable: true,
      signal: options.signal,
    });
  }

  /** Fetches an artifact into a file, which appears only when size and digest are right. */
  async downloadArtifact(artifactId: string, path: string, options: CallOptions = {}): Promise<void> {
    const { filename: name, ...file } = await this.artifactDownloadUrl(artifactId, options);
    await fetchOutput(this.#transport, { ...file, name }, path, options.signal);
  }

  /** Finds the ligands that an id, a name or a SMILES may mean, with a preview of each; without any effect. */
  async resolveLigand(
    request: ResolveLigandRequest,
    options: CallOptions = {},
  ): Promise<ResolveLigandResponse> {
    return this.#transport.json({
      method: 'POST',
      path: '/molecular/docking/ligands/resolve',
      body: request,
      repeatable: true,
      signal: options.signal,
    });
  }

  /** Asks what the preparation of a receptor would meet; without a report the inspection still runs. */
  async inspectReceptor(
    request: InspectReceptorRequest,
    options: CallOptions = {},
  ): Promise<InspectionResponse> {
    return this.#transport.json({
      method: 'POST',
      path: '/molecular/docking/receptors/inspect',
      body: request,
      // The same request is one inspection, however often the request is repeated.
      repeatable: true,
      signal: options.signal,
    });
  }

  /** Reads an inspection. */
  async inspection(inspectionId: string, options: CallOptions = {}): Promise<InspectionResponse> {
    const path = `/molecular/docking/receptors/inspections/${encodeURIComponent(inspectionId)}`;
    return this.#read(path, {}, options);
  }

  /** Inspects a receptor and waits for the report. */
  async waitForInspection(
    request: InspectReceptorRequest,
    options: CallOptions & { readonly onRunning?: (inspection: InspectionResponse) => void } = {},
  ): Promise<InspectionResponse> {
    let last = await this.inspectReceptor(request, options);
    while (last.status === 'RUNNING') {
      options.onRunning?.(last);
      await pause(INSPECTION_POLL_MS, options.signal);
      last = await this.inspection(last.inspectionId, options);
    }
    return last;
  }

  /** Converts a file to another format and waits for the end; `warnings` tell what that format does not say. */
  async convert(request: ConvertRequest, options: CallOptions = {}): Promise<ConversionResponse> {
    let last = await this.#transport.json<ConversionResponse>({
      method: 'POST',
      path: '/convert',
      body: request,
      // The same request is one conversion, however often the request is repeated.
      repeatable: true,
      signal: options.signal,
    });
    while (last.status === 'RUNNING') {
      await pause(INSPECTION_POLL_MS, options.signal);
      last = await this.#read(`/convert/${encodeURIComponent(last.conversionId)}`, {}, options);
    }
    return last;
  }

  /** The simulators, and whether each can be run now. */
  async simulators(options: CallOptions = {}): Promise<SimulatorListResponse> {
    return this.#read('/simulators', {}, options);
  }

  /** The account's credits, in pence. */
  async balance(options: CallOptions = {}): Promise<CreditBalanceResponse> {
    return this.#read('/credits/balance', {}, options);
  }

  /** Reads what was spent within a time, by day, job or key, and what is held ahead. */
  async usage(query: Query = {}, options: CallOptions = {}): Promise<CreditUsageResponse> {
    return this.#read('/credits/usage', query, options);
  }

  /** The UTC months of which there is a statement, newest first. */
  async statements(options: CallOptions = {}): Promise<StatementListResponse> {
    return this.#read('/credits/statements', {}, options);
  }

  /** The statement of a UTC month, written as YYYY-MM: opening, every movement, closing. */
  async statement(month: string, options: CallOptions = {}): Promise<StatementResponse> {
    return this.#read(`/credits/statements/${encodeURIComponent(month)}`, {}, options);
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

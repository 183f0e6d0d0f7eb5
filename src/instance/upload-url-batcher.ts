/**
 * Asks the gateway for the upload URLs of many tasks with one call. Requests that come while a call is under way go with
 * the next call, and a request that is not urgent waits a moment for others. So a shard of short tasks costs one call.
 */
import type { UploadUrlsRequest, UploadUrlsResponse } from '../contracts/instance.ts';
import type { WorkKind } from '../contracts/job.ts';
import { CALL_ITEMS } from '../contracts/instance.ts';
import type { GatewayClient } from './gateway-client.ts';
import { RefusedError } from './repeat.ts';

type Files = UploadUrlsRequest['files'];
type Uploads = UploadUrlsResponse['uploads'];

interface UrlRequest {
  readonly kind: WorkKind;
  readonly files: Files;
  readonly resolve: (uploads: Uploads) => void;
  readonly reject: (error: unknown) => void;
}

const COMPANY_MS = 100;

/** Collects requests for upload URLs into calls of the gateway. */
export class UploadUrlBatcher {
  readonly #gateway: Pick<GatewayClient, 'uploadUrls'>;
  readonly #signal: AbortSignal;
  readonly #companyMs: number;
  #waiting: UrlRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isCalling = false;
  #isUrgent = false;

  /** The signal is aborted when the instance ends; it ends every call. A request waits so many ms for others. */
  constructor(gateway: Pick<GatewayClient, 'uploadUrls'>, signal: AbortSignal, companyMs = COMPANY_MS) {
    this.#gateway = gateway;
    this.#signal = signal;
    this.#companyMs = companyMs;
  }

  /** The upload URLs for the files of one task, in the order of the files. */
  request(kind: WorkKind, files: Files, isUrgent: boolean): Promise<Uploads> {
    if (files.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, files, resolve, reject });
      this.#isUrgent ||= isUrgent;
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isCalling || this.#waiting.length === 0) return;
    if (this.#isUrgent) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#companyMs);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isCalling = true;
    this.#isUrgent = false;
    const batch = this.#takeBatch();
    await this.#serve(batch);
    this.#isCalling = false;
    // Requests that came during the call have waited long enough.
    this.#isUrgent = true;
    this.#schedule();
    this.#isUrgent = false;
  }

  /** Takes as many requests of one kind as a call may carry; a single larger request is sent in several calls. */
  #takeBatch(): UrlRequest[] {
    const kind = this.#waiting[0]?.kind;
    const batch: UrlRequest[] = [];
    let files = 0;
    while (this.#waiting[0]?.kind === kind) {
      const next = this.#waiting[0];
      if (next === undefined || (batch.length > 0 && files + next.files.length > CALL_ITEMS)) break;
      this.#waiting.shift();
      batch.push(next);
      files += next.files.length;
    }
    return batch;
  }

  async #serve(batch: readonly UrlRequest[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    try {
      const uploads = await this.#call(
        first.kind,
        batch.flatMap(({ files }) => files),
      );
      let from = 0;
      for (const { files, resolve } of batch) {
        resolve(uploads.slice(from, from + files.length));
        from += files.length;
      }
    } catch (error) {
      // The refusal of one task must not fail the others, so each request is sent alone.
      if (error instanceof RefusedError && batch.length > 1)
        for (const request of batch) await this.#serve([request]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async #call(kind: WorkKind, files: Files): Promise<Uploads> {
    const uploads: Uploads[number][] = [];
    for (let from = 0; from < files.length; from += CALL_ITEMS) {
      const part = files.slice(from, from + CALL_ITEMS);
      const answer = await this.#gateway.uploadUrls({ kind, files: part }, this.#signal);
      if (answer.uploads.length !== part.length) throw new RefusedError('The gateway answered too few URLs.');
      uploads.push(...answer.uploads);
    }
    return uploads;
  }
}

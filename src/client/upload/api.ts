/** The endpoints of uploads. Each may be repeated: the start by its idempotency key, the others by their nature. */
import { randomUUID } from 'node:crypto';

import type { RetryPolicy } from '../retry.ts';
import type { Query, Transport } from '../transport.ts';
import type {
  MultipartCompleteRequest,
  MultipartCompleteResponse,
  MultipartInitRequest,
  MultipartInitResponse,
  MultipartPartUrlsRequest,
  MultipartPartUrlsResponse,
  MultipartStatusResponse,
  UploadItem,
  UploadListResponse,
  UploadUrlRequest,
  UploadUrlResponse,
} from '../types.ts';

/** Options of one call. */
export interface UploadCall {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Attempts in place of the client's own. */
  readonly attempts?: number;
}

/** The endpoints of uploads. */
export interface UploadApi {
  readonly apiUrl: string;
  /** A mark that tells one API key from another. */
  readonly keyMark: string;
  readonly retry: RetryPolicy;
  createUrl(request: UploadUrlRequest, call?: UploadCall): Promise<UploadUrlResponse>;
  init(request: MultipartInitRequest, call?: UploadCall): Promise<MultipartInitResponse>;
  status(uploadId: string, call?: UploadCall): Promise<MultipartStatusResponse>;
  partUrls(
    uploadId: string,
    request: MultipartPartUrlsRequest,
    call?: UploadCall,
  ): Promise<MultipartPartUrlsResponse>;
  complete(
    uploadId: string,
    request: MultipartCompleteRequest,
    call?: UploadCall,
  ): Promise<MultipartCompleteResponse>;
  abort(uploadId: string, call?: UploadCall): Promise<void>;
  /** All uploads that match the query, page by page. */
  list(query: Query, call?: UploadCall): AsyncGenerator<UploadItem, void, void>;
}

/** The service holds the answer of a completion back for 25 s at most; a proxy in front may add to that. */
const COMPLETE_TIMEOUT_SECONDS = 90;
const PAGE = 100;

/** Makes the endpoints over a transport. */
export function createUploadApi(transport: Transport): UploadApi {
  const post = async <T extends object>(
    path: string,
    body: unknown,
    { signal, idempotencyKey, attempts }: UploadCall,
    timeoutSeconds?: number,
  ): Promise<T> =>
    transport.json<T>({
      method: 'POST',
      path,
      body,
      repeatable: true,
      signal,
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      ...(attempts === undefined ? {} : { attempts }),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    });
  const keyed = (call: UploadCall): UploadCall => ({
    ...call,
    idempotencyKey: call.idempotencyKey ?? randomUUID(),
  });
  return {
    apiUrl: transport.apiUrl,
    keyMark: transport.keyMark,
    retry: transport.retry,
    createUrl: (request, call = {}) => post('/jobs/upload-url', request, keyed(call)),
    init: (request, call = {}) => post('/uploads', request, keyed(call)),
    status: (uploadId, { signal } = {}) =>
      transport.json({ method: 'GET', path: pathOf(uploadId), repeatable: true, signal }),
    partUrls: (uploadId, request, call = {}) => post(`${pathOf(uploadId)}/parts`, request, call),
    complete: (uploadId, request, call = {}) =>
      post(`${pathOf(uploadId)}/complete`, request, call, COMPLETE_TIMEOUT_SECONDS),
    async abort(uploadId, { signal } = {}) {
      await transport.send({ method: 'DELETE', path: pathOf(uploadId), repeatable: true, signal });
    },
    async *list(query, { signal } = {}) {
      for (let cursor: string | undefined; ;) {
        const page: UploadListResponse = await transport.json({
          method: 'GET',
          path: '/uploads',
          query: { limit: PAGE, ...query, cursor },
          repeatable: true,
          signal,
        });
        yield* page.uploads;
        if (page.nextCursor === null) return;
        cursor = page.nextCursor;
      }
    },
  };
}

function pathOf(uploadId: string): string {
  return `/uploads/${encodeURIComponent(uploadId)}`;
}

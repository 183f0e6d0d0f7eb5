/**
 * A file of a page on its way into the store, in parts. The service is the journal: it knows which parts the store has and, where the
 * store checks digests, the digest of each. So an upload goes on in another tab, after a crash, or on another computer, as soon as the
 * same file is chosen again: it is the same when its bytes, as they are read now, have the digest of every stored part. Nothing is kept
 * in the browser. Parts are read once for their digest, and the browser reads them once more when it sends them, so memory stays flat;
 * bytes that change in between are refused by the store. A store or a service that is away is waited for.
 */
import { CLIENT_CODES, ClientError, localError } from '../errors.ts';
import { DEFAULT_RETRY, pause, pauseMs } from '../retry.ts';
import type {
  MultipartCompleteRequest,
  MultipartCompleteResponse,
  MultipartInitRequest,
  MultipartInitResponse,
  MultipartPartUrlsRequest,
  MultipartPartUrlsResponse,
  MultipartStatusResponse,
} from '../types.ts';
import { createMeter } from './meter.ts';
import type { Meter, UploadProgress } from './meter.ts';
import { createMinter } from './minter.ts';
import type { MintedStart, Minter } from './minter.ts';
import { createPace } from './pace.ts';
import type { Pace } from './pace.ts';
import { remedyOf } from './remedy.ts';
import type { PutTarget } from './remedy.ts';

/** Sends one part and tells of bytes as they go out, of a negative number when an attempt has failed. @returns the ETag. */
export type PagePut = (
  target: PutTarget,
  body: Blob,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
) => Promise<string | null>;

interface Until {
  readonly signal: AbortSignal;
  readonly attempts: number;
}

/** The endpoints that an upload needs. */
export interface UploadService {
  init(order: MultipartInitRequest, until: Until): Promise<MultipartInitResponse>;
  status(uploadId: string, until: Until): Promise<MultipartStatusResponse>;
  partUrls(
    uploadId: string,
    request: MultipartPartUrlsRequest,
    until: Until,
  ): Promise<MultipartPartUrlsResponse>;
  complete(
    uploadId: string,
    request: MultipartCompleteRequest,
    until: Until,
  ): Promise<MultipartCompleteResponse>;
}

/** A file that a page sends. */
export interface PageUpload {
  readonly file: Blob;
  readonly filename: string;
  readonly contentType: string;
  /** The package that the file belongs to, and its path there. */
  readonly place?: { readonly projectId: string; readonly logicalPath: string };
  /** The unfinished upload to go on with: another file than the one that it began with is refused. */
  readonly uploadId?: string;
  /** Unfinished uploads of which one may be of this file; where none is, the file begins anew. */
  readonly candidates?: readonly string[];
  /** The page's way to the store: of Node and browsers, only browsers have XMLHttpRequest, which tells progress. */
  readonly put: PagePut;
  readonly signal: AbortSignal;
  /** Hears under which id the service has the upload. */
  readonly onOpen: (uploadId: string) => void;
  readonly onProgress: (progress: UploadProgress) => void;
}

interface Open {
  readonly uploadId: string;
  readonly partSize: number;
  readonly partCount: number;
  readonly isChecked: boolean;
  readonly minted: MintedStart | null;
  /** Digests of stored parts, in base64. */
  readonly stored: ReadonlyMap<number, string>;
  readonly pace: Pace;
  readonly meter: Meter;
}

interface Part {
  readonly partNumber: number;
  readonly checksumSha256?: string;
  readonly etag?: string;
}

/** Parts under way at once, at most: browsers keep six connections to a host. */
const MOST_AT_ONCE = 6;
/** How often a part's address may be refused in a row, or its bytes arrive damaged. */
const MOST_REFUSALS = 3;
/** Attempts of a part and of a call, about half an hour: nobody sits beside a long upload to press a button when the network is back. */
const ATTEMPTS = 360;

/** Sends a file. */
export async function sendFile(
  service: UploadService,
  upload: PageUpload,
): Promise<MultipartCompleteResponse> {
  if (upload.file.size === 0) throw localError(CLIENT_CODES.fileEmpty, 'The file is empty.');
  const open = (await resume(service, upload)) ?? (await start(service, upload));
  const { uploadId, meter } = open;
  upload.onOpen(uploadId);
  const parts = await new PageTransfer(service, upload, open).run();
  meter.enter('verifying');
  const answer = await service.complete(uploadId, { parts: [...parts] }, untilOf(upload));
  meter.enter('done');
  return answer;
}

function gaugesOf({ file, onProgress }: PageUpload, totalParts: number): Pick<Open, 'pace' | 'meter'> {
  const pace = createPace(MOST_AT_ONCE, (error) => remedyOf(error) === 'wait');
  const concurrency = (): number => pace.limit;
  return { pace, meter: createMeter({ totalBytes: file.size, totalParts, onProgress, concurrency }) };
}

const untilOf = ({ signal }: Pick<PageUpload, 'signal'>): Until => ({ signal, attempts: ATTEMPTS });

async function start(service: UploadService, upload: PageUpload): Promise<Open> {
  const { file, filename, contentType, place } = upload;
  const order = { filename, contentType, size: file.size, checksumAlgorithm: 'sha256', ...place } as const;
  const answer = await service.init(order, untilOf(upload));
  const { uploadId, partSize, partCount, checksumAlgorithm } = answer;
  const isChecked = checksumAlgorithm === 'sha256';
  const minted = isChecked ? null : answer;
  const gauges = gaugesOf(upload, partCount);
  return { uploadId, partSize, partCount, isChecked, minted, stored: new Map(), ...gauges };
}

/** Takes an unfinished upload of the file up; null where there is none that can go on. */
async function resume(service: UploadService, upload: PageUpload): Promise<Open | null> {
  const { uploadId, candidates = [] } = upload;
  for (const candidate of uploadId === undefined ? candidates : [uploadId]) {
    const open = await openOf(service, upload, candidate);
    if (open === null) continue;
    if (await isSame(upload, open)) return open;
    if (uploadId !== undefined)
      throw localError(
        CLIENT_CODES.fileChanged,
        'What was sent before is not of this file: the file has changed since, or it is another one of that name and size. Choose the file that it was, or go on with this one as a new file.',
      );
  }
  return null;
}

/** An upload as the service knows it; null where it is over, or where nothing tells what is stored of it. */
async function openOf(service: UploadService, upload: PageUpload, uploadId: string): Promise<Open | null> {
  const status = await service.status(uploadId, untilOf(upload));
  const { state, size, partSize, partCount, checksumAlgorithm, received } = status;
  if (state !== 'OPEN' || size !== upload.file.size || checksumAlgorithm !== 'sha256') return null;
  const stored = new Map<number, string>();
  for (const { partNumber, checksumSha256 } of received)
    if (checksumSha256 !== undefined) stored.set(partNumber, checksumSha256);
  const gauges = gaugesOf(upload, partCount);
  return { uploadId, partSize, partCount, isChecked: true, minted: null, stored, ...gauges };
}

/** Whether the file has every part that is stored. All are compared before any is sent: an upload never has parts of two files. */
async function isSame({ file, signal }: PageUpload, { partSize, stored, meter }: Open): Promise<boolean> {
  for (const [partNumber, digest] of stored) {
    signal.throwIfAborted();
    const part = partOf(file, partSize, partNumber);
    if ((await digestOf(part)) !== digest) return false;
    meter.partKept(part.size);
  }
  return true;
}

class PageTransfer {
  readonly #upload: PageUpload;
  readonly #open: Open;
  readonly #minter: Minter;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #arrivals = 0;

  constructor(service: UploadService, upload: PageUpload, open: Open) {
    [this.#upload, this.#open] = [upload, open];
    const signal = (this.#signal = AbortSignal.any([upload.signal, this.#stop.signal]));
    const { uploadId, partCount, stored } = open;
    const ask = (request: MultipartPartUrlsRequest): Promise<MultipartPartUrlsResponse> =>
      service.partUrls(uploadId, request, untilOf({ signal }));
    this.#minter = createMinter(ask, open.minted, { partCount, isWanted: (part) => !stored.has(part) });
  }

  /** Every part, in order; the first that fails for good ends all. */
  async run(): Promise<readonly Part[]> {
    const parts: Part[] = [];
    let next = 1;
    const work = async (): Promise<void> => {
      while (next <= this.#open.partCount) {
        this.#signal.throwIfAborted();
        parts.push(await this.#bring(next++));
      }
    };
    try {
      await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    } catch (error) {
      this.#stop.abort();
      throw error;
    }
    return parts.sort((one, other) => one.partNumber - other.partNumber);
  }

  async #bring(partNumber: number): Promise<Part> {
    const bytes = partOf(this.#upload.file, this.#open.partSize, partNumber);
    if (!this.#open.isChecked) {
      const etag = await this.#send(partNumber, bytes, null);
      return { partNumber, ...(etag === null ? {} : { etag }) };
    }
    const kept = this.#open.stored.get(partNumber);
    if (kept !== undefined) return { partNumber, checksumSha256: kept };
    const checksumSha256 = await digestOf(bytes);
    await this.#send(partNumber, bytes, checksumSha256);
    return { partNumber, checksumSha256 };
  }

  async #send(partNumber: number, bytes: Blob, checksum: string | null): Promise<string | null> {
    const { pace, meter } = this.#open;
    const tries = { wait: 0, mint: 0, repeat: 0 };
    for (let isFresh = false, seen = this.#arrivals; ; isFresh = true) {
      const target = await this.#minter.target(partNumber, checksum, isFresh);
      try {
        const etag = await pace.run(() =>
          this.#upload.put(target, bytes, this.#signal, (sent) => meter.sent(sent)),
        );
        this.#arrivals += 1;
        meter.partDone();
        return etag;
      } catch (error) {
        this.#signal.throwIfAborted();
        const remedy = remedyOf(error);
        if (remedy === 'give-up') throw error;
        if (this.#arrivals > seen) tries.wait = 0;
        seen = this.#arrivals;
        tries[remedy] += 1;
        if (tries.wait >= ATTEMPTS || tries.mint > MOST_REFUSALS || tries.repeat > MOST_REFUSALS) throw error;
        const asked = error instanceof ClientError ? error.retryAfterSeconds : null;
        if (remedy !== 'mint')
          await pause(pauseMs(DEFAULT_RETRY, Math.max(1, tries.wait), asked), this.#signal);
      }
    }
  }
}

function partOf(file: Blob, partSize: number, partNumber: number): Blob {
  return file.slice((partNumber - 1) * partSize, partNumber * partSize);
}

/** SHA-256 of a part, in base64. */
async function digestOf(part: Blob): Promise<string> {
  const bytes = await part.arrayBuffer().catch((error: unknown) => {
    throw localError(
      CLIENT_CODES.fileUnreadable,
      'The file cannot be read: it was moved, changed or deleted. Choose it again.',
      error,
    );
  });
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))));
}

/**
 * A service and a store in one real HTTP server, with the rules of the contract that a client can break, and with
 * faults on demand. The server keeps the bytes and counts every PUT.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the store does about one PUT: nothing special, an answer, or a broken connection. */
export type Fault =
  | null
  | 'cut'
  | { readonly status: number; readonly code?: string; readonly retryAfterSeconds?: number };

interface StoredPart {
  /** Empty when the service keeps no bytes. */
  readonly bytes: Buffer;
  readonly size?: number;
  readonly etag: string;
}

interface FakeUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly init: Record<string, unknown> & { size: number; filename: string };
  readonly partSize: number;
  readonly partCount: number;
  readonly parts: Map<number, StoredPart>;
  state: 'OPEN' | 'COMPLETED' | 'ABORTED';
  object: Buffer | null;
  /** The digest of the whole file, from the completion on. */
  sha256: string | null;
}

/** A running service. */
export interface UploadService {
  readonly url: string;
  readonly uploads: Map<string, FakeUpload>;
  /** The files of single PUTs, by storage key. */
  readonly files: Map<string, Buffer>;
  /** The PUTs in the order of arrival, as `{part}` or `single`. */
  readonly puts: string[];
  /** The calls of the API, as `METHOD path`. */
  readonly calls: string[];
  /** The most PUTs that were under way at once. */
  mostAtOnce: number;
  /** Called for every PUT, before its bytes count. */
  fault: (part: number | null, attempt: number) => Fault | Promise<Fault>;
  /** Called for every call of the API; what it answers replaces the answer of the service. */
  refuse: (call: string) => { readonly status: number; readonly code: string } | null;
  provider: 'aws' | 'azure';
  /** The seconds for which an address is said to be valid. */
  expiresIn: number;
  /** The milliseconds that the API takes for a call. */
  delayMs: number;
  /** Whether the service carries a call out and its answer is lost. */
  lose: (call: string) => boolean;
  /** With false the bytes are counted and not kept. */
  keepsBytes: boolean;
  /** Further uploads that `GET /uploads` answers. */
  completed: Record<string, unknown>[];
  reset(): void;
  close(): Promise<void>;
}

/** Starts a service. */
export async function startUploadService(): Promise<UploadService> {
  const attempts = new Map<string, number>();
  const starts = new Map<string, FakeUpload | string>();
  let atOnce = 0;
  const service: UploadService = {
    url: '',
    uploads: new Map(),
    files: new Map(),
    puts: [],
    calls: [],
    mostAtOnce: 0,
    fault: () => null,
    refuse: () => null,
    lose: () => false,
    keepsBytes: true,
    provider: 'aws',
    expiresIn: 3600,
    delayMs: 0,
    completed: [],
    reset() {
      for (const held of [service.uploads, service.files, attempts, starts]) held.clear();
      service.puts.length = 0;
      service.calls.length = 0;
      Object.assign(service, {
        ...{ mostAtOnce: 0, fault: () => null, refuse: () => null, lose: () => false, keepsBytes: true },
        ...{ provider: 'aws' },
        ...{ expiresIn: 3600, delayMs: 0, completed: [] },
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  const put = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const part = url.searchParams.get('part');
    const name = part ?? 'single';
    const place = `${url.pathname}#${name}`;
    const attempt = (attempts.get(place) ?? 0) + 1;
    attempts.set(place, attempt);
    atOnce += 1;
    service.mostAtOnce = Math.max(service.mostAtOnce, atOnce);
    try {
      const fault = await service.fault(part === null ? null : Number(part), attempt);
      if (fault === 'cut') {
        request.socket.destroy();
        return;
      }
      const { bytes, size } = await received(request, service.keepsBytes);
      if (fault !== null) {
        if (fault.retryAfterSeconds !== undefined)
          response.setHeader('retry-after', String(fault.retryAfterSeconds));
        response.writeHead(fault.status).end(`<Error><Code>${fault.code ?? 'Oops'}</Code></Error>`);
        return;
      }
      service.puts.push(name);
      const signed = url.searchParams.get('sha256');
      if (service.keepsBytes && signed !== null && signed !== hash(bytes, 'base64')) {
        response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>');
        return;
      }
      const etag = `"${hash(bytes, 'hex').slice(0, 32)}"`;
      const key = decodeURIComponent(url.pathname.slice('/store/'.length));
      const upload = [...service.uploads.values()].find((one) => one.key === key);
      if (part !== null && upload?.state !== 'OPEN') {
        response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
        return;
      }
      if (part === null) service.files.set(key, bytes);
      else upload?.parts.set(Number(part), { bytes, size, etag });
      response.writeHead(200, service.provider === 'aws' ? { etag } : {}).end();
    } finally {
      atOnce -= 1;
    }
  };

  const api = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const path = url.pathname.slice('/api/v1'.length);
    const call = `${request.method ?? ''} ${path}`;
    service.calls.push(call);
    const text = (await buffer(request)).toString();
    if (service.delayMs > 0) await sleep(service.delayMs);
    const refusal = service.refuse(call);
    const { status, content } =
      refusal === null
        ? decide(service, starts, {
            call,
            query: url.searchParams,
            key: String(request.headers['idempotency-key']),
            body: text === '' ? {} : JSON.parse(text),
          })
        : { status: refusal.status, content: { error: 'refused', code: refusal.code } };
    if (service.lose(call)) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? '' : JSON.stringify(content));
  };

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const work = url.pathname.startsWith('/store/')
      ? put(request, response, url)
      : api(request, response, url);
    work.catch(() => request.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return service;
}

async function received(
  request: IncomingMessage,
  isKept: boolean,
): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  if (isKept) {
    const bytes = await buffer(request);
    return { bytes, size: bytes.length };
  }
  let size = 0;
  for await (const chunk of request) size += (chunk as Buffer).length;
  return { bytes: Buffer.alloc(0), size };
}

interface Decision {
  readonly status: number;
  readonly content: unknown;
}

interface Call {
  readonly call: string;
  readonly query: URLSearchParams;
  readonly key: string;
  // Requests of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

function decide(
  service: UploadService,
  starts: Map<string, FakeUpload | string>,
  { call, query, key, body }: Call,
): Decision {
  if (call === 'POST /jobs/upload-url') return { status: 200, content: single(service, starts, key, body) };
  if (call === 'POST /uploads') {
    const known = starts.get(key);
    const upload = typeof known === 'object' ? known : newUpload(service, body);
    if (JSON.stringify(upload.init) !== JSON.stringify(body)) return refused(409, 'IDEMPOTENCY_KEY_REUSED');
    if (upload.state === 'ABORTED') return refused(410, 'UPLOAD_ABORTED');
    starts.set(key, upload);
    return { status: 201, content: started(service, upload) };
  }
  if (call === 'GET /uploads') {
    const uploads = listed(service).filter(
      (item) =>
        (!query.has('sha256') || item['sha256'] === query.get('sha256')) &&
        (!query.has('projectId') || item['projectId'] === query.get('projectId')),
    );
    return { status: 200, content: { uploads, nextCursor: null } };
  }
  const [method, path = ''] = call.split(' ');
  const [, , uploadId = '', action] = path.split('/');
  const upload = service.uploads.get(uploadId);
  if (upload === undefined) return refused(404, 'NOT_FOUND');
  if (method === 'DELETE') {
    if (upload.state === 'COMPLETED') return refused(409, 'UPLOAD_ALREADY_COMPLETE');
    upload.state = 'ABORTED';
    upload.parts.clear();
    return { status: 204, content: null };
  }
  if (upload.state === 'ABORTED') return refused(410, 'UPLOAD_ABORTED');
  if (method === 'GET') return { status: 200, content: statusOf(service, upload) };
  if (action === 'parts' && upload.state === 'COMPLETED') return refused(409, 'UPLOAD_ALREADY_COMPLETE');
  if (action === 'parts') return { status: 200, content: minted(service, upload, body.parts) };
  return complete(service, upload, body);
}

function refused(status: number, code: string): Decision {
  return { status, content: { error: 'refused', code } };
}

function hash(bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(encoding);
}

function single(
  service: UploadService,
  starts: Map<string, FakeUpload | string>,
  key: string,
  body: { filename: string; sha256?: string },
): unknown {
  const known = starts.get(key);
  const storageKey =
    typeof known === 'string' ? known : `accounts/a/uploads/${randomUUID()}/${body.filename}`;
  starts.set(key, storageKey);
  return {
    uploadUrl: `${service.url}/store/${encodeURIComponent(storageKey)}`,
    s3Key: storageKey,
    method: 'PUT',
    expiresIn: service.expiresIn,
    headers: {},
    provider: service.provider === 'aws' ? 'aws-s3' : 'azure-blob',
  };
}

function newUpload(service: UploadService, init: FakeUpload['init']): FakeUpload {
  const uploadId = randomUUID();
  const partSize = Number(init['partSize']);
  const upload: FakeUpload = {
    uploadId,
    key: `accounts/a/uploads/${uploadId}/${init.filename}`,
    init,
    partSize,
    partCount: Math.ceil(init.size / partSize),
    parts: new Map(),
    ...{ state: 'OPEN', object: null, sha256: null },
  };
  service.uploads.set(uploadId, upload);
  return upload;
}

function isChecked(service: UploadService, { init }: FakeUpload): boolean {
  return init['checksumAlgorithm'] === 'sha256' && service.provider === 'aws';
}

function urlOf(service: UploadService, upload: FakeUpload, part: number, checksum?: string): string {
  const query = new URLSearchParams({
    part: String(part),
    ...(checksum === undefined ? {} : { sha256: checksum }),
  });
  return `${service.url}/store/${encodeURIComponent(upload.key)}?${query.toString()}`;
}

function started(service: UploadService, upload: FakeUpload): unknown {
  const { uploadId, key, partSize, partCount } = upload;
  const numbers = Array.from({ length: isChecked(service, upload) ? 0 : Math.min(partCount, 1000) });
  return {
    ...{ uploadId, key, partSize, partCount },
    parts: numbers.map((_, index) => ({ partNumber: index + 1, url: urlOf(service, upload, index + 1) })),
    headers: {},
    expiresIn: service.expiresIn,
    provider: service.provider,
    checksumAlgorithm: isChecked(service, upload) ? 'sha256' : null,
    expiresAt: new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString(),
  };
}

function statusOf(service: UploadService, upload: FakeUpload): unknown {
  const { uploadId, key, partSize, partCount, parts, state } = upload;
  const received = [...parts.entries()]
    .sort(([one], [other]) => one - other)
    .map(([partNumber, { etag, bytes, size }]) => ({
      ...{ partNumber, size: size ?? bytes.length },
      etag: service.provider === 'aws' ? etag : '',
    }));
  const missing = Array.from({ length: partCount }, (_, index) => index + 1).filter(
    (part) => !parts.has(part),
  );
  return {
    ...{ uploadId, key, partSize, partCount, received, missing, state },
    complete: missing.length === 0,
    provider: service.provider,
    checksumAlgorithm: isChecked(service, upload) ? 'sha256' : null,
  };
}

function minted(
  service: UploadService,
  upload: FakeUpload,
  wanted: { partNumber: number; checksumSha256?: string }[],
): unknown {
  for (const { checksumSha256 } of wanted)
    if ((checksumSha256 !== undefined) !== isChecked(service, upload)) throw new Error('digest rule broken');
  const parts = wanted.map(({ partNumber, checksumSha256 }) => ({
    partNumber,
    url: urlOf(service, upload, partNumber, checksumSha256),
    headers: {},
  }));
  return { uploadId: upload.uploadId, parts, expiresIn: service.expiresIn, provider: service.provider };
}

function complete(
  service: UploadService,
  upload: FakeUpload,
  body: { parts: { partNumber: number; etag?: string; checksumSha256?: string }[]; sha256?: string },
): Decision {
  const integrity = upload.init['checksumAlgorithm'] === 'sha256' ? 'parts-sha256' : 'size';
  const content = { key: upload.key, size: upload.init.size, verified: true, integrity, provider: 'aws' };
  if (upload.state === 'COMPLETED') {
    if (body.sha256 === undefined || body.sha256 === upload.sha256) return { status: 200, content };
    return upload.sha256 === null
      ? refused(409, 'UPLOAD_ALREADY_COMPLETE')
      : refused(422, 'CHECKSUM_MISMATCH');
  }
  const numbers = body.parts.map(({ partNumber }) => partNumber);
  const isWhole = numbers.length === upload.partCount && numbers.every((part) => upload.parts.has(part));
  const isTrue = body.parts.every(
    ({ partNumber, etag }) => etag === undefined || etag === upload.parts.get(partNumber)?.etag,
  );
  if (!isWhole || !isTrue) return refused(409, 'UPLOAD_INCOMPLETE');
  const object = Buffer.concat(numbers.map((part) => upload.parts.get(part)?.bytes ?? Buffer.alloc(0)));
  if (service.keepsBytes && body.sha256 !== undefined && body.sha256 !== hash(object, 'hex')) {
    upload.state = 'ABORTED';
    return refused(422, 'CHECKSUM_MISMATCH');
  }
  Object.assign(upload, { state: 'COMPLETED', object, sha256: body.sha256 ?? null });
  return { status: 200, content };
}

/** The verified files, the newest first; of each place in a package only the newest. */
function listed(service: UploadService): Record<string, unknown>[] {
  const completed = [...service.uploads.values()].filter(({ state }) => state === 'COMPLETED');
  const items = completed.reverse().map(({ uploadId, key, init, sha256 }) => {
    const { filename, size, projectId = null, logicalPath = null } = init;
    return { uploadId, key, filename, size, sha256, projectId, logicalPath };
  });
  const places = new Set<unknown>();
  return [...service.completed, ...items].filter(({ logicalPath }) => {
    const isOld = logicalPath !== null && places.has(logicalPath);
    places.add(logicalPath);
    return !isOld;
  });
}

/** Range requests on files, and on texts that may still grow: a request for one range gets the range, any other gets the whole. */
import type { Readable } from 'node:stream';

import { AppError } from '../../src/domain/errors.ts';
import type { ByteRange, TaskLog } from '../../src/services/jobs/log.ts';
import { knownVersions } from './conditional.ts';
import type { Answer } from './endpoint.ts';

const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/;

/** Bytes that a Range header asks for. */
export type AskedRange =
  | { readonly kind: 'from'; readonly start: number; readonly end: number | null }
  | { readonly kind: 'last'; readonly bytes: number };

/** Reads a Range header; null without one, and for ranges that RFC 9110 tells a server to ignore (other units, several, reversed). */
export function parseRange(header: string | undefined): AskedRange | null {
  const [, start, end, last] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (last !== undefined) return { kind: 'last', bytes: Number(last) };
  if (start === undefined) return null;
  const to = end === undefined ? null : Number(end);
  return to !== null && to < Number(start) ? null : { kind: 'from', start: Number(start), end: to };
}

const TEXT = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'private, no-cache',
};

async function resolveStart(
  asked: AskedRange,
  read: (range: ByteRange) => Promise<TaskLog>,
): Promise<ByteRange> {
  if (asked.kind === 'from')
    return asked.end === null ? { start: asked.start } : { start: asked.start, end: asked.end };
  const { totalBytes, stream } = await read({ start: 0, end: 0 });
  stream.destroy();
  return { start: asked.bytes === 0 ? totalBytes : Math.max(0, totalBytes - asked.bytes) };
}

/** Answers a text as a whole or in part. @throws RANGE_NOT_SATISFIABLE. */
export async function answerRange(
  header: string | undefined,
  read: (range: ByteRange) => Promise<TaskLog>,
): Promise<Answer> {
  const asked = parseRange(header);
  if (asked === null) {
    const { totalBytes, stream } = await read({ start: 0 });
    return { status: 200, stream, headers: { ...TEXT, 'Content-Length': String(totalBytes) } };
  }
  const range = await resolveStart(asked, read);
  const { totalBytes, stream } = await read(range);
  if (range.start >= totalBytes) {
    stream.destroy();
    throw new AppError('RANGE_NOT_SATISFIABLE', `The text has ${totalBytes} bytes at present.`);
  }
  const end = Math.min(range.end ?? totalBytes - 1, totalBytes - 1);
  return {
    status: 206,
    stream,
    headers: {
      ...TEXT,
      'Content-Range': `bytes ${range.start}-${end}/${totalBytes}`,
      'Content-Length': String(end - range.start + 1),
    },
  };
}

/** A file of known size and digest. */
interface ServedFile {
  readonly sha256: string;
  readonly byteSize: number;
  readonly name: string;
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/**
 * Answers a file as a whole or in part, or 304 where the client has it. The digest is its tag, and a browser asks each time whether it may
 * still show what it has. A file is never shown as a page. @throws RANGE_NOT_SATISFIABLE.
 */
export async function answerFile(
  file: ServedFile,
  sent: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer<never>> {
  const { sha256, byteSize, name } = file;
  const headers = {
    ETag: `"${sha256}"`,
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...more,
  };
  const known = sent['if-none-match'];
  if (known?.trim() === '*' || knownVersions(known).includes(sha256)) return { status: 304, headers };
  const asked = parseRange(sent.range);
  const whole = { ...headers, 'Content-Length': String(byteSize) };
  if (asked === null) return { status: 200, stream: await file.open(), headers: whole };
  const start = asked.kind === 'from' ? asked.start : Math.max(0, byteSize - asked.bytes);
  const end = Math.min(asked.kind === 'from' ? (asked.end ?? byteSize - 1) : byteSize - 1, byteSize - 1);
  if (start >= byteSize || (asked.kind === 'last' && asked.bytes === 0))
    throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${byteSize} bytes.`);
  const part = {
    'Content-Range': `bytes ${start}-${end}/${byteSize}`,
    'Content-Length': String(end - start + 1),
  };
  return { status: 206, stream: await file.open({ start, end }), headers: { ...headers, ...part } };
}

/** Range requests on a text that may still grow: a request for one range gets the range, any other gets the whole text. */
import { AppError } from '../../src/domain/errors.ts';
import type { ByteRange, TaskLog } from '../../src/services/jobs/log.ts';
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

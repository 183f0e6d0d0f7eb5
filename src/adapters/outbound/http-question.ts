/**
 * One question of HTTP over an open connection: may I have `/`? Only the status of the answer is read, at most a few hundred
 * bytes; a redirect is not followed, and no byte of the answer is kept.
 */
import type { Duplex } from 'node:stream';

import type { OutboundFault } from '../../domain/outbound.ts';

const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: [^\r\n]*)?\r?\n/;
const LONGEST_STATUS_LINE = 512;
/** A text that cannot end its header line. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;

/** Asks, and tells what was wrong with the answer; null when the answer is good. */
export async function askOverHttp(
  connection: Duplex,
  host: string,
  secret: string | null,
): Promise<OutboundFault | null> {
  if (!HEADER_TEXT.test(`${host}${secret ?? ''}`))
    throw new Error('A header cannot carry this host or secret.');
  const lines = [
    'GET / HTTP/1.1',
    `Host: ${host.includes(':') ? `[${host}]` : host}`,
    'User-Agent: Dockyard',
    'Accept: */*',
    'Connection: close',
    ...(secret === null ? [] : [`Authorization: Bearer ${secret}`]),
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  return faultOfStatus(await readStatus(connection));
}

function faultOfStatus(status: number | null): OutboundFault | null {
  if (status === null) return 'ANSWER_UNEXPECTED';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'REDIRECTED';
  return status === 401 || status === 403 ? 'CREDENTIALS_REFUSED' : 'ANSWER_UNEXPECTED';
}

/** The status of the answer; null when the bytes that come are no answer of HTTP. */
async function readStatus(connection: Duplex): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    connection.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1', 0, LONGEST_STATUS_LINE);
      const [, status] = STATUS_LINE.exec(text) ?? [];
      if (status !== undefined) resolve(Number(status));
      else if (text.includes('\n') || text.length >= LONGEST_STATUS_LINE) resolve(null);
    });
    for (const end of ['end', 'close', 'error']) connection.once(end, () => resolve(null));
  });
}

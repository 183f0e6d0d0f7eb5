/** The wire of EC2: calls as forms, answers and errors as XML. */
import type { IncomingMessage, Server } from 'node:http';

/** The port that a server listens on. */
export function portOfServer(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}

/** Reads a body to its end. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** An error as EC2 tells it. */
export function errorXml(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>simulated</RequestID></Response>`;
}

/** The reservations of a listing, what comes before them, and what comes after. */
export function reservationsIn(xml: string): {
  readonly head: string;
  readonly items: string[];
  readonly tail: string;
} {
  const start = xml.search(/<item>\s*<reservationId>/);
  const end = xml.lastIndexOf('</reservationSet>');
  if (start < 0 || end < 0) return { head: xml, items: [], tail: '' };
  return {
    head: xml.slice(0, start),
    items: xml.slice(start, end).split(/(?=<item>\s*<reservationId>)/),
    tail: xml.slice(end),
  };
}

/** The ids of the instances of a text. */
export function instanceIdsIn(xml: string): string[] {
  return [...xml.matchAll(/<instanceId>(i-[0-9a-f]+)<\/instanceId>/g)].map(([, id = '']) => id);
}

/** The text with another state of its instance, and the reason of the state. */
export function withState(xml: string, state: string, reason: string): string {
  const code = { pending: 0, running: 16, 'shutting-down': 32, terminated: 48 }[state] ?? 48;
  const stated = xml.replace(
    /<instanceState>[\s\S]*?<\/instanceState>/,
    `<instanceState><code>${String(code)}</code><name>${state}</name></instanceState>`,
  );
  const told = `<stateReason><code>${reason}</code><message>${reason}</message></stateReason>`;
  return /<stateReason>/.test(stated)
    ? stated.replace(/<stateReason>[\s\S]*?<\/stateReason>/, told)
    : stated.replace('<instanceState>', `${told}<instanceState>`);
}

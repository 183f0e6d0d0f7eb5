/**
 * The HTTP server under the application. The server's times are set on purpose: a client that is slow with its headers, its body
 * or its next request gives its connection back. A failure before a request reaches the application is answered in the closed
 * form of every error, too.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { AppError, envelopeOf } from '../../src/domain/errors.ts';

/** Times and sizes of connections. */
export interface ConnectionLimits {
  /** Time for all headers of a request. */
  readonly headersMs: number;
  /** Time for a whole request with its body; the largest body fits through a line of 1.2 Mbit/s. */
  readonly requestMs: number;
  /** How long a connection may be idle; longer than load balancers keep theirs, so that these close first. */
  readonly idleMs: number;
  /** How long an answer may be taken without a byte of it leaving, and how long as a whole once all of it is there. */
  readonly answerIdleMs: number;
  readonly answerMs: number;
  /** How long a stream of events may be taken without a byte of it leaving: its reader may be slow, or asleep for a while. */
  readonly streamIdleMs: number;
  /** How often times are looked at. */
  readonly checkMs: number;
  /** Bytes of all headers of a request. */
  readonly headerBytes: number;
}

/** The limits of production. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 240_000,
  idleMs: 75_000,
  answerIdleMs: 30_000,
  answerMs: 240_000,
  streamIdleMs: 300_000,
  checkMs: 5_000,
  headerBytes: 16 * 1024,
};

const MOST_HEADERS = 100;

/** Makes the server; tests set limits of their own. */
export function createApiServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Server {
  /** The last answer of a connection: one that is under way, or waits for those before it. */
  const answers = new WeakMap<object, ServerResponse>();
  const untaken = new UntakenAnswers(limits);
  /** Begins with a request when the answers before it have left: what a client asks without reading answers costs no answer. */
  const inTurn = (request: IncomingMessage, response: ServerResponse): void => {
    const before = answers.get(request.socket);
    answers.set(request.socket, response);
    untaken.watch(response);
    if (before === undefined || before.closed) respond(request, response);
    else
      before.once('close', () => {
        if (!request.socket.destroyed) respond(request, response);
      });
  };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      // Node would refuse without our envelope, and nothing would be logged.
      requireHostHeader: false,
    },
    inTurn,
  );
  server.once('close', () => untaken.close());
  server.maxHeadersCount = MOST_HEADERS;
  // A client that asks first whether it may send its body is answered by the application, which knows what it takes.
  server.on('checkContinue', inTurn);
  // Whatever else it expects is refused there, in the envelope of every refusal.
  server.on('checkExpectation', inTurn);
  server.on('clientError', (error: Error, socket: Socket) => {
    const hasBegun =
      answers.get(socket)?.headersSent === true && answers.get(socket)?.writableFinished !== true;
    if (!socket.writable || hasBegun) socket.destroy();
    else socket.end(answerTo(refusalOf(error)), () => socket.destroy());
  });
  return server;
}

interface Taking {
  /** Bytes that had left when they were last looked at, and when that number last grew. */
  left: number;
  movedAt: number;
  endedAt: number | null;
}

/** Answers that are not taken yet. An answer whose client does not take it ends with its connection, else it would be kept for ever. */
class UntakenAnswers {
  readonly #open = new Map<ServerResponse, Taking>();
  readonly #limits: ConnectionLimits;
  readonly #timer: NodeJS.Timeout;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#look(), limits.checkMs).unref();
  }

  watch(response: ServerResponse): void {
    this.#open.set(response, { left: 0, movedAt: performance.now(), endedAt: null });
    response.once('close', () => this.#open.delete(response));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const [response, taking] of this.#open) {
      const { socket, writableEnded } = response;
      const idleMs = isEventStream(response) ? this.#limits.streamIdleMs : this.#limits.answerIdleMs;
      const left = socket === null ? 0 : socket.bytesWritten - socket.writableLength;
      // A connection on which nothing waits to leave is one whose answer is still being made.
      if (left !== taking.left || socket === null || socket.writableLength === 0)
        Object.assign(taking, { left, movedAt: now });
      if (writableEnded) taking.endedAt ??= now;
      const isOver = taking.endedAt !== null && now - taking.endedAt > this.#limits.answerMs;
      if (isOver || now - taking.movedAt > idleMs) socket?.destroy();
    }
  }
}

/** Whether an answer is a stream of server-sent events, which lasts as long as its reader stays. */
export function isEventStream(response: Pick<ServerResponse, 'getHeader'>): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}

function refusalOf(error: Error): AppError {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError(
        'REQUEST_TIMEOUT',
        'The request was not sent in time. Repeat it over a faster line.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'HEADERS_TOO_LARGE',
        'The headers of the request are too large. Send fewer or shorter ones.',
      );
    default:
      return new AppError('VALIDATION_ERROR', 'The request is not valid HTTP.');
  }
}

const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function answerTo(error: AppError): string {
  const body = JSON.stringify(envelopeOf(error));
  return [
    `HTTP/1.1 ${error.status} ${PHRASES[error.status] ?? 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

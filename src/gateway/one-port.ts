/**
 * One port for both protocols of instances: HTTP/1.1 for the gateway's own calls, HTTP/2 for those of Temporal. With TLS the client says
 * which one it speaks (ALPN); without TLS a client of HTTP/2 begins with words that no request of HTTP/1.1 begins with. A balancer in
 * front may therefore send both to this port.
 */
import type { Server as HttpServer } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

const PREFACE = Buffer.from('PRI * HTTP/2.0');
/** A connection over which nothing is said is ended. */
const FIRST_WORDS_MS = 10_000;

/** Gives the connections of HTTP/2 to another server; call it before the server listens. */
export function shareConnections(
  server: HttpServer | HttpsServer,
  takeHttp2: (socket: Socket) => void,
): void {
  if (server instanceof TlsServer) {
    const listeners = takeListeners(server, 'secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') takeHttp2(socket);
      else for (const listener of listeners) listener.call(server, socket);
    });
    return;
  }
  const listeners = takeListeners(server, 'connection');
  server.on('connection', (socket: Socket) => {
    listenFor(socket, (isHttp2) => {
      if (isHttp2) takeHttp2(socket);
      else for (const listener of listeners) listener.call(server, socket);
    });
  });
}

type Listener = (this: unknown, socket: Socket) => void;

function takeListeners(server: HttpServer | HttpsServer, event: string): Listener[] {
  const listeners = server
    .listeners(event)
    .filter((listener): listener is Listener => typeof listener === 'function');
  server.removeAllListeners(event);
  return listeners;
}

/** Reads the first bytes, puts them back, and says what they are. */
function listenFor(socket: Socket, tell: (isHttp2: boolean) => void): void {
  const leave = (): void => {
    socket.destroy();
  };
  socket.on('error', leave);
  socket.setTimeout(FIRST_WORDS_MS, leave);
  let seen: Buffer = Buffer.alloc(0);
  const look = (): void => {
    for (let bytes: unknown = socket.read(); Buffer.isBuffer(bytes); bytes = socket.read())
      seen = Buffer.concat([seen, bytes]);
    const length = Math.min(seen.length, PREFACE.length);
    const isLike = seen.subarray(0, length).equals(PREFACE.subarray(0, length));
    // The preface may come in pieces.
    if (isLike && length < PREFACE.length) return;
    socket.off('readable', look);
    socket.setTimeout(0);
    socket.off('timeout', leave);
    socket.off('error', leave);
    socket.unshift(seen);
    tell(isLike);
  };
  socket.on('readable', look);
}

/** Another program that takes the port of a process as soon as the process is gone, and answers 200 to everything. */
import { createServer, type Server } from 'node:http';

const AGAIN_MS = 2;

/** A program that waits for a port, or has it. */
export interface PortThief {
  /** Resolves once the port is taken. */
  readonly taken: Promise<void>;
  close(): void;
}

/** Starts to wait for a port of 127.0.0.1. */
export function waitForPort(port: number): PortThief {
  const server: Server = createServer((_request, response) => response.end('{"ok":true}'));
  const listen = (): void => void server.listen({ port, host: '127.0.0.1', exclusive: true });
  let again: NodeJS.Timeout | undefined;
  server.on('error', () => (again = setTimeout(listen, AGAIN_MS)));
  const taken = new Promise<void>((resolve) => server.once('listening', resolve));
  listen();
  return {
    taken,
    close: () => {
      clearTimeout(again);
      server.close();
      server.closeAllConnections();
    },
  };
}

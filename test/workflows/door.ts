/**
 * A door before a server: what goes through it can be cut off at once. A worker that is shut down waits until the server has
 * answered its polls, up to a minute, and ends at once where they are cut off.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A door that is open. */
export interface Door {
  readonly address: string;
  /** Cuts off everything that goes through; what comes next is let through. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a door on loopback to a server on loopback. */
export async function openDoor(to: string): Promise<Door> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((inner) => {
    const outer = connect(Number(new URL(`http://${to}`).port), '127.0.0.1');
    for (const socket of [inner, outer]) keep(socket);
    inner.pipe(outer).pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    cut,
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

// What the supervisor does with a PostgreSQL that is stopped while the supervisor still talks to it. The server here
// speaks just enough of the protocol to be stopped at an exact moment, which a real server cannot be.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

import { expect } from 'chai';

import { createDatabase } from '../../../src/stack/postgres.ts';

const SYNC = 'S'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** One message of the protocol: a letter, the length, the body. */
function message(letter: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = message('Z', Buffer.from('I'));
/** The answer that the database exists: one row, and the end of its query. */
const FOUND = [
  message('1'),
  message('2'),
  message('n'),
  message('D', Buffer.from([0, 0])),
  message('C', Buffer.from('SELECT 1\0')),
  READY,
];
const STOPPED = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/** Answers one query, and is stopped when the client says goodbye. */
function serve(socket: Socket): void {
  let unread = Buffer.alloc(0);
  let isStarted = false;
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes]);
    if (!isStarted) {
      isStarted = true;
      unread = Buffer.alloc(0);
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]));
      return;
    }
    while (unread.length >= 5) {
      const length = 1 + unread.readInt32BE(1);
      if (unread.length < length) return;
      if (unread[0] === SYNC) socket.write(Buffer.concat(FOUND));
      if (unread[0] === TERMINATE) socket.end(STOPPED);
      unread = unread.subarray(length);
    }
  });
}

describe('the database of an embedded stack', () => {
  let server: Server;
  before(async () => {
    server = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  it('is found, and nothing breaks when PostgreSQL is stopped as the connection ends', async () => {
    const { port } = server.address() as AddressInfo;
    await createDatabase(`postgres://postgres:none@127.0.0.1:${port}/postgres`);
    expect(server.listening).to.equal(true);
  });
});

/** A real server for mail on this machine, which can refuse mails for a while. */
import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

/** A mail as the server got it. */
export interface Received {
  readonly to: string;
  readonly text: string;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** The server, and what it got. */
export interface MailServer {
  readonly url: string;
  readonly mails: readonly Received[];
  /** How many names and passwords came. */
  readonly asked: () => number;
  /** Refuses as many of the next mails, as a server does that is short of room. */
  refuse(count: number): void;
  close(): Promise<void>;
}

/** Starts a server; with a name and a password it takes mail from nobody else. */
export async function openMailServer(only?: {
  readonly user: string;
  readonly password: string;
}): Promise<MailServer> {
  const mails: Received[] = [];
  let refusals = 0;
  let asked = 0;
  const server = new SMTPServer({
    authOptional: only === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      asked += 1;
      if (username === only?.user && password === only?.password) done(null, { user: username });
      else done(new Error('Invalid login'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1;
          done(Object.assign(new Error('No room'), { responseCode: 452 }));
          return;
        }
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        // The mails are plain text, so what is encoded otherwise is joined by its soft line ends.
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '').replaceAll('\r\n', '\n');
        mails.push({ to, text, at: performance.now() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    asked: () => asked,
    refuse: (count) => {
      refusals = count;
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

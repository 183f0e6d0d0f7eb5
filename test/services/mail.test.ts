/** Mail to people: over a real server for mail, or into a folder where there is none, sent after the answer and by and by. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { pino } from 'pino';

import { openMailer } from '../../src/adapters/mail/open.ts';
import { createPost } from '../../src/services/people/post.ts';
import { openMailServer } from '../support/mail-server.ts';
import { refusalOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const FROM = 'Dockyard <no-reply@example.org>';
const MAIL = { to: 'ada@example.org', subject: 'Confirm your address', text: 'Your code:\n\n    123' };

describe('mail', () => {
  let logged: string[];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  beforeEach(() => {
    logged = [];
  });

  it('goes into a folder where there is no server, readable by nobody else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-mail-'));
    try {
      const mailer = openMailer({
        smtpUrl: '',
        smtpTls: 'required',
        mailFrom: FROM,
        mailDir: join(folder, 'mail'),
      });
      expect(mailer.place).to.equal(join(folder, 'mail'));
      // A mail program breaks and encodes a long line, which nobody can read as it stands.
      const long = `£5 ${'word '.repeat(40)}end`;
      const mail = { ...MAIL, text: `${MAIL.text}\n\n${long}` };
      await Promise.all([mailer.send(mail), mailer.send(mail)]);
      mailer.close();
      const all = await readdir(mailer.place);
      const names = all.filter((name) => name.endsWith('.eml'));
      expect([all.length, names.length]).to.deep.equal([4, 2]);
      for (const name of all)
        expect((await stat(join(mailer.place, name))).mode & 0o777, name).to.equal(0o600);
      const readable = await readFile(join(mailer.place, names[0]?.replace('.eml', '.txt') ?? ''), 'utf8');
      expect(readable).to.equal(
        `From: ${FROM}\nTo: ada@example.org\nSubject: Confirm your address\n\n${mail.text}\n`,
      );
      const [file = ''] = names.map((name) => join(mailer.place, name));
      expect(file).to.match(/\.eml$/);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect((await stat(mailer.place)).mode & 0o777).to.equal(0o700);
      const text = await readFile(file, 'utf8');
      for (const line of [`From: ${FROM}`, 'To: ada@example.org', 'Subject: Confirm your address', '    123'])
        expect(text).to.contain(line);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('that a server refuses for a while is sent again', async () => {
    const server = await openMailServer();
    const mailer = openMailer({ smtpUrl: server.url, smtpTls: 'required', mailFrom: FROM, mailDir: '' });
    const post = createPost(mailer, log);
    try {
      server.refuse(2);
      post.send(MAIL);
      await until('the mail', () => server.mails.length === 1);
      expect(server.mails[0]).to.include({ to: MAIL.to });
      expect(server.mails[0]?.text).to.contain('    123');
      expect(logged).to.deep.equal([]);
    } finally {
      await post.close();
      await server.close();
    }
  });

  it('is handed over with the name and the password of the address', async () => {
    const server = await openMailServer({ user: 'dock@yard', password: 'p:ss/w?rd' });
    const address = new URL(server.url);
    const send = async (password: string): Promise<void> => {
      const smtpUrl = `smtp://dock%40yard:${encodeURIComponent(password)}@${address.host}`;
      const mailer = openMailer({ smtpUrl, smtpTls: 'required', mailFrom: FROM, mailDir: '' });
      expect(mailer.place).to.equal(address.host);
      try {
        await mailer.send(MAIL);
      } finally {
        mailer.close();
      }
    };
    try {
      await send('p:ss/w?rd');
      expect(server.mails).to.have.length(1);
      expect(String(await refusalOf(send('another')))).to.contain('Invalid login');
    } finally {
      await server.close();
    }
  });

  it('is told nothing by a program beyond this machine before TLS, unless the setting says so in words', async () => {
    const server = await openMailServer({ user: 'ada', password: 'secret' });
    const { port } = new URL(server.url);
    // This address is of any machine, and leads to this one.
    const smtpUrl = `smtp://ada:secret@0.0.0.0:${port}`;
    const send = async (smtpTls: string): Promise<void> => {
      const mailer = openMailer({ smtpUrl, smtpTls, mailFrom: FROM, mailDir: '' });
      try {
        await mailer.send(MAIL);
      } finally {
        mailer.close();
      }
    };
    try {
      expect(await refusalOf(send('required'))).to.include({ code: 'ETLS' });
      expect(server.asked()).to.equal(0);
      await send('when-offered');
      expect(server.asked()).to.equal(1);
      expect(server.mails).to.have.length(1);
    } finally {
      await server.close();
    }
  });

  it('that a server never takes is given up, and the log names no address', async function () {
    this.timeout(120_000);
    const server = await openMailServer();
    const mailer = openMailer({ smtpUrl: server.url, smtpTls: 'required', mailFrom: FROM, mailDir: '' });
    const post = createPost(mailer, log);
    try {
      server.refuse(1_000);
      post.send(MAIL);
    } finally {
      await post.close();
      await server.close();
    }
    expect(server.mails).to.deep.equal([]);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.contain('a mail was not sent').and.not.contain('ada@');
  });

  it('is never without bound: what comes while a thousand are under way is given up', async () => {
    const waiting: (() => void)[] = [];
    const hanging = {
      place: 'nowhere',
      send: () => new Promise<void>((resolve) => waiting.push(resolve)),
      close: () => undefined,
    };
    const post = createPost(hanging, log);
    for (let sent = 0; sent < 1_003; sent += 1) post.send(MAIL);
    expect(waiting).to.have.length(1_000);
    expect(logged).to.have.length(3);
    for (const done of waiting) done();
    await post.close();
  });
});

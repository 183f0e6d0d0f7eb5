/**
 * The mailer of the settings: over SMTP, or into a folder where there is no server. Beyond this machine nothing is said to a server
 * before TLS, with smtps:// from the beginning and with smtp:// by STARTTLS, because mails have codes with which people sign in.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import ipaddr from 'ipaddr.js';
import { createTransport } from 'nodemailer';

import type { Mail, Mailer } from './mail.ts';

/** Destination of mail: a server, or without its address the folder. */
export interface MailSettings {
  readonly smtpUrl: string;
  /** when-offered: a server without STARTTLS gets mail in the clear, wherever the server is. */
  readonly smtpTls: string;
  readonly mailFrom: string;
  readonly mailDir: string;
}

const TIMEOUT_MS = 10_000;
/** Ports of servers that take mail from programs: with TLS from the beginning, and with TLS that the server offers. */
const PORTS = { secure: 465, plain: 587 };

/** Opens the mailer. */
export function openMailer(settings: MailSettings): Mailer {
  return settings.smtpUrl === '' ? folderMailer(settings) : smtpMailer(settings);
}

function smtpMailer({ smtpUrl, smtpTls, mailFrom }: MailSettings): Mailer {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  // An address beside other options would make the library forget these, so its parts are handed over.
  const transport = createTransport({
    pool: true,
    host,
    port: url.port === '' ? PORTS[secure ? 'secure' : 'plain'] : Number(url.port),
    secure,
    requireTLS: !secure && smtpTls !== 'when-offered' && !isThisMachine(host),
    ...(user === undefined || user === '' ? {} : { auth: { user, pass: pass ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    place: url.host,
    async send(mail) {
      await transport.sendMail(messageOf(mail, mailFrom));
    },
    close: () => transport.close(),
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/** Each mail becomes a file that mail programs open and a text for people, both readable by the owner of the process alone. */
function folderMailer({ mailDir, mailFrom }: MailSettings): Mailer {
  const place = resolve(mailDir);
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    place,
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, mailFrom));
      await mkdir(place, { recursive: true, mode: 0o700 });
      const name = mail.id ?? `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
      const text = `From: ${mailFrom}\nTo: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}\n`;
      await writeFile(join(place, `${name}.eml`), message, { mode: 0o600 });
      await writeFile(join(place, `${name}.txt`), text, { mode: 0o600 });
    },
    close: () => transport.close(),
  };
}

/** A mail that is sent again has the same Message-ID, by which mail programs know the mail. */
function messageOf({ id, ...mail }: Mail, from: string) {
  return { from, ...mail, ...(id === undefined ? {} : { messageId: `<${id}@dockyard>` }) };
}

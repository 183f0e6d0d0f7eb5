/**
 * The post: mails that are sent after the answer, so that the time of an answer tells nobody whether a mail was sent. A mail
 * is tried three times; one that is lost with its process, or that comes while too many are under way, is asked for again by
 * its reader.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Mail, Mailer } from '../../adapters/mail/mail.ts';
import { backOff } from '../../domain/back-off.ts';

/** Takes mails and sends them by and by. */
export interface Post {
  send(mail: Mail): void;
  /** Resolves when every mail has been sent or given up; none is tried again any more. */
  close(): Promise<void>;
}

/** An answer, and the mails that leave once the answer is out. */
export interface WithMail<Response> {
  readonly response: Response;
  readonly afterwards: () => void;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A server that takes no mail must not fill the memory of the process. */
const MOST_UNDER_WAY = 1_000;

/** Makes the post of a process. */
export function createPost(mailer: Mailer, log: Logger): Post {
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  /** The error of a mail server quotes the address, so only its kind is logged. */
  const giveUp = (mail: Mail, code: string): void =>
    log.error({ code, subject: mail.subject }, 'a mail was not sent');
  const deliver = async (mail: Mail): Promise<void> => {
    const pausesMs = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await mailer.send(mail);
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS || isClosing) {
          giveUp(mail, codeOf(error));
          return;
        }
        await sleep(pausesMs.next().value);
      }
    }
  };
  return {
    send(mail) {
      if (underWay.size >= MOST_UNDER_WAY) {
        giveUp(mail, 'TOO_MANY_UNDER_WAY');
        return;
      }
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      isClosing = true;
      await Promise.all(underWay);
      mailer.close();
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

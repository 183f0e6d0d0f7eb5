/**
 * Reads a file's parts in order and sends those that the service does not have, several at once; reading runs ahead as
 * far as memory is granted. The first failure ends all that is under way, and is thrown when nothing is any more.
 */
import type { RetryPolicy } from '../retry.ts';
import { createGate } from './gates.ts';
import type { Governor } from './governor.ts';
import type { Journal } from './journal.ts';
import type { Meter } from './meter.ts';
import type { Minter } from './minter.ts';
import type { PartReader, ReadPart } from './part-reader.ts';
import { createPartSender } from './part-sender.ts';
import type { PutAnswer, Putter } from './put.ts';
import type { OpenUpload } from './resume.ts';

/** What a walk works with. */
export interface WalkTools {
  readonly api: { readonly retry: RetryPolicy };
  readonly putter: Putter;
  readonly journal: Journal | null;
  readonly reader: PartReader;
  readonly upload: OpenUpload;
  readonly governor: Governor;
  readonly meter: Meter;
  readonly minter: Minter;
  readonly signal: AbortSignal;
  /** Ends everything that is under way; its signal ends the questions of the minter too. */
  readonly stop: AbortController;
}

/** A part that is stored. */
export interface SentPart {
  readonly number: number;
  readonly byteLength: number;
  readonly sha256: Buffer;
  readonly etag: string | null;
  /** By this attempt; else an earlier one had stored it. */
  readonly wasSent: boolean;
  /** Whether what is stored is known to be what was read. */
  readonly isKnown: boolean;
}

/** Brings every part into the store. @returns them by number. */
export async function sendParts(tools: WalkTools): Promise<readonly SentPart[]> {
  const { api, putter, journal, reader, upload, governor, meter, minter, signal, stop } = tools;
  const within = AbortSignal.any([signal, stop.signal]);
  const gate = createGate(() => governor.limit);
  const sender = createPartSender(
    { retry: api.retry, putter, governor, gate, meter, signal: within },
    minter,
  );
  const done: SentPart[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();

  const send = async (part: ReadPart): Promise<PutAnswer> => {
    await journal?.partRead(part.number, part.sha256.toString('hex'));
    const answer = await sender.send(part, upload.isChecked ? part.sha256.toString('base64') : null);
    await journal?.partStored(part.number, answer.etag);
    return answer;
  };
  const take = async (part: ReadPart): Promise<void> => {
    const { number, sha256, body } = part;
    const kept = keptAnswer(upload, part);
    const wasSent = kept === null && !upload.isEnded;
    const { etag } = wasSent
      ? await send(part)
      : (kept ?? { etag: upload.received.get(number)?.etag ?? null });
    if (wasSent) meter.partDone();
    else meter.partKept(body.byteLength);
    const isKnown = wasSent || kept !== null;
    done.push({ number, sha256, byteLength: body.byteLength, etag, wasSent, isKnown });
  };
  const begin = (part: ReadPart): void => {
    const work = take(part)
      .catch((error: unknown) => {
        failures.push(error);
        stop.abort();
      })
      .finally(() => {
        part.release();
        underWay.delete(work);
      });
    underWay.add(work);
  };
  try {
    for await (const part of reader.parts()) {
      begin(part);
      if (within.aborted) break;
    }
  } catch (error) {
    failures.push(error);
    stop.abort();
  }
  await Promise.all(underWay);
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return done.sort((one, other) => one.number - other.number);
}

/**
 * A part that was sent before, when the bytes that are read now are the bytes that were sent then. Of a part that was
 * under way when the process ended nobody knows whether it arrived whole: the store's name for it tells, where that is
 * the MD5 of what it has.
 */
function keptAnswer(upload: OpenUpload, part: ReadPart): PutAnswer | null {
  const received = upload.received.get(part.number);
  if (received === undefined || received.sha256 !== part.sha256.toString('hex')) return null;
  const { etag, isProven } = received;
  return isProven || (etag !== null && etag.replaceAll('"', '') === part.md5()) ? { etag } : null;
}

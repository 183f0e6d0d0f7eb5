/**
 * Sends one part until it is stored. Every refusal means something else: an address that has ended is minted anew, a
 * busy or broken way is waited out with fewer parts at once, bytes that arrived damaged are sent again, and the rest
 * ends the upload. A part gives up only when for as many attempts nothing at all got through.
 */
import { CLIENT_CODES, ClientError } from '../errors.ts';
import { pause, pauseMs } from '../retry.ts';
import type { RetryPolicy } from '../retry.ts';
import type { Gate } from './gates.ts';
import type { Governor } from './governor.ts';
import type { Meter } from './meter.ts';
import type { Minter } from './minter.ts';
import type { ReadPart } from './part-reader.ts';
import { TransferRefusal } from './put.ts';
import type { PutAnswer, PutBody, Putter, PutTarget } from './put.ts';

/** What parts are sent with. */
export interface SenderTools {
  readonly retry: RetryPolicy;
  readonly putter: Putter;
  readonly governor: Governor;
  readonly gate: Gate;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Sends parts of one upload. */
export interface PartSender {
  send(part: ReadPart, checksumSha256: string | null): Promise<PutAnswer>;
}

/** What to do about a failed attempt. */
type Remedy = 'wait' | 'mint' | 'repeat' | 'give-up';

/** An address may be refused so often in a row: a clock that is wrong stays wrong. */
const MOST_MINTS = 3;
/** Bytes may arrive damaged so often: a fault of this machine stays. */
const MOST_REPEATS = 3;
const MINT_STATUS = new Set([401, 403]);
const WAIT_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/** Makes a sender. */
export function createPartSender(tools: SenderTools, minter: Minter): PartSender {
  const { retry, governor, gate, signal } = tools;
  let arrivals = 0;

  const attempt = async (part: ReadPart, target: PutTarget): Promise<PutAnswer> => {
    await gate.enter();
    try {
      const answer = await putCounted(tools, target, part.body);
      governor.arrived(part.body.byteLength, performance.now());
      arrivals += 1;
      return answer;
    } catch (error) {
      if (!signal.aborted && remedyOf(error) === 'wait') governor.failed(performance.now());
      throw error;
    } finally {
      gate.leave();
    }
  };

  return {
    async send(part, checksumSha256) {
      const tries = { wait: 0, mint: 0, repeat: 0 };
      for (let isFresh = false, seen = arrivals; ; isFresh = true) {
        signal.throwIfAborted();
        const target = await minter.target(part.number, checksumSha256, isFresh);
        try {
          return await attempt(part, target);
        } catch (error) {
          signal.throwIfAborted();
          const remedy = remedyOf(error);
          if (remedy === 'give-up') throw error;
          // As long as anything gets through, patience costs nothing.
          if (arrivals > seen) tries.wait = 0;
          seen = arrivals;
          tries[remedy] += 1;
          if (tries.wait >= retry.attempts || tries.mint > MOST_MINTS || tries.repeat > MOST_REPEATS)
            throw error;
          const asked = error instanceof ClientError ? error.retryAfterSeconds : null;
          if (remedy !== 'mint') await pause(pauseMs(retry, Math.max(1, tries.wait), asked), signal);
        }
      }
    },
  };
}

/** Sends a body and takes back from the meter what a failed attempt had sent. */
export async function putCounted(
  { putter, meter, signal }: Pick<SenderTools, 'putter' | 'meter' | 'signal'>,
  target: PutTarget,
  body: PutBody,
): Promise<PutAnswer> {
  let sent = 0;
  try {
    return await putter.put(target, body, signal, (bytes) => {
      sent += bytes;
      meter.sent(bytes);
    });
  } catch (error) {
    meter.sent(-sent);
    throw error;
  }
}

/** What may mend a failed PUT. */
export function remedyOf(error: unknown): Remedy {
  if (!(error instanceof ClientError)) return 'give-up';
  if (error.code === CLIENT_CODES.connectionLost) return 'wait';
  if (!(error instanceof TransferRefusal)) return 'give-up';
  if (WAIT_STATUS.has(error.status) || error.reason === 'RequestTimeout' || error.reason === 'SlowDown')
    return 'wait';
  if (MINT_STATUS.has(error.status)) return 'mint';
  return error.status === 400 ? 'repeat' : 'give-up';
}

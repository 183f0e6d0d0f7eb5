/** Where bytes go in the object store, how the store refuses them, and what helps. Nothing here is of Node: pages send files, too. */
import { CLIENT_CODES, ClientError } from '../errors.ts';

/** Destination of bytes. */
export interface PutTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal of the object store. */
export class TransferRefusal extends ClientError {
  /** The store's code, such as `BadDigest`. */
  readonly reason: string | null;

  constructor(status: number, reason: string | null, retryAfterSeconds: number | null) {
    const named = reason === null ? '' : ` (${reason})`;
    super(`The object store answered ${status}${named}.`, {
      status,
      code: CLIENT_CODES.transferRefused,
      retryAfterSeconds,
    });
    this.reason = reason;
  }
}

/** Remedy for a failed PUT: wait, get another address, send the same bytes again, or nothing. */
type Remedy = 'wait' | 'mint' | 'repeat' | 'give-up';

const MINT_STATUS = new Set([401, 403]);
const WAIT_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/** Finds the remedy for a failed PUT. */
export function remedyOf(error: unknown): Remedy {
  if (!(error instanceof ClientError)) return 'give-up';
  if (error.code === CLIENT_CODES.connectionLost) return 'wait';
  if (!(error instanceof TransferRefusal)) return 'give-up';
  if (WAIT_STATUS.has(error.status) || error.reason === 'RequestTimeout' || error.reason === 'SlowDown')
    return 'wait';
  if (MINT_STATUS.has(error.status)) return 'mint';
  return error.status === 400 ? 'repeat' : 'give-up';
}

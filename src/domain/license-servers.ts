/** Licence servers that customers bring: what is told and kept of one. */
import type { Destination } from './outbound.ts';

/** An account has at most this many licence servers. */
export const MOST_LICENSE_SERVERS = 50;

/** POST and PUT of a licence server. */
export interface LicenseServerRequest extends Destination {
  readonly name: string;
  readonly software: string;
  /** Null for none; in a change, a secret that is left out stays. */
  readonly secret?: string | null;
}

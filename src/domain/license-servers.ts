/** Licence servers that customers bring: what is told and kept of one. */
import type { Destination, OutboundFault } from './outbound.ts';

/** An account has at most this many licence servers. */
export const MOST_LICENSE_SERVERS = 50;

/** POST and PUT of a licence server. */
export interface LicenseServerRequest extends Destination {
  readonly name: string;
  readonly software: string;
  /** Null for none; in a change, a secret that is left out stays. */
  readonly secret?: string | null;
}

/** A licence server as answers tell of it; the secret is in none. */
export interface LicenseServerRecord extends Destination {
  readonly id: string;
  readonly name: string;
  readonly software: string;
  readonly hasSecret: boolean;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** GET /settings/license-servers. */
export interface LicenseServerListResponse {
  readonly licenseServers: LicenseServerRecord[];
}

/** POST /settings/license-servers/{licenseServerId}/test. */
export interface LicenseServerTest {
  readonly ok: boolean;
  readonly code: OutboundFault | null;
}

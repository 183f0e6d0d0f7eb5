/** Buying credits: tiers, the hosted checkout of one, and how far a purchase is. */
import type { CallOptions, WriteOptions } from './transport.ts';
import type { TierListResponse, TopupRequest, TopupResponse, TopupStartedResponse } from './types.ts';

/** The calls that top-ups are made of. */
export interface TopupCalls {
  readonly read: <T extends object>(path: string, options: CallOptions) => Promise<T>;
  readonly write: <T extends object>(path: string, body: unknown, options: WriteOptions) => Promise<T>;
}

/** Tiers of credits, and buying them. Every operation throws ClientError. */
export interface Topups {
  /** Lists the tiers by price. */
  tiers(options?: CallOptions): Promise<TierListResponse>;
  /** Opens a hosted checkout, at whose address a person pays; a repeat with the same key answers the same checkout. */
  start(request: TopupRequest, options?: WriteOptions): Promise<TopupStartedResponse>;
  /** How far a purchase is; its credits are there at PAID. */
  get(topupId: string, options?: CallOptions): Promise<TopupResponse>;
}

/** Makes the operations. */
export function createTopups({ read, write }: TopupCalls): Topups {
  return {
    tiers: (options = {}) => read('/credits/tiers', options),
    start: (request, options = {}) => write('/credits/topup', request, options),
    get: (topupId, options = {}) => read(`/credits/topups/${encodeURIComponent(topupId)}`, options),
  };
}

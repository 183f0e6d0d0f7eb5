/**
 * Log lines about requests that are refused before they are looked at: not one for each, which would cost more than the refusal,
 * but a line for every ten seconds in which there were any, with the networks that sent most and one request of each.
 */
import type { Logger } from 'pino';

/** Counts refusals for the log. */
export interface RefusedTally {
  count(network: string, requestId: string): void;
  /** Writes what is counted. */
  close(): void;
}

const EVERY_MS = 10_000;
const MOST_NETWORKS = 1_000;
const NAMED = 5;

interface Sent {
  refused: number;
  readonly requestId: string;
}

/** Makes the tally. */
export function createRefusedTally(logger: Logger, everyMs = EVERY_MS): RefusedTally {
  const networks = new Map<string, Sent>();
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (refused === 0) return;
    const most = [...networks]
      .map(([network, sent]) => ({ network, ...sent }))
      .toSorted((a, b) => b.refused - a.refused)
      .slice(0, NAMED);
    logger.warn(
      { refused, networks: networks.size, most },
      'requests refused beyond the limit of their network',
    );
    networks.clear();
    refused = 0;
  };
  return {
    count(network, requestId) {
      refused += 1;
      timer ??= setTimeout(write, everyMs).unref();
      const sent = networks.get(network);
      if (sent !== undefined) sent.refused += 1;
      else if (networks.size < MOST_NETWORKS) networks.set(network, { refused: 1, requestId });
    },
    close: write,
  };
}

/**
 * Names to addresses, by the name servers of this machine and not by its file of hosts, in which private names may
 * stand. The look-ups wait in no thread: a customer whose name server is slow holds up nobody.
 */
import { Resolver } from 'node:dns/promises';

/** Finds the addresses of a name: no address where the name is unknown. Rejects when the signal ends the look-up. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY = { timeout: 1_000, tries: 2 };

/** Asks the name servers of this machine. */
export const resolveByServers: Resolve = async (name, signal) => {
  const resolver = new Resolver(QUERY);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    return found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

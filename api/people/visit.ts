/** Origin of a person's request. */
import type { Visit } from '../../src/domain/people.ts';
import type { EndpointRequest } from '../http/endpoint.ts';
import { networkOf } from '../http/networks.ts';

/** The address, the network and the program of a request. */
export function visitOf({
  address,
  headers,
}: Pick<EndpointRequest<unknown, unknown, unknown, unknown>, 'address' | 'headers'>): Visit {
  return { address, network: networkOf(address), userAgent: headers['user-agent'] ?? null };
}

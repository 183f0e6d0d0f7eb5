/** The words for connections that the service makes for a customer. */
import type { OutboundFault } from '../outbound.ts';
import type { CodeWords } from './code.ts';

const says = (meaning: string, advice: string): CodeWords => ({ meaning, advice });

/** Why a connection did not come to a good end. */
export const OUTBOUND_WORDS = {
  HOST_INVALID: says('The host is neither a name nor an address in its usual form.', 'Correct the host.'),
  PORT_REFUSED: says(
    'The service does not connect to this port.',
    'Let the server listen at port 80, 443 or one from 1024 on.',
  ),
  ADDRESS_REFUSED: says(
    'The host leads to an address that is not of the public internet.',
    'Give the server a public address, or ask the operator of the service to allow its network.',
  ),
  NAME_UNKNOWN: says(
    'No address was found for the name.',
    'Correct the name, or wait until it is published.',
  ),
  CONNECTION_FAILED: says(
    'Nothing took the connection at this port.',
    'See that the server runs and that no firewall keeps the service out.',
  ),
  TIMED_OUT: says(
    'The other side did not answer in time: within three seconds, or within fifteen when it was sent a message.',
    'See that the server runs and that no firewall drops packets of the service.',
  ),
  TLS_FAILED: says(
    'The other side has no valid certificate of its host.',
    'Renew the certificate, or use the name that it is made out to.',
  ),
  REDIRECTED: says(
    'The other side asks to go elsewhere, where the service does not follow.',
    'Name the place itself as host and port.',
  ),
  CREDENTIALS_REFUSED: says(
    'The other side does not accept the secret.',
    'Store the right secret, and test again.',
  ),
  ANSWER_UNEXPECTED: says(
    'The other side answered with something else than success.',
    'Look at the log of the server, or choose the protocol that it speaks.',
  ),
} as const satisfies Readonly<Record<OutboundFault, CodeWords>>;

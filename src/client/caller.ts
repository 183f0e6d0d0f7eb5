/** The caller of a program: credentials with the mark that tells one from another, and the proxy on the way. */
import { createHash } from 'node:crypto';

import { proxyWords } from './proxy.ts';
import type { TransportOptions } from './transport.ts';

/** Makes what a transport knows of a program that calls with these credentials, whose key or session is the secret. */
export function programCaller(
  credentials: TransportOptions['credentials'],
  secret: string,
): Pick<TransportOptions, 'credentials' | 'keyMark' | 'wayWords' | 'userAgent'> {
  const keyMark = createHash('sha256').update(secret).digest('hex').slice(0, 16);
  return { credentials, keyMark, wayWords: proxyWords, userAgent: 'dockyard-client' };
}

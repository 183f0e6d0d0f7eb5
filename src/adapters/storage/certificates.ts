/** Certificate authorities for stores whose certificate no public authority has signed. */
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The TLS setting that trusts the authorities of a file besides the known ones. */
export function authorities(file: string | undefined): { ca?: string[] } {
  return file ? { ca: [...rootCertificates, readFileSync(file, 'utf8')] } : {};
}

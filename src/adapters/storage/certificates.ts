/** Certificate authorities of stores with a certificate of their own. */
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The TLS setting that believes a file's authorities besides the known ones. */
export function authorities(file: string | undefined): { ca?: string[] } {
  return file ? { ca: [...rootCertificates, readFileSync(file, 'utf8')] } : {};
}

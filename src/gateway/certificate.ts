/**
 * The certificate that the gateway shows. Certificates last for weeks, so the files are read again when they change, and new
 * connections get the new certificate; files that cannot serve leave the certificate before.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';

/** The PEM files of the certificate with its chain, and of its private key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate and its key, as a server takes them. */
export interface ServedCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const LOOK_MS = 2_000;
const CERT = 'DOCKYARD_GATEWAY_CERT_FILE';
const KEY = 'DOCKYARD_GATEWAY_KEY_FILE';

/** Reads both files. @throws Error naming the setting of a file that cannot serve. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): ServedCertificate {
  const cert = reading(`${CERT}: ${certFile} has no certificate in PEM`, () => readFileSync(certFile));
  const key = reading(`${KEY}: ${keyFile} has no private key in PEM`, () => readFileSync(keyFile));
  const first = reading(`${CERT}: ${certFile} has no certificate in PEM`, () => new X509Certificate(cert));
  const own = reading(`${KEY}: ${keyFile} has no private key in PEM`, () => createPrivateKey(key));
  if (!first.checkPrivateKey(own))
    throw new Error(`${KEY}: ${keyFile} is not the key of the certificate in ${certFile}.`);
  return { cert, key };
}

/** Gives the server each new certificate of the files; the function that is answered ends the watch. */
export function watchCertificate(
  files: CertificateFiles,
  server: Pick<Server, 'setSecureContext'>,
  onFault: (error: unknown) => void,
  lookMs = LOOK_MS,
): () => void {
  let served = readCertificate(files);
  let fault = '';
  const timer = setInterval(() => {
    try {
      const found = readCertificate(files);
      fault = '';
      if (found.cert.equals(served.cert) && found.key.equals(served.key)) return;
      served = found;
      server.setSecureContext(found);
    } catch (error) {
      // The two files are not written at one moment, and a fault that lasts is told once.
      const text = String(error);
      if (text !== fault) onFault(error);
      fault = text;
    }
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

function reading<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${problem} (${error instanceof Error ? error.message : String(error)}).`, {
      cause: error,
    });
  }
}

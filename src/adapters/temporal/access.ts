/**
 * Access of every process to Temporal: address, TLS, the certificate of the process and its API key. Certificates are read when a
 * connection is made, so a new certificate takes a restart; the API key is read again when its file changes. A file that cannot
 * serve is refused here, by the name of its setting, because the refusals of TLS libraries name no file.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { CodecSettings } from './codec.ts';
import { TemporalSettingsError } from './settings-error.ts';

/** Address of Temporal, and the access to it; the names are those of the configuration. */
export interface TemporalAccess {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalTls: boolean;
  readonly temporalCaFile: string;
  readonly temporalCertFile: string;
  readonly temporalKeyFile: string;
  readonly temporalServerName: string;
  readonly temporalApiKeyFile: string;
}

/** The variables of the settings, for messages. */
export const VARIABLES = {
  tls: 'DOCKYARD_TEMPORAL_TLS',
  ca: 'DOCKYARD_TEMPORAL_CA_FILE',
  cert: 'DOCKYARD_TEMPORAL_CERT_FILE',
  key: 'DOCKYARD_TEMPORAL_KEY_FILE',
  serverName: 'DOCKYARD_TEMPORAL_SERVER_NAME',
  apiKey: 'DOCKYARD_TEMPORAL_API_KEY_FILE',
} as const;

/** Certificates and name for TLS to Temporal; null stands for those that the settings leave out. */
export interface TemporalTls {
  readonly ca: Buffer | null;
  readonly pair: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly serverName: string | null;
}

/** TLS in the form that both kinds of connections of the SDK take. */
export interface SdkTls {
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
  serverNameOverride?: string;
}

/** An API key that may change while the process runs. */
export interface ApiKey {
  /** The key as its file has it now; the key before where the file cannot be read. */
  current(): string;
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
/** How old a key may be that is sent. */
const KEY_AGE_MS = 1_000;

/** Access without TLS, without a key and without a codec, such as to the dev server of an embedded stack. */
export function plainAccess(
  temporalAddress: string,
  temporalNamespace = 'default',
): TemporalAccess & CodecSettings {
  return {
    temporalCodecKeys: '',
    temporalCodecKey: '',
    temporalAddress,
    temporalNamespace,
    temporalTls: false,
    temporalServerName: '',
    temporalCaFile: '',
    temporalCertFile: '',
    temporalKeyFile: '',
    temporalApiKeyFile: '',
  };
}

/** Reads the files of TLS; null where Temporal is reached without TLS. @throws TemporalSettingsError naming a wrong file. */
export function readTls(access: TemporalAccess): TemporalTls | null {
  if (!access.temporalTls) return null;
  const { temporalCaFile: caFile, temporalCertFile: certFile, temporalKeyFile: keyFile } = access;
  return {
    ca: caFile === '' ? null : readCertificates(VARIABLES.ca, caFile).pem,
    pair: certFile === '' ? null : readPair(certFile, keyFile),
    serverName: access.temporalServerName === '' ? null : access.temporalServerName,
  };
}

/** TLS as the SDK takes it; null stays null. */
export function sdkTls(tls: TemporalTls | null): SdkTls | null {
  if (tls === null) return null;
  return {
    ...(tls.ca === null ? {} : { serverRootCACertificate: tls.ca }),
    ...(tls.pair === null ? {} : { clientCertPair: { crt: tls.pair.cert, key: tls.pair.key } }),
    ...(tls.serverName === null ? {} : { serverNameOverride: tls.serverName }),
  };
}

/** Opens the file of the API key; null where the settings name none. @throws TemporalSettingsError for a file without a key. */
export function openApiKey({ temporalApiKeyFile: file }: TemporalAccess): ApiKey | null {
  if (file === '') return null;
  let key = keyIn(file);
  let readAt = performance.now();
  return {
    current() {
      if (performance.now() - readAt < KEY_AGE_MS) return key;
      readAt = performance.now();
      try {
        key = keyIn(file);
      } catch {
        // The file may be in the middle of a change; the key before stands until there is another.
      }
      return key;
    },
  };
}

function keyIn(file: string): string {
  const key = read(VARIABLES.apiKey, file).toString('utf8').trim();
  // A header takes no spaces, line ends or control characters.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TemporalSettingsError(VARIABLES.apiKey, `${file} has no API key.`);
  return key;
}

function readPair(certFile: string, keyFile: string): TemporalTls['pair'] {
  const { pem: cert, first } = readCertificates(VARIABLES.cert, certFile);
  const key = read(VARIABLES.key, keyFile);
  let isOfCertificate: boolean;
  try {
    isOfCertificate = first.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    const problem = `${keyFile} has no private key in PEM that can be read without a passphrase.`;
    throw new TemporalSettingsError(VARIABLES.key, problem, error);
  }
  if (!isOfCertificate)
    throw new TemporalSettingsError(
      VARIABLES.key,
      `${keyFile} is not the key of the certificate in ${certFile}.`,
    );
  return { cert, key };
}

function readCertificates(variable: string, file: string): { pem: Buffer; first: X509Certificate } {
  const pem = read(variable, file);
  const texts = pem.toString('latin1').match(PEM_CERTIFICATE) ?? [];
  let certificates: X509Certificate[];
  try {
    certificates = texts.map((text) => new X509Certificate(text));
  } catch (error) {
    throw new TemporalSettingsError(variable, `${file} has a certificate that cannot be read.`, error);
  }
  const [first] = certificates;
  if (first === undefined) throw new TemporalSettingsError(variable, `${file} has no certificate in PEM.`);
  if (certificates.every(({ validTo }) => Date.parse(validTo) < Date.now()))
    throw new TemporalSettingsError(variable, `the certificate in ${file} has expired (${first.validTo}).`);
  return { pem, first };
}

function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new TemporalSettingsError(variable, `the file cannot be read (${cause}).`, error);
  }
}

/** Certificates that are made for one test run: ECDSA keys, in the smallest valid DER. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Certificate } from './object-store.ts';

const SEQUENCE = 0x30;
const SET = 0x31;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const DAY_MS = 24 * 3600 * 1000;

/** An authority of a test, whose certificates are believed where its own is named. */
export interface TestAuthority {
  /** The certificate of the authority itself. */
  readonly caFile: string;
  /** Issues a certificate for a DNS name or an IPv4 address, for servers and clients alike; `expired` makes one that was valid until yesterday. */
  issue(name: string, options?: { readonly expired?: boolean }): Promise<Certificate>;
  remove(): Promise<void>;
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

interface Form {
  readonly name: string;
  readonly isAuthority: boolean;
  /** Entries of the alternative names, in DER. */
  readonly names: readonly Buffer[];
  readonly until?: number;
}

/** Writes a certificate for 127.0.0.1 that signs itself, and its key, into a folder of their own; it ends in so many days. */
export async function makeCertificate(days = 1): Promise<Certificate & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-certificate-'));
  const form = { name: 'dockyard test', isAuthority: true, names: [alternativeName('127.0.0.1')] };
  const { files } = await write(folder, 'self', { ...form, until: Date.now() + days * DAY_MS }, null);
  return { ...files, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes an authority with a folder of its own. */
export async function makeAuthority(name = 'dockyard test authority'): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-authority-'));
  const { files, key } = await write(folder, 'ca', { name, isAuthority: true, names: [] }, null);
  let issued = 0;
  return {
    caFile: files.certFile,
    async issue(dnsName, { expired = false } = {}) {
      const form = { name: dnsName, isAuthority: false, names: [alternativeName(dnsName)] };
      issued += 1;
      const until = expired ? { until: Date.now() - DAY_MS } : {};
      return (await write(folder, `issued-${issued}`, { ...form, ...until }, { name, key })).files;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function alternativeName(name: string): Buffer {
  return isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
}

/** Writes a certificate and its key; without an issuer the certificate signs itself. */
async function write(
  folder: string,
  file: string,
  form: Form,
  issuer: Issuer | null,
): Promise<{ readonly files: Certificate; readonly key: KeyObject }> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const by = issuer ?? { name: form.name, key: privateKey };
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(by.name),
    der(SEQUENCE, time(Date.now() - 2 * DAY_MS), time(form.until ?? Date.now() + DAY_MS)),
    nameOf(form.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensionsOf(form)),
  );
  const signature = sign('sha256', body, by.key);
  const certificate = der(SEQUENCE, body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const [certFile, keyFile] = [join(folder, `${file}.pem`), join(folder, `${file}.key.pem`)];
  const lines = certificate.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  await writeFile(certFile, `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`);
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { files: { certFile, keyFile }, key: privateKey };
}

function nameOf(name: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function extensionsOf({ isAuthority, names }: Form): Buffer {
  const constraints = isAuthority ? der(SEQUENCE, der(0x01, Buffer.from([0xff]))) : der(SEQUENCE);
  const critical = der(0x01, Buffer.from([0xff]));
  const basic = der(SEQUENCE, BASIC_CONSTRAINTS, critical, der(0x04, constraints));
  if (names.length === 0) return der(SEQUENCE, basic);
  return der(SEQUENCE, basic, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, ...names))));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d{3}/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

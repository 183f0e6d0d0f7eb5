/**
 * Payloads as Temporal stores them: sealed with AES-256-GCM under a key of the installation, so that whoever reads Temporal's
 * database or backups reads no input, result or message of a failure. The id of the key stands beside what the key has sealed. A
 * payload that is not sealed is taken as it is, so workflows that began without a codec go on; one whose key is not known is an error.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { defaultPayloadConverter } from '@temporalio/common';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { isRecord } from '../../domain/is-record.ts';
import { TemporalSettingsError } from './settings-error.ts';

/** The ring of keys and the key that seals; the names are those of the configuration. */
export interface CodecSettings {
  /** `id:key`, each key 64 hex characters, apart by commas; empty: no codec. */
  readonly temporalCodecKeys: string;
  /** The id of the key that seals; empty: nothing is sealed, and what was sealed is opened. */
  readonly temporalCodecKey: string;
}

/** A codec that knows whether it seals. */
export interface SealingCodec extends PayloadCodec {
  readonly isSealing: boolean;
}

type Failure = temporal.api.failure.v1.IFailure;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const KEYS = 'DOCKYARD_TEMPORAL_CODEC_KEYS';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENCODING = 'binary/encrypted';
const ENCODING_BYTES = Buffer.from(ENCODING);
const KEY_ID = 'encryption-key-id';
/** The converter that puts messages of failures into payloads, which workers and the bundle of workflows load by its path. */
const FAILURE_CONVERTER = fileURLToPath(new URL('../../contracts/sealed-failures.ts', import.meta.url));
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** Makes the codec of the settings; null where they name no keys. @throws TemporalSettingsError for a ring that cannot serve. */
export function createPayloadCodec(settings: CodecSettings): SealingCodec | null {
  const { temporalCodecKeys: ring, temporalCodecKey: keyId } = settings;
  const pairs = ring === '' ? [] : ring.split(',').map(keyIn);
  const keys = new Map(pairs.map((key) => [key.id, key]));
  if (keys.size < pairs.length) throw new TemporalSettingsError(KEYS, 'an id of a key is there twice.');
  const sealing = keyId === '' ? null : keys.get(keyId);
  if (sealing === undefined)
    throw new TemporalSettingsError('DOCKYARD_TEMPORAL_CODEC_KEY', `no key of ${KEYS} has the id ${keyId}.`);
  if (keys.size === 0) return null;
  return {
    isSealing: sealing !== null,
    encode: async (payloads) =>
      sealing === null ? payloads : payloads.map((payload) => seal(sealing, payload)),
    decode: async (payloads) =>
      payloads.map((payload) => (isSealed(payload) ? open(keys, payload) : payload)),
  };
}

/** Makes the converter of payloads and failures for clients and workers; without keys it is the SDK's own. */
export function dataConverterOf(settings: CodecSettings): DataConverter {
  const codec = createPayloadCodec(settings);
  if (codec === null) return {};
  return { payloadCodecs: [codec], ...(codec.isSealing ? { failureConverterPath: FAILURE_CONVERTER } : {}) };
}

/** Whether a payload was sealed by a codec, ours or another. */
export function isSealed({ metadata }: Payload): boolean {
  const encoding = metadata?.['encoding'];
  return encoding != null && Buffer.from(encoding).equals(ENCODING_BYTES);
}

/** A failure and its causes with the messages that were sealed; where no codec is, the failure as it is. */
export async function openFailure(
  codec: PayloadCodec | null,
  failure: Failure | null | undefined,
): Promise<Failure | null | undefined> {
  if (codec === null || failure == null) return failure;
  const { encodedAttributes, cause } = failure;
  const [attributes] = encodedAttributes == null ? [] : await codec.decode([encodedAttributes]);
  const words = attributes === undefined ? null : jsonIn(attributes);
  const message =
    isRecord(words) && typeof words['message'] === 'string' ? { message: words['message'] } : {};
  return { ...failure, ...message, cause: (await openFailure(codec, cause)) ?? null };
}

/**
 * A failure with its messages, stacks and details sealed, causes included, in the form that the converter of `FAILURE_CONVERTER` gives
 * failures; where the codec does not seal, the failure as it is.
 */
export async function sealFailure(codec: SealingCodec | null, failure: Failure): Promise<Failure> {
  if (codec?.isSealing !== true) return failure;
  const {
    message,
    stackTrace,
    cause,
    applicationFailureInfo: application,
    canceledFailureInfo: canceled,
  } = failure;
  const words = defaultPayloadConverter.toPayload({ message, stack_trace: stackTrace });
  const [encodedAttributes] = await codec.encode([words]);
  return {
    ...failure,
    message: 'Encoded failure',
    stackTrace: '',
    encodedAttributes: encodedAttributes ?? null,
    cause: cause == null ? null : await sealFailure(codec, cause),
    applicationFailureInfo: application == null ? null : await withSealedDetails(codec, application),
    canceledFailureInfo: canceled == null ? null : await withSealedDetails(codec, canceled),
  };
}

async function withSealedDetails<T extends { details?: temporal.api.common.v1.IPayloads | null }>(
  codec: PayloadCodec,
  info: T,
): Promise<T> {
  const { payloads } = info.details ?? {};
  return payloads == null ? info : { ...info, details: { payloads: await codec.encode(payloads) } };
}

/** A payload as base64 of its protobuf, as instances and the gateway exchange payloads. */
export function textOfPayload(payload: Payload): string {
  return Buffer.from(PayloadMessage.encode(payload).finish()).toString('base64');
}

/** The payload in such a text. @throws RangeError or Error when the text is no payload. */
export function payloadIn(text: string): Payload {
  return PayloadMessage.decode(Buffer.from(text, 'base64'));
}

/** The value of a payload of JSON; undefined for any other payload. */
export function jsonIn({ metadata, data }: Payload): unknown {
  const encoding = metadata?.['encoding'];
  if (encoding == null || Buffer.from(encoding).toString() !== 'json/plain') return undefined;
  try {
    return JSON.parse(Buffer.from(data ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
}

function keyIn(pair: string): Key {
  const [id = '', key = ''] = pair.split(':');
  return { id, bytes: Buffer.from(key, 'hex') };
}

/** The nonce, the encrypted payload with its metadata, and the tag, in this order. */
function seal({ id, bytes: key }: Key, payload: Payload): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(id));
  const encrypted = [cipher.update(PayloadMessage.encode(payload).finish()), cipher.final()];
  return {
    metadata: { encoding: ENCODING_BYTES, [KEY_ID]: Buffer.from(id) },
    data: Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]),
  };
}

function open(keys: ReadonlyMap<string, Key>, { metadata, data }: Payload): Payload {
  const id = Buffer.from(metadata?.[KEY_ID] ?? []).toString();
  const key = keys.get(id);
  if (key === undefined) throw new Error(`The key ${id}, which has sealed a payload, is not in ${KEYS}.`);
  const bytes = Buffer.from(data ?? []);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('A sealed payload is too short to be one.');
  const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(boundTo(id))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const encrypted = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  return PayloadMessage.decode(Buffer.concat([decipher.update(encrypted), decipher.final()]));
}

/** Additional data that is authenticated beside the encrypted bytes. */
function boundTo(keyId: string): Buffer {
  return Buffer.from(`${ENCODING} ${keyId}`);
}

/**
 * The payloads of Temporal that an instance works with, where payloads are sealed: the keys are never on an instance, so the
 * gateway opens the instance's shards and seals its results. An instance that has got hold of another payload does not get it
 * opened. Nothing is read or written, so the fence is not asked.
 */
import { jsonIn, payloadIn, textOfPayload } from '../../../adapters/temporal/codec.ts';
import type { SealingCodec } from '../../../adapters/temporal/codec.ts';
import type { InstanceClaims, PayloadsMessage } from '../../../contracts/instance.ts';
import { AppError } from '../../../domain/errors.ts';
import { isRecord } from '../../../domain/is-record.ts';

type Payload = ReturnType<typeof payloadIn>;

/** Opens and seals for instances. */
export interface InstancePayloads {
  /** Opens shards of the instance; a payload that is no shard of this instance is refused. */
  open(claims: InstanceClaims, message: PayloadsMessage): Promise<PayloadsMessage>;
  /** Seals whatever the instance answers. */
  seal(message: PayloadsMessage): Promise<PayloadsMessage>;
}

/** Makes both over a codec; null where no keys are set. */
export function createInstancePayloads(codec: SealingCodec | null): InstancePayloads {
  const known = (): SealingCodec => {
    if (codec !== null) return codec;
    throw new Error('An instance has a sealed payload, and DOCKYARD_TEMPORAL_CODEC_KEYS is empty.');
  };
  return {
    async open(claims, message) {
      const opened = await known().decode(payloadsIn(message));
      if (!opened.every((payload) => isShardOf(claims, payload)))
        throw new AppError('VALIDATION_ERROR', 'A payload is no shard of this instance.');
      return { payloads: opened.map(textOfPayload) };
    },
    async seal(message) {
      const sealed = await known().encode(payloadsIn(message));
      return { payloads: sealed.map(textOfPayload) };
    },
  };
}

function payloadsIn({ payloads }: PayloadsMessage): Payload[] {
  try {
    return payloads.map(payloadIn);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'A payload is not of the form of one.', { cause: error });
  }
}

function isShardOf({ jobId, slot, generation }: InstanceClaims, payload: Payload): boolean {
  const shard = jsonIn(payload);
  return (
    isRecord(shard) &&
    shard['jobId'] === jobId &&
    shard['slot'] === slot &&
    shard['generation'] === generation &&
    Array.isArray(shard['ordinals'])
  );
}

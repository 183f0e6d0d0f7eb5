/**
 * Payloads between Temporal and an instance, on their way through the pass-through: sealed payloads are opened for the instance
 * and its answers are sealed, so that no key is on an instance. Answers are taken as JSON only: a workflow that cannot read the
 * answer of an instance would stand still until an operator looks at it.
 */
import { isSealed, jsonIn, sealFailure } from '../../../adapters/temporal/codec.ts';
import type { payloadIn, SealingCodec } from '../../../adapters/temporal/codec.ts';
import { AppError } from '../../../domain/errors.ts';

type Payload = ReturnType<typeof payloadIn>;
type Failure = Parameters<typeof sealFailure>[1];
type Payloads = readonly Payload[] | null | undefined;

/** Opens what instances get, and seals what instances answer. */
export interface ShardPayloads {
  /** @throws Error when a key is missing. */
  open(payloads: Payloads): Promise<Payload[]>;
  /** @throws AppError for what is no JSON. */
  seal(payloads: Payloads): Promise<Payload[]>;
  /** Takes payloads that are never sealed, such as the counts of heartbeats. @throws AppError for what is no JSON. */
  check(payloads: Payloads): Payload[];
  /** @throws AppError for details that are no JSON. */
  sealFailure(failure: Failure): Promise<Failure>;
}

/** A failure has no more causes than this. */
const MOST_CAUSES = 20;

/** Makes them over a codec; null where no keys are set. */
export function createShardPayloads(codec: SealingCodec | null): ShardPayloads {
  const check = (payloads: Payloads): Payload[] => (payloads ?? []).map(expectJson);
  return {
    async open(payloads) {
      const sealed = [...(payloads ?? [])];
      if (!sealed.some(isSealed)) return sealed;
      if (codec !== null) return codec.decode(sealed);
      throw new Error('A shard has a sealed payload, and DOCKYARD_TEMPORAL_CODEC_KEYS is empty.');
    },
    async seal(payloads) {
      const plain = check(payloads);
      return codec === null || plain.length === 0 ? plain : codec.encode(plain);
    },
    check,
    sealFailure: async (failure) => sealFailure(codec, plainFailure(failure, 0)),
  };
}

function expectJson(payload: Payload): Payload {
  if (jsonIn(payload) !== undefined || isNull(payload)) return payload;
  throw new AppError('VALIDATION_ERROR', 'An answer of an instance is JSON.');
}

function isNull({ metadata }: Payload): boolean {
  return Buffer.from(metadata?.['encoding'] ?? []).toString() === 'binary/null';
}

/** A failure without attributes that the instance says are sealed. */
function plainFailure(failure: Failure, depth: number): Failure {
  if (depth > MOST_CAUSES) throw new AppError('VALIDATION_ERROR', 'A failure has too many causes.');
  const { cause, applicationFailureInfo, canceledFailureInfo, timeoutFailureInfo } = failure;
  const details = [applicationFailureInfo?.details, canceledFailureInfo?.details];
  for (const list of [...details, timeoutFailureInfo?.lastHeartbeatDetails])
    list?.payloads?.forEach(expectJson);
  const told = { ...failure, encodedAttributes: null };
  return cause == null ? told : { ...told, cause: plainFailure(cause, depth + 1) };
}

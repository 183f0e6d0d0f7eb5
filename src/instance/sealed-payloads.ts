/**
 * Payloads that are sealed where Temporal stores them. The instance has no key: the gateway opens the shards of the instance and
 * seals what the instance answers. Whether payloads are sealed is seen in the first shard, so an instance is told nothing of it.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

import type { GatewayClient } from './gateway-client.ts';
import { failureConverter } from './failure-converter.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;
/** A heartbeat tells two counts, every few seconds and shard; it is left as it is. */
const HEARTBEAT = /^\{"ended":\d+,"of":\d+\}$/;
const LONGEST_HEARTBEAT_BYTES = 64;

/** Makes the codec of one instance; calls of the gateway end with the signal. */
export function createGatewayCodec(
  gateway: Pick<GatewayClient, 'openPayloads' | 'sealPayloads'>,
  signal: AbortSignal,
): PayloadCodec {
  let isSealing = false;
  return {
    async encode(payloads) {
      if (!isSealing || payloads.every(isHeartbeat)) return payloads;
      const { payloads: sealed } = await gateway.sealPayloads({ payloads: payloads.map(textOf) }, signal);
      return sealed.map(payloadIn);
    },
    async decode(payloads) {
      if (!payloads.some(isSealed)) return payloads;
      isSealing = true;
      failureConverter.options.encodeCommonAttributes = true;
      const { payloads: opened } = await gateway.openPayloads({ payloads: payloads.map(textOf) }, signal);
      return opened.map(payloadIn);
    },
  };
}

function isSealed({ metadata }: Payload): boolean {
  return Buffer.from(metadata?.['encoding'] ?? []).toString() === 'binary/encrypted';
}

function isHeartbeat({ data }: Payload): boolean {
  const bytes = data ?? Buffer.alloc(0);
  return bytes.byteLength <= LONGEST_HEARTBEAT_BYTES && HEARTBEAT.test(Buffer.from(bytes).toString('utf8'));
}

function textOf(payload: Payload): string {
  return Buffer.from(PayloadMessage.encode(payload).finish()).toString('base64');
}

function payloadIn(text: string): Payload {
  return PayloadMessage.decode(Buffer.from(text, 'base64'));
}

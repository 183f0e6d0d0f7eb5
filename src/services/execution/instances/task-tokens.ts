/**
 * Task tokens of Temporal, sealed for one instance. Temporal does not sign its tokens: they are ids of namespace, workflow and run, and
 * whoever knows the ids of another's run could answer for it. So an instance gets each token with a MAC over the token and the
 * claims of the instance, and what comes back without the MAC answers nothing. Nothing is stored: any gateway opens what another has sealed.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { InstanceClaims } from '../../../contracts/instance.ts';

/** An instance, whatever its bearer says of times. */
export type InstanceName = Pick<InstanceClaims, 'jobId' | 'slot' | 'generation'>;

/** Seals and opens task tokens. */
export interface TaskTokenSeal {
  seal(instance: InstanceName, token: Uint8Array): Buffer;
  /** The token inside; null for a token that was not sealed for this instance. */
  open(instance: InstanceName, sealed: Uint8Array): Buffer | null;
}

const PURPOSE = 'dockyard/task-token/v1';
const MAC_BYTES = 32;

/** Makes a seal; it seals with the secret, and opens what that or a further secret has sealed. */
export function createTaskTokenSeal(
  secretHex: string,
  furtherSecrets: readonly string[] = [],
): TaskTokenSeal {
  // Each task is sealed and opened once, and a key that is made anew for each MAC takes longer than the MAC.
  const keyOf = (secret: string): KeyObject =>
    createSecretKey(createHmac('sha256', Buffer.from(secret, 'hex')).update(PURPOSE).digest());
  const own = keyOf(secretHex);
  const keys = [own, ...furtherSecrets.map(keyOf)];
  return {
    seal: (instance, token) => Buffer.concat([macOf(own, instance, token), token]),
    open(instance, sealed) {
      // The library of messages gives an empty list for no bytes, so the bytes are copied and not looked at in place.
      const bytes = Buffer.from(sealed);
      if (bytes.length <= MAC_BYTES) return null;
      const [mac, token] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
      return keys.some((key) => timingSafeEqual(mac, macOf(key, instance, token))) ? token : null;
    },
  };
}

/** The name of an instance has no zero byte, so no two pairs of name and token are one text. */
function macOf(key: KeyObject, { jobId, slot, generation }: InstanceName, token: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${jobId}/${slot}.${generation}\0`).update(token).digest();
}

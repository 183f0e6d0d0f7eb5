/** Calls that the pass-through refuses, with the word under which each is counted. */
import { status } from '@grpc/grpc-js';

import type { RefusalReason } from '../../metrics/pass-through.ts';

/** A call that is not let through. */
export class Refusal extends Error {
  readonly code: status;
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
    this.code = CODES[reason];
  }
}

const CODES: Readonly<Record<RefusalReason, status>> = {
  bearer: status.UNAUTHENTICATED,
  method: status.UNIMPLEMENTED,
  namespace: status.PERMISSION_DENIED,
  queue: status.PERMISSION_DENIED,
  token: status.PERMISSION_DENIED,
  fenced: status.PERMISSION_DENIED,
  message: status.INVALID_ARGUMENT,
  polls: status.RESOURCE_EXHAUSTED,
};

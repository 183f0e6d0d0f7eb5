/** Temporal as the pass-through needs it; `src/adapters/temporal/frontend.ts` is such a frontend. */

/** One call: a method of the workflow service, its request, and what is said beside it. */
export interface PassedRequest {
  readonly method: string;
  readonly request: Buffer;
  /** When the call is given up, in Unix milliseconds. */
  readonly deadline: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Rejection of a call of Temporal. */
export interface FrontendFault {
  readonly code: number;
  readonly details: string;
  readonly statusDetails: Buffer | null;
}

/** Temporal's frontend, in bytes. */
export interface PassedTo {
  call(request: PassedRequest): { readonly response: Promise<Buffer>; cancel(): void };
}

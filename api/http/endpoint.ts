/**
 * An endpoint is declared once: the route, validation, limits, typed handler and OpenAPI document derive from it.
 * A handler knows no HTTP library: it gets validated input, calls one service and returns an answer.
 */
import type { Readable } from 'node:stream';

import type Joi from 'joi';

import type { Actor, Scope } from '../../src/domain/access.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { Services } from '../services.ts';
import type { RateLimitClass } from './rate-limiter.ts';

/** Body limit of requests that may carry a ligand library. */
export const LARGE_BODY_BYTES = 32 * 1024 * 1024;

/** Body limit of all other requests. */
export const SMALL_BODY_BYTES = 1024 * 1024;

/** Who may call: nobody in particular, any valid key, or a key with a scope. */
export type Access = 'none' | 'any' | Scope;

/** What a handler gets. */
export interface EndpointRequest<Params, Query, Body, CallerActor> {
  readonly actor: CallerActor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Header names are lowercase. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** SHA-256 (hex) of the canonical body as sent, without a top-level idempotencyKey; empty without a body. */
  readonly fingerprint: string;
  /** The Idempotency-Key header, unquoted; null when it was not sent. */
  readonly idempotencyKey: string | null;
}

/** What a handler returns: a JSON body, a stream, or neither. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One declared answer of an endpoint. */
export interface AnswerDefinition {
  readonly description: string;
  /** Absent: the answer has no JSON body. */
  readonly schema?: Joi.Schema;
  /** Of an answer without schema that has a body. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A header that the endpoint reads, for the document. */
export interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: Joi.Schema;
}

/**
 * How an Idempotency-Key is honoured. `service`: the service does it (submit). Otherwise the API stores the answer:
 * `keep` says what of it is stored, `restore` makes the answer of a repeat from that (for what must not be stored).
 */
export type Idempotency<Params, Query, Body, CallerActor> =
  | 'none'
  | 'service'
  | 'stored'
  | {
      keep(body: unknown): unknown;
      restore(
        services: Services,
        request: EndpointRequest<Params, Query, Body, CallerActor>,
        kept: unknown,
      ): Promise<Answer>;
    };

/** The declaration of an endpoint. */
export interface EndpointDefinition<Params, Query, Body, A extends Access> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for parameters, relative to the base of the API. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: A;
  /** Test keys are refused: the operation bills. */
  readonly live?: true;
  readonly limit: RateLimitClass;
  readonly bodyLimitBytes?: number;
  readonly bodyOptional?: true;
  readonly idempotency: Idempotency<Params, Query, Body, ActorOf<A>>;
  readonly params?: Joi.ObjectSchema<Params>;
  readonly query?: Joi.ObjectSchema<Query>;
  readonly body?: Joi.ObjectSchema<Body>;
  readonly headers?: readonly HeaderDefinition[];
  readonly answers: Readonly<Record<number, AnswerDefinition>>;
  /** Codes of this endpoint besides those that follow from its declaration. */
  readonly errors: readonly ErrorCode[];
  handle(services: Services, request: EndpointRequest<Params, Query, Body, ActorOf<A>>): Promise<Answer>;
}

type ActorOf<A extends Access> = A extends 'none' ? null : Actor;

/** An endpoint whose types are settled; input reaches `handle` only after its schemas have passed it. */
export type Endpoint = EndpointDefinition<unknown, unknown, unknown, Access>;

/** Declares an endpoint; types of params, query and body come from their schemas. */
export function defineEndpoint<Params, Query, Body, A extends Access>(
  definition: EndpointDefinition<Params, Query, Body, A>,
): Endpoint {
  return definition;
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return headers === undefined ? { status, body } : { status, body, headers };
}

/**
 * An endpoint is declared once; the route, validation, limits, typed handler and OpenAPI document derive from the declaration.
 * A handler knows no HTTP library: the handler gets validated input, calls one service and returns an answer.
 */
import type { Readable } from 'node:stream';

import type Joi from 'joi';

import type { Actor, KeyActor, Scope, SessionActor } from '../../src/domain/access.ts';
import type { Answers } from '../../src/domain/answers.ts';
import type { ToolErrorCode } from '../../src/domain/codes/code.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { Json } from '../../src/domain/json.ts';
import type { Services } from '../services.ts';
import type { Deprecation } from './deprecation.ts';
import type { RateLimitClass } from './rate-limiter.ts';
import type { Tag } from './tags.ts';

/** Body limit of requests that may carry a ligand library. */
export const LARGE_BODY_BYTES = 32 * 1024 * 1024;

/** Body limit of all other requests. */
export const SMALL_BODY_BYTES = 1024 * 1024;

/**
 * Callers that an endpoint lets in: anybody without credentials, any valid key or session, a session or a key with a scope, only
 * a key, only a person who has signed in, or only such a person who owns the account.
 */
export type Access = 'none' | 'any' | Scope | 'key' | 'session' | 'owner';

/** A request as a handler gets it: authenticated and validated. */
export interface EndpointRequest<Params, Query, Body, CallerActor> {
  readonly actor: CallerActor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Header names are lowercase. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** SHA-256 (hex) of the canonical body as sent, or of its `identity`, without top-level idempotencyKey and quoteId; empty without a body. */
  readonly fingerprint: string;
  /** The Idempotency-Key header, unquoted; null when it was not sent. */
  readonly idempotencyKey: string | null;
  /** When an earlier attempt with this key began whose process died before it could answer; null without one. */
  readonly resumedSince: string | null;
  /** When the request came, by the clock of this process (`performance.now()`), in milliseconds. */
  readonly receivedAt: number;
  /** The address of the client, for the audit log. */
  readonly address: string;
}

/** Answer of a handler: a JSON body (a value, or its bytes where answers share them), a stream, or neither. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body?: Body | Buffer;
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** Done once the answer is out, or its client is gone. */
  readonly afterwards?: () => void;
}

/** A code that an answer can carry: one of the service's, or one of a tool's. */
export type AnswerCode = ErrorCode | ToolErrorCode;

/** One declared answer of an endpoint. */
export interface AnswerDefinition {
  readonly description: string;
  /** The schema of the JSON body; an answer without a schema has no JSON body. */
  readonly schema?: Joi.Schema;
  /** The media type of a body that is not JSON, which has an example of its own. */
  readonly mediaType?: string;
  /** Other forms of the same answer, for clients that ask for their media types; a form without a schema is text. */
  readonly alsoAs?: readonly {
    readonly mediaType: string;
    readonly schema?: Joi.Schema;
    readonly example: Json;
  }[];
  /** Example for the document; without it the example is put together from the schema. */
  readonly example?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A header that the endpoint reads, for the document. */
export interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: Joi.Schema;
}

/**
 * Treatment of an Idempotency-Key; every POST and PUT honours it. With `service` the service that is called honours the key. With
 * `stored` the API stores the whole answer. With `anew` the call has no effect: the key stands for one request, and a repeat is
 * answered anew. Where parts of an answer must not be stored, `keep` says what of the answer is stored and `restore` makes the
 * answer to a repeated request from the stored part.
 */
export type Idempotency<Params, Query, Body, CallerActor> =
  | 'none'
  | 'service'
  | 'stored'
  | 'anew'
  | {
      keep(body: unknown): unknown;
      restore(
        services: Services,
        request: EndpointRequest<Params, Query, Body, CallerActor>,
        kept: KeptAnswer,
      ): Promise<Answer>;
    };

/** Stored part of an answer. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A body as the handler gets it. */
export interface Prepared<Ready> {
  readonly value: Ready;
  /** Members by which two requests with one idempotency key are compared. */
  readonly identity: object;
  /** Bytes of the body that are many; they are moved between threads and not copied. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The declaration of an endpoint; `Result` is the JSON body of its answers, `Ready` the body as the handler gets it. */
export interface EndpointDefinition<Params, Query, Body, A extends Access, Result = unknown, Ready = Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path relative to the base of the API, with `:name` for parameters. */
  readonly path: string;
  /** The path begins at the root instead: routes of before the base. */
  readonly fromRoot?: true;
  readonly operationId: string;
  /** The group of the operation in the API document. */
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly access: A;
  /** The operation will go; every answer of it says so. */
  readonly deprecated?: Deprecation;
  /** Test keys are refused, because the operation charges credits. */
  readonly live?: true;
  /** The session must have begun within the last twelve hours. */
  readonly recent?: true;
  readonly limit: RateLimitClass;
  readonly bodyLimitBytes?: number;
  readonly bodyOptional?: true;
  readonly idempotency: Idempotency<Params, Query, Ready, ActorOf<A>>;
  /** A request without an Idempotency-Key is refused. */
  readonly keyRequired?: true;
  readonly params?: Joi.ObjectSchema<Params>;
  readonly query?: Joi.ObjectSchema<Query>;
  readonly body?: Joi.ObjectSchema<Body>;
  /** Makes of a valid body what the handler gets, where the body is parsed: of a large one in a thread. @throws AppError of a code of the service. */
  prepare?(body: Body): Prepared<Ready>;
  readonly headers?: readonly HeaderDefinition[];
  readonly answers: Readonly<Record<number, AnswerDefinition>>;
  /** Codes of this endpoint besides those that follow from its declaration. */
  readonly errors: readonly AnswerCode[];
  handle(
    services: Services,
    request: EndpointRequest<Params, Query, Ready, ActorOf<A>>,
  ): Promise<Answer<Result>>;
}

/** The body that the document gives an operation; an operation that is not in the document yet may answer anything. */
type ResultOf<OperationId extends string> = OperationId extends keyof Answers
  ? Answers[OperationId]
  : unknown;

type ActorOf<A extends Access> = A extends 'none'
  ? null
  : A extends 'key'
    ? KeyActor
    : A extends 'session' | 'owner'
      ? SessionActor
      : Actor;

/** An endpoint whose types are settled; input reaches `handle` only after its schemas have passed it. */
export type Endpoint = EndpointDefinition<unknown, unknown, unknown, Access>;

/**
 * Declares an endpoint; types of params, query and body come from their schemas. What the handler answers must have the shape that
 * `src/domain/answers.ts` has from the operation's schema, so the services that handlers call are held against it by the compiler.
 */
export function defineEndpoint<
  Params,
  Query,
  Body,
  A extends Access,
  const OperationId extends string,
  Ready = Body,
>(
  definition: EndpointDefinition<Params, Query, Body, A, ResultOf<OperationId>, Ready> & {
    readonly operationId: OperationId;
  },
): Endpoint {
  return definition;
}

/** The whole path of an endpoint, with `:name` for parameters. */
export function wholePath(base: string, { path, fromRoot }: Pick<Endpoint, 'path' | 'fromRoot'>): string {
  return fromRoot === true ? path : `${base}${path}`;
}

/** The answer of a list that is always answered whole. */
export function whole<List extends object>(list: List): Answer<List & { readonly nextCursor: null }> {
  return json(200, { ...list, nextCursor: null });
}

/** A JSON answer. */
export function json<Body>(
  status: number,
  body: Body | Buffer,
  headers?: Readonly<Record<string, string>>,
): Answer<Body> {
  return headers === undefined ? { status, body } : { status, body, headers };
}

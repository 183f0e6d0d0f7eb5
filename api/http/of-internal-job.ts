/**
 * Answers of the endpoints whose work an internal job does: 200 with the result, or 202 with the place where the result will be. A request
 * that is repeated with its key is told how the same work stands by then.
 */
import type Joi from 'joi';

import { AppError } from '../../src/domain/errors.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import type { Answer, AnswerDefinition } from './endpoint.ts';
import { json } from './endpoint.ts';
import type { JsonObject } from './in-document.ts';

const PENDING_SECONDS = 2;

/** Work of one kind, as the document tells of it. */
interface Work<Key extends string> {
  /** The noun of the work, such as "inspection". */
  readonly noun: string;
  /** The field of the answer that has the id of the work. */
  readonly idField: Key;
  /** The path of an answer without its id. */
  readonly place: string;
  /** Description of a finished answer. */
  readonly result: string;
  readonly schema: Joi.Schema;
  /** Example of an answer while the work runs. */
  readonly running: JsonObject;
}

/** The answers of both endpoints of one kind of work, the one that asks and the one that reads. */
export function answersOfInternalJob<const Key extends string>(work: Work<Key>) {
  const { noun, idField, place, result, schema, running } = work;
  const answers: Readonly<Record<200 | 202, AnswerDefinition>> = {
    200: { description: result, schema },
    202: {
      description: `The ${noun} still runs.`,
      schema,
      example: running,
      headers: { Location: `Path of the ${noun}.`, 'Retry-After': 'Seconds to wait before asking there.' },
    },
  };
  return {
    answers,
    answerOf: <Response extends Readonly<Record<Key, string>> & { readonly status: string }>(
      response: Response,
    ): Answer<Response> => {
      if (response.status === 'SUCCEEDED') return json(200, response);
      const headers = { Location: `${place}/${response[idField]}`, 'Retry-After': String(PENDING_SECONDS) };
      return json(202, response, headers);
    },
    /** The part of an answer that is kept for a repeat. */
    keep: (body: unknown): unknown => ({ [idField]: isRecord(body) ? body[idField] : undefined }),
    /** The id in what was kept. */
    idOf: (kept: unknown): string => {
      const id = isRecord(kept) ? kept[idField] : undefined;
      if (typeof id === 'string') return id;
      throw new AppError(
        'INTERNAL_ERROR',
        `The ${noun} cannot be repeated. Start a new one with another key.`,
      );
    },
  };
}

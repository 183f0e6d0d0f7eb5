/** Events: the query and the answer of the list, and the schema of each type for the section of webhooks in the document. */
import Joi from 'joi';

import { ACCOUNT_STATES } from '../../src/domain/account-state.ts';
import { KEY_ENVIRONMENTS } from '../../src/domain/access.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../src/domain/events.ts';
import type {
  EventListQuery,
  EventListResponse,
  EventRecord,
  EventStreamQuery,
  EventType,
} from '../../src/domain/events.ts';
import { DISABLED_REASONS } from '../../src/domain/webhooks.ts';
import { jobState, lossCause } from '../http/codes.ts';
import { characters, cursor, pageLimit, uuid } from '../http/fields.ts';

const types = Joi.array()
  .items(Joi.string().valid(...EVENT_TYPE_NAMES))
  .single()
  .min(1)
  .max(100)
  .description(
    'Only events of this type; repeat it for several, at most 100. All that the caller may read without it.',
  );
const subject = characters(1, 128).description('Only events of the thing with this id, such as a job.');
const after = cursor.description(
  'Id of the last part that was read, or a nextCursor of GET /events: the stream goes on behind it. Without it the stream begins now. The header Last-Event-ID comes first.',
);

/** GET /events/stream. */
export const eventStreamQuery = Joi.object<EventStreamQuery, true>({ after, types, subject });

/** GET /jobs/{jobId}/events. */
export const jobEventsQuery = Joi.object<Pick<EventStreamQuery, 'after'>, true>({ after });

/** GET /events. */
export const eventListQuery = Joi.object<EventListQuery, true>({
  limit: pageLimit(200, 50),
  cursor,
  types,
  subject,
  latest: Joi.boolean().description(
    'true answers no events and the newest cursor, whatever cursor is sent: begin here to follow from now on.',
  ),
  newestFirst: Joi.boolean().description(
    'true answers the newest events first, at once; nextCursor then goes on with older ones, and a page that is not full is the last.',
  ),
});

const id = uuid
  .required()
  .description('Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.');
const timestamp = Joi.string()
  .isoDate()
  .required()
  .description('When it happened, in UTC.')
  .example('2026-11-22T09:02:17.480000Z');

const eventRecord = Joi.object<EventRecord, true>({
  id,
  type: Joi.string()
    .required()
    .description('Type of the event. Treat unknown types generically.')
    .example('job.succeeded'),
  timestamp,
  data: Joi.object()
    .unknown()
    .required()
    .description(
      'Ids, states and numbers of what happened, as the section webhooks says for each type; read the rest by the id.',
    )
    .example({ jobId: '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11', status: 'SUCCEEDED' }),
}).description('Something that happened to a thing of the account.');

/** The answer of GET /events. */
export const eventListAnswer = Joi.object<EventListResponse, true>({
  events: Joi.array()
    .items(eventRecord)
    .required()
    .description('Events, oldest first; with newestFirst the newest first.'),
  nextCursor: Joi.string()
    .required()
    .description(
      'Pass it back as cursor, now or later, to get what comes after (with newestFirst: before); never null, because a log has no end.',
    )
    .example('WyJEaWdlc3QiLCI0MiIsIjAxOThhN2U0Il0'),
}).description('A page of events.');

const cents = Joi.number().integer().required();

const FIELDS: Readonly<Record<string, Joi.Schema>> = {
  status: jobState.required().description('State that the job has entered.'),
  runId: uuid.description('Run that the job belongs to, where it belongs to one.'),
  batchId: uuid.description('Batch that the run belongs to, where it belongs to one.'),
  experimentId: uuid.description('Experiment that the run belongs to, where it belongs to one.'),
  version: Joi.number()
    .integer()
    .min(1)
    .required()
    .description('Version that the change was made to or has made.')
    .example(4),
  sourceVersion: Joi.number().integer().min(1).description('Version that was restored, where one was.'),
  shareId: uuid.description('Share that was made or revoked.'),
  percent: Joi.number()
    .integer()
    .min(0)
    .max(100)
    .required()
    .description('Share in percent that was reached.')
    .example(50),
  completed: Joi.number().integer().min(0).required().description('Tasks that are verified.').example(5),
  failed: Joi.number().integer().min(0).required().description('Tasks that have failed.').example(0),
  total: Joi.number().integer().min(1).required().description('Tasks of the job.').example(10),
  cause: lossCause.required().description('Why the instance was lost.'),
  tasksKept: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Verified tasks that were kept.')
    .example(7),
  seconds: Joi.number()
    .min(0)
    .required()
    .description('Seconds from the loss until work went on.')
    .example(41.5),
  code: Joi.string().required().description('Code that says why.').example('UPLOAD_EXPIRED'),
  artifactId: uuid.required().description('Artifact that has the file.'),
  limitCents: cents
    .description('Limit that was reached, in minor units of the currency of credits.')
    .example(10_000),
  reachedCents: cents
    .description('Amount that has reached it, in minor units of the currency of credits.')
    .example(5_012),
  keyId: uuid.description('API key whose limit it is; missing for the limit of the account.'),
  state: Joi.string()
    .valid(...ACCOUNT_STATES)
    .required()
    .description('State that the account has entered.'),
  former: Joi.string()
    .valid(...ACCOUNT_STATES)
    .required()
    .description('State that the account has left.'),
  environment: Joi.string()
    .valid(...KEY_ENVIRONMENTS)
    .required()
    .description('Whether the key is for real work or for tests.'),
  successor: uuid.required().description('Key that takes the place of this one.'),
  reason: Joi.string()
    .valid(...DISABLED_REASONS)
    .required()
    .description('GONE: its server answered 410; FAILING: it took nothing for five days.'),
  eventId: uuid.required().description('Id of the event that is sent again.'),
  eventType: Joi.string()
    .required()
    .description('Type of the event that is sent again.')
    .example('job.succeeded'),
  eventSubject: uuid
    .required()
    .description(
      'Id of what that event tells of: GET /events finds the event by it, as subject, and by its type.',
    ),
  role: Joi.string().valid('owner', 'member').required().description('Role of the person in the account.'),
};

function fieldOf(name: string): Joi.Schema {
  const { [name]: schema } = FIELDS;
  if (schema === undefined) throw new Error(`The field ${name} of events has no schema.`);
  return schema;
}

function dataOf({ subject, fields }: EventType): Joi.ObjectSchema {
  return Joi.object({
    [subject]: uuid.required().description('Id of what the event tells of.'),
    ...Object.fromEntries(fields.map((name) => [name, fieldOf(name)])),
  })
    .required()
    .description('What happened.');
}

/** The schema of the events of each type. */
export const EVENT_SCHEMAS: Readonly<Record<string, Joi.ObjectSchema>> = Object.fromEntries(
  Object.entries(EVENT_TYPES).map(([name, type]) => [
    name,
    Joi.object({
      id,
      type: Joi.string().valid(name).required().description('Type of the event.'),
      timestamp,
      data: dataOf(type),
    }).description(type.meaning),
  ]),
);

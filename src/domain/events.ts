/**
 * The types of events that customers know, as one table: who reads an event of a type, what its `data` tells, and nothing else of
 * what its row holds. Types live in the code of customers, so a name of this table never changes its meaning. Events are thin: ids,
 * states, numbers and codes, never a name, an address, a molecule or a secret.
 */
import type { Scope } from './access.ts';
import { ACCOUNT_STATES } from './account-state.ts';
import type { AuditAction } from './audit.ts';
import { JOB_STATES } from './job-state.ts';
import { TEST_EVENT } from './webhooks.ts';

/** Readers of a type: keys with the scope, or only people who have signed in. */
export type EventReaders = Extract<Scope, 'jobs:read' | 'credits:read' | 'projects:read'> | 'session';

/** One type of events. */
export interface EventType {
  readonly readers: EventReaders;
  readonly meaning: string;
  /** The member of `data` that has the id of what the event tells of. */
  readonly subject: string;
  /** The other members of `data`, each taken from the payload where it is there. */
  readonly fields: readonly string[];
}

type EventTypes = Readonly<Record<string, EventType>>;

/** Members of `data` that name the run of a job, and the batch or the experiment of the run. */
export const RUN_FIELDS = ['runId', 'batchId', 'experimentId'] as const;

function family(common: Omit<EventType, 'meaning'>, meanings: Readonly<Record<string, string>>): EventTypes {
  return Object.fromEntries(
    Object.entries(meanings).map(([type, meaning]) => [type, { ...common, meaning }]),
  );
}

/** A type for each state that a thing enters. */
function states(
  noun: string,
  all: readonly string[],
  common: Omit<EventType, 'meaning' | 'subject'>,
): EventTypes {
  return Object.fromEntries(
    all.map((state) => [
      `${noun}.${state.toLowerCase()}`,
      { ...common, subject: `${noun}Id`, meaning: `A ${noun} is ${state}.` },
    ]),
  );
}

/** Changes of the audit log that are events, too; the type is the action, and `data` has these members of what came after. */
export const AUDITED_EVENTS = {
  'key.created': { subject: 'keyId', fields: ['environment'], meaning: 'An API key was created.' },
  'key.rotated': { subject: 'keyId', fields: ['successor'], meaning: 'An API key was given a successor.' },
  'key.revoked': { subject: 'keyId', fields: [], meaning: 'An API key was revoked.' },
  'member.invited': {
    subject: 'invitationId',
    fields: ['role'],
    meaning: 'Somebody was invited to the account.',
  },
  'member.joined': {
    subject: 'userId',
    fields: ['role'],
    meaning: 'Somebody has accepted an invitation.',
  },
  'member.changed': { subject: 'userId', fields: ['role'], meaning: 'A member has another role.' },
  'member.left': { subject: 'userId', fields: [], meaning: 'A member has left, or was removed.' },
  'webhook.created': { subject: 'webhookId', fields: [], meaning: 'A webhook was created.' },
  'webhook.changed': {
    subject: 'webhookId',
    fields: [],
    meaning: 'The address or the types of a webhook have changed.',
  },
  'webhook.deleted': { subject: 'webhookId', fields: [], meaning: 'A webhook was deleted.' },
  'webhook.enabled': { subject: 'webhookId', fields: [], meaning: 'A webhook was enabled again.' },
  'webhook.secret_rotated': {
    subject: 'webhookId',
    fields: [],
    meaning: 'A webhook has a new secret; the old ones sign for a while, too.',
  },
} as const satisfies Partial<Record<AuditAction, Omit<EventType, 'readers'>>>;

/** Whether a change is an event, too. */
export function isAuditedEvent(action: AuditAction): action is keyof typeof AUDITED_EVENTS {
  return action in AUDITED_EVENTS;
}

/** The payload of the event of a change. */
export function payloadOf(
  action: keyof typeof AUDITED_EVENTS,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return picked(AUDITED_EVENTS[action].fields, after);
}

/** Every type, by its name. */
export const EVENT_TYPES: EventTypes = {
  ...states('job', JOB_STATES, { readers: 'jobs:read', fields: ['status', ...RUN_FIELDS] }),
  'job.progress': {
    readers: 'jobs:read',
    subject: 'jobId',
    fields: ['percent', 'completed', 'failed', 'total', ...RUN_FIELDS],
    meaning: 'Another tenth of the tasks of a job is decided.',
  },
  'job.recovered': {
    readers: 'jobs:read',
    subject: 'jobId',
    fields: ['cause', 'tasksKept', 'seconds', ...RUN_FIELDS],
    meaning: 'Work goes on after a lost instance; the loss costs nothing.',
  },
  'upload.completed': {
    readers: 'jobs:read',
    subject: 'uploadId',
    fields: [],
    meaning: 'A multipart upload is complete, and its bytes are verified.',
  },
  ...family(
    { readers: 'jobs:read', subject: 'uploadId', fields: ['code'] },
    {
      'upload.failed': 'A multipart upload has failed.',
      'upload.expired': 'A multipart upload was not completed in time.',
    },
  ),
  'inspection.made': {
    readers: 'jobs:read',
    subject: 'inspectionId',
    fields: [],
    meaning: 'A receptor is inspected, and its report can be read.',
  },
  'docking.export.made': {
    readers: 'jobs:read',
    subject: 'exportId',
    fields: ['artifactId', 'batchId', 'runId'],
    meaning: 'An export of results is made.',
  },
  'docking.export.failed': {
    readers: 'jobs:read',
    subject: 'exportId',
    fields: ['code', 'batchId', 'runId'],
    meaning: 'An export of results could not be made.',
  },
  ...family(
    { readers: 'credits:read', subject: 'topupId', fields: [] },
    {
      'topup.paid': 'A top-up is paid, and its credits are there.',
      'topup.failed': 'A top-up was not paid.',
      'topup.expired': 'A top-up was not paid in time.',
    },
  ),
  'credits.low': {
    readers: 'credits:read',
    subject: 'accountId',
    fields: ['limitCents', 'reachedCents'],
    meaning: 'The credits have fallen below what an owner has set.',
  },
  'credits.limit_reached': {
    readers: 'credits:read',
    subject: 'accountId',
    fields: ['percent', 'limitCents', 'reachedCents', 'keyId'],
    meaning: 'Half, 80 % or all of the limit of a month, of the account or of an API key, is used.',
  },
  ...family(
    { readers: 'projects:read', subject: 'projectId', fields: ['version', 'sourceVersion', 'shareId'] },
    {
      'project.saved': 'A project has a new version.',
      'project.shared': 'A version of a project was shared.',
      'project.share_revoked': 'A share of a project was revoked.',
      'project.deleted': 'A project was deleted; its shares have ended.',
    },
  ),
  ...states('account', ACCOUNT_STATES, { readers: 'session', fields: ['state', 'former'] }),
  ...Object.fromEntries(
    Object.entries(AUDITED_EVENTS).map(([type, told]) => [type, { ...told, readers: 'session' }]),
  ),
  'webhook.redelivered': {
    readers: 'session',
    subject: 'webhookId',
    fields: ['eventId', 'eventType', 'eventSubject'],
    meaning:
      'Somebody has asked for an event to be sent again to a webhook; other readers may take it again, too.',
  },
  'webhook.disabled': {
    readers: 'session',
    subject: 'webhookId',
    fields: ['reason'],
    meaning:
      'Nothing is sent to a webhook any more: its server has answered 410, or has taken nothing for five days.',
  },
  [TEST_EVENT]: {
    readers: 'session',
    subject: 'webhookId',
    fields: [],
    meaning: 'A test of a webhook, sent to that webhook alone, whatever its types; never in the log.',
  },
};

/** The names of all types. */
export const EVENT_TYPE_NAMES: readonly string[] = Object.keys(EVENT_TYPES);

/** An event as customers get it. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Query of GET /events. */
export interface EventListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly types?: string[];
  readonly subject?: string;
  /** Answers the newest cursor and no events. */
  readonly latest?: boolean;
  /** Answers the newest events first, and goes on with older ones. */
  readonly newestFirst?: boolean;
}

/** A page of events, in the order that was asked for, and the cursor to go on with, now or later. */
export interface EventListResponse {
  readonly events: EventRecord[];
  readonly nextCursor: string;
}

/** Query of a stream of events. */
export interface EventStreamQuery {
  readonly after?: string;
  readonly types?: string[];
  readonly subject?: string;
}

/** How far a job is, as streams tell it when results were added; kept nowhere. */
export interface JobProgress {
  readonly jobId: string;
  readonly completed: number;
  readonly failed: number;
  readonly total: number;
}

/** The `data` of an event: the id of its subject, and of its payload what the table names. */
export function dataOf(
  { subject, fields }: EventType,
  id: string,
  payload: Readonly<Record<string, unknown>>,
): EventRecord['data'] {
  return { [subject]: id, ...picked(fields, payload) };
}

function picked(fields: readonly string[], from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const told = fields.flatMap((field): [string, unknown][] => {
    const { [field]: value } = from;
    return value === undefined || value === null ? [] : [[field, value]];
  });
  return Object.fromEntries(told);
}

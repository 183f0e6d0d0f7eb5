/** What the audit log tells of. Entries live for ever, so a name of this list never changes its meaning. */

/** Every kind of change. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.opened',
  'account.state',
  'credits.adjusted',
  'credits.granted',
  'job.pause-requested',
  'key.created',
  'key.rotated',
  'key.revoked',
  'limits.changed',
] as const;

/** A kind of change. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Every kind of author. */
export const AUTHOR_KINDS = ['key', 'session', 'visitor', 'operator'] as const;

/** Who makes a change: a key, a session, somebody who has not signed in, or an operator. */
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

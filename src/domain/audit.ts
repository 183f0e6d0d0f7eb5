/** Actions and authors of the audit log. Entries live for ever, so a name of this list never changes its meaning. */

/** Every kind of change. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.opened',
  'account.state',
  'credits.adjusted',
  'credits.granted',
  'credits.refunded',
  'database.added',
  'database.removed',
  'fx-rate.accepted',
  'job.pause-requested',
  'job.resume-requested',
  'job.cancel-requested',
  'job.ended',
  'key.created',
  'key.rotated',
  'key.revoked',
  'license-server.added',
  'license-server.changed',
  'license-server.removed',
  'limits.changed',
  'maintenance.on',
  'maintenance.off',
  'notifications.changed',
  'plan.changed',
  'settings.rotated',
  'user.verified',
  'password.reset',
  'session.started',
  'session.refused',
  'session.ended',
  'identity.joined',
  'member.invited',
  'member.joined',
  'member.changed',
  'member.left',
  'invitation.ended',
  'totp.enabled',
  'totp.disabled',
  'totp.reset',
  'recovery-code.used',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.enabled',
  'webhook.secret_rotated',
] as const;

/** A kind of change. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Every kind of author. */
export const AUTHOR_KINDS = ['key', 'session', 'visitor', 'operator', 'payments'] as const;

/** Kind of author: a key, a session, somebody who has not signed in, an operator, or the provider of payments by an event. */
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

/** A query for entries. */
export interface AuditListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly action?: AuditAction;
}

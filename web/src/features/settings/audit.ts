/** Kinds of changes in the audit log, and their authors, in words. A kind that is newer than this page is shown by its name. */
import type { AnswerOf, CallInput } from 'dockyard-client/browser';

import { m } from '#messages';

export type Entry = AnswerOf<'get', '/audit'>['entries'][number];
export type Action = NonNullable<NonNullable<CallInput<'get', '/audit'>['query']>['action']>;

const WORDS = {
  'account.created': m.settings_audit_account_created,
  'account.opened': m.settings_audit_account_opened,
  'account.state': m.settings_audit_account_state,
  'credits.adjusted': m.settings_audit_credits_adjusted,
  'credits.granted': m.settings_audit_credits_granted,
  'credits.refunded': m.settings_audit_credits_refunded,
  'database.added': m.settings_audit_database_added,
  'database.removed': m.settings_audit_database_removed,
  'fx-rate.accepted': m.settings_audit_fx_rate_accepted,
  'job.pause-requested': m.settings_audit_job_pause_requested,
  'job.resume-requested': m.settings_audit_job_resume_requested,
  'job.cancel-requested': m.settings_audit_job_cancel_requested,
  'job.ended': m.settings_audit_job_ended,
  'key.created': m.settings_audit_key_created,
  'key.rotated': m.settings_audit_key_rotated,
  'key.revoked': m.settings_audit_key_revoked,
  'license-server.added': m.settings_audit_license_server_added,
  'license-server.changed': m.settings_audit_license_server_changed,
  'license-server.removed': m.settings_audit_license_server_removed,
  'limits.changed': m.settings_audit_limits_changed,
  'maintenance.on': m.settings_audit_maintenance_on,
  'maintenance.off': m.settings_audit_maintenance_off,
  'notifications.changed': m.settings_audit_notifications_changed,
  'plan.changed': m.settings_audit_plan_changed,
  'settings.rotated': m.settings_audit_settings_rotated,
  'user.verified': m.settings_audit_user_verified,
  'password.reset': m.settings_audit_password_reset,
  'session.started': m.settings_audit_session_started,
  'session.refused': m.settings_audit_session_refused,
  'session.ended': m.settings_audit_session_ended,
  'identity.joined': m.settings_audit_identity_joined,
  'member.invited': m.settings_audit_member_invited,
  'member.joined': m.settings_audit_member_joined,
  'member.changed': m.settings_audit_member_changed,
  'member.left': m.settings_audit_member_left,
  'invitation.ended': m.settings_audit_invitation_ended,
  'totp.enabled': m.settings_audit_totp_enabled,
  'totp.disabled': m.settings_audit_totp_disabled,
  'totp.reset': m.settings_audit_totp_reset,
  'recovery-code.used': m.settings_audit_recovery_code_used,
  'webhook.created': m.settings_audit_webhook_created,
  'webhook.changed': m.settings_audit_webhook_changed,
  'webhook.deleted': m.settings_audit_webhook_deleted,
  'webhook.enabled': m.settings_audit_webhook_enabled,
  'webhook.secret_rotated': m.settings_audit_webhook_secret_rotated,
} as const satisfies Readonly<Record<Action, () => string>>;

export const isAction = (name: string): name is Action => Object.hasOwn(WORDS, name);

export const actionWord = (name: string): string => (isAction(name) ? WORDS[name]() : name);

/** All kinds by their words. */
export function actions(): readonly (readonly [action: string, words: string])[] {
  return Object.entries(WORDS)
    .map(([action, words]) => [action, words()] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
}

/** Authors of whom no address of mail is told. */
const AUTHORS: Readonly<Record<string, () => string>> = {
  visitor: m.settings_audit_by_visitor,
  operator: m.settings_audit_by_operator,
  payments: m.settings_audit_by_payments,
};

export const authorWord = (kind: string): string => AUTHORS[kind]?.() ?? kind;

/** A fact of a change: its name, and its value before and afterwards; undefined where it was not there. */
export type Fact = readonly [name: string, before: unknown, after: unknown];

/** The facts that a change names, those that it has left as they were apart. */
export function factsOf({ before, after }: Entry): readonly Fact[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name): Fact => [name, before?.[name], after?.[name]])
    .filter(([, one, other]) => textOf(one) !== textOf(other));
}

/** A value as it is read in a row. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

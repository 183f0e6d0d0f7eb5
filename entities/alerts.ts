/** Alerts of limits and balances, their mails, and which mails an account wants. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  date,
  defaulted,
  integer,
  nullable,
  primary,
  text,
  time,
  uuid,
  writeTime,
} from './columns.ts';

/** A step of a limit that was reached, or a balance that fell too low; written by triggers. */
export interface Alert {
  id: string;
  accountId: string;
  kind: 'account-limit' | 'key-limit' | 'low-balance' | 'auto-topup' | 'webhook-failing' | 'webhook-disabled';
  /** The account, the API key, the top-up that was not paid, or the webhook. */
  subject: string;
  /** The first day of the UTC month of a limit; the UTC day of a balance, and of the first failure of a webhook. */
  period: string;
  /** In percent of the limit; 0 for a balance. */
  threshold: number;
  limitPence: number;
  reachedPence: number;
  /** Whether mails are still to be addressed. */
  mailDue: boolean;
  createdAt: Date;
}

/** Table `alerts`. */
export const AlertEntity = new EntitySchema<Alert>({
  name: 'Alert',
  tableName: 'alerts',
  columns: {
    id: defaulted(primary(uuid), 'gen_random_uuid()'),
    accountId: uuid,
    kind: text,
    subject: uuid,
    period: date,
    threshold: integer,
    limitPence: bigint,
    reachedPence: bigint,
    mailDue: boolean,
    createdAt: writeTime,
  },
});

/** The mail of an alert to one owner. */
export interface AlertMail {
  alertId: string;
  userId: string;
  attempts: number;
  /** When somebody last began to send; nobody else tries for a while. */
  claimedAt: Date | null;
  sentAt: Date | null;
}

/** Table `alert_mails`. */
export const AlertMailEntity = new EntitySchema<AlertMail>({
  name: 'AlertMail',
  tableName: 'alert_mails',
  columns: {
    alertId: primary(uuid),
    userId: primary(uuid),
    attempts: defaulted(integer, '0'),
    claimedAt: nullable(time),
    sentAt: nullable(time),
  },
});

/** Kinds of mail that an account wants; an account without a row wants all. */
export interface NotificationSettingsRow {
  accountId: string;
  accountLimit: boolean;
  keyLimit: boolean;
  lowBalance: boolean;
}

/** Table `notification_settings`. */
export const NotificationSettingsEntity = new EntitySchema<NotificationSettingsRow>({
  name: 'NotificationSettings',
  tableName: 'notification_settings',
  columns: {
    accountId: primary(uuid),
    accountLimit: defaulted(boolean, 'true'),
    keyLimit: defaulted(boolean, 'true'),
    lowBalance: defaulted(boolean, 'true'),
  },
});

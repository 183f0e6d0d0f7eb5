/**
 * Sends the mails of alerts. Alerts were written with what they tell of, so whoever sends looks for rows and is free to die: a mail
 * is claimed by one sender, and another one takes it up only after the claim has lapsed. A sender that dies between the mail
 * server's word and the row sends again, under the same id, by which mail programs know the mail.
 */
import type { DataSource } from 'typeorm';

import { AlertMailEntity } from '../../../entities/alerts.ts';
import type { Mailer } from '../../adapters/mail/mail.ts';
import { alertMail } from './alert-mails.ts';
import type { ToldAlert } from './alert-mails.ts';

export interface AlertDependencies {
  readonly db: DataSource;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly publicUrl: string;
  /** Told of a mail that was not sent, without its address. */
  readonly onFailure: (facts: {
    readonly alertId: string;
    readonly code: string;
    readonly attempts: number;
  }) => void;
}

interface ClaimedMail extends ToldAlert {
  readonly alertId: string;
  readonly userId: string;
  readonly email: string;
  readonly attempts: number;
}

/** A claim outlives what the mailer waits for a server. */
const CLAIM_SECONDS = 300;
const MOST_ATTEMPTS = 8;
const ALERTS_AT_ONCE = 500;
const MOST_MAILS = 1_000;

/** Sends every mail that is due. @returns how many were sent. */
export async function sendAlerts(deps: AlertDependencies): Promise<number> {
  await addressMails(deps.db);
  let sent = 0;
  for (let turn = 0; turn < MOST_MAILS; turn += 1) {
    const mail = await claimMail(deps.db);
    if (mail === null) break;
    if (await deliver(deps, mail)) sent += 1;
  }
  return sent;
}

/** Makes the mails of new alerts, one for each owner of the account, unless the account wants none of that kind. */
async function addressMails(db: DataSource): Promise<void> {
  await db.query(
    `with due as (
       select id, account_id, kind from alerts where mail_due order by created_at limit $1 for update skip locked),
     addressed as (
       insert into alert_mails (alert_id, user_id)
       select d.id, u.id from due d join accounts a on a.id = d.account_id and a.state <> 'CLOSED'
         join users u on u.account_id = d.account_id and u.role = 'owner'
         left join notification_settings n on n.account_id = d.account_id
       where coalesce(case d.kind when 'account-limit' then n.account_limit when 'key-limit' then n.key_limit
         when 'low-balance' then n.low_balance end, true))
     update alerts set mail_due = false from due where alerts.id = due.id`,
    [ALERTS_AT_ONCE],
  );
}

async function claimMail(db: DataSource): Promise<ClaimedMail | null> {
  const [claimed] = await db.query<ClaimedMail[]>(
    `with next as (
       select m.alert_id, m.user_id from alert_mails m join alerts a on a.id = m.alert_id
       where sent_at is null and attempts < $1 and (claimed_at is null or claimed_at < clock_timestamp() - make_interval(secs => $2))
       order by a.created_at, m.alert_id, m.user_id limit 1 for update of m skip locked),
     claimed as (
       update alert_mails m set claimed_at = clock_timestamp(), attempts = attempts + 1
       from next where m.alert_id = next.alert_id and m.user_id = next.user_id
       returning m.alert_id, m.user_id, m.attempts)
     select c.alert_id as "alertId", c.user_id as "userId", c.attempts, u.email, a.kind, a.period::text, a.threshold,
       coalesce((select k.id from api_keys k where k.first_key_id = a.subject order by k.created_at desc, k.id desc limit 1), a.subject)
         as subject
     from claimed c join alerts a on a.id = c.alert_id join users u on u.id = c.user_id`,
    [MOST_ATTEMPTS, CLAIM_SECONDS],
  );
  return claimed ?? null;
}

async function deliver(
  { db, mailer, publicUrl, onFailure }: AlertDependencies,
  mail: ClaimedMail,
): Promise<boolean> {
  const { alertId, userId, email: to, attempts } = mail;
  try {
    await mailer.send(alertMail({ id: `alert-${alertId}-${userId}`, to }, mail, publicUrl));
  } catch (error) {
    // The error of a mail server quotes the address, so only its kind is told.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    onFailure({ alertId, code, attempts });
    return false;
  }
  await db.getRepository(AlertMailEntity).update({ alertId, userId }, { sentAt: new Date() });
  return true;
}

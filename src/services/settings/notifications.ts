/** Mails about money that the owners of an account want. A change and its entry in the audit log are one transaction. */
import type { DataSource } from 'typeorm';

import { NotificationSettingsEntity } from '../../../entities/alerts.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { NotificationSettingsRequest } from '../../domain/notifications.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';
import { bound } from '../bound.ts';
import type { NotificationSettings } from '../../domain/answers.ts';

const ALL: NotificationSettings = { accountLimit: true, keyLimit: true, lowBalance: true };

/** The mails that the account wants. */
export async function readNotifications(
  db: Pick<Queryable, 'getRepository'>,
  { accountId }: Pick<SessionActor, 'accountId'>,
): Promise<NotificationSettings> {
  const row = await db.getRepository(NotificationSettingsEntity).findOneBy({ accountId });
  if (row === null) return ALL;
  const { accountLimit, keyLimit, lowBalance } = row;
  return { accountLimit, keyLimit, lowBalance };
}

/** Changes which mails the account wants; a repeat changes nothing. */
export function changeNotifications(
  db: DataSource,
  actor: SessionActor,
  { body, address }: { readonly body: NotificationSettingsRequest; readonly address: string },
): Promise<NotificationSettings> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    const settings = tx.getRepository(NotificationSettingsEntity);
    await insertIfNew(tx, NotificationSettingsEntity, { accountId });
    await tx.query('select from notification_settings where account_id = $1 for no key update', [accountId]);
    const before = await readNotifications(tx, actor);
    const after = { ...before, ...body };
    if (JSON.stringify(before) === JSON.stringify(after)) return before;
    await settings.update({ accountId }, after);
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'notifications.changed',
      subject: accountId,
      before: { ...before },
      after,
    });
    return after;
  });
}

/** Makes the operations on the choice of mails, for the API. */
export function createNotifications(db: DataSource) {
  const of = bound(db);
  return { read: of(readNotifications), change: of(changeNotifications) };
}

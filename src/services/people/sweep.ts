/** Removes what people have left behind: codes and tries that count no more, sessions and invitations of long ago. */
import type { DataSource } from 'typeorm';

/** Removes sessions and invitations thirty days after their time, codes of mails and of command lines a day after theirs, tries of the last hour but one, and sign-ins at a provider a day after their time. */
export async function sweepPeople(db: DataSource): Promise<void> {
  await db.query(`delete from cli_codes where created_at < now() - interval '1 day'`);
  await db.query(`delete from sessions where expires_at < now() - interval '30 days'`);
  await db.query(`delete from mail_codes where expires_at < now() - interval '1 day'`);
  await db.query(`delete from invitations where expires_at < now() - interval '30 days'`);
  await db.query(`delete from sign_in_tries where last_tried_at < now() - interval '1 hour'`);
  await db.query(`delete from oidc_attempts where used_at < now() - interval '1 day'`);
}

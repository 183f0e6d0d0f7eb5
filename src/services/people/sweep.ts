/** Removes rows of people that count no more: codes, tries, and sessions and invitations of long ago. */
import type { DataSource } from 'typeorm';

/**
 * Removes sessions and invitations thirty days after their expiry, codes of mails a day after their expiry, codes of command lines
 * a day after they were drawn, sign-ins at a provider a day after they were brought back, and tries an hour after the last try.
 */
export async function sweepPeople(db: DataSource): Promise<void> {
  await db.query(`delete from cli_codes where created_at < now() - interval '1 day'`);
  await db.query(`delete from sessions where expires_at < now() - interval '30 days'`);
  await db.query(`delete from mail_codes where expires_at < now() - interval '1 day'`);
  await db.query(`delete from invitations where expires_at < now() - interval '30 days'`);
  await db.query(`delete from sign_in_tries where last_tried_at < now() - interval '1 hour'`);
  await db.query(`delete from oidc_attempts where used_at < now() - interval '1 day'`);
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * People who sign in. `users.account_id` is null until the person has signed in for the first time, which opens the account;
 * `users.role` says what the person is in it. Passwords are stored as argon2id; sessions, and the codes that are sent by mail,
 * by the SHA-256 of their secrets. A user is made by the proof of the address: a sign-up that nobody has confirmed yet is a row
 * of `mail_codes` and nothing else. `sign_in_tries` counts tries under digests of network and address.
 */
export class People1764680300000 implements MigrationInterface {
  name = 'People1764680300000';

  /** Adds columns and tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table users alter column account_id drop not null,
        add column role text not null default 'owner' check (role in ('owner', 'member')),
        add column password_hash text,
        add column email_verified_at timestamptz;
      create table sessions (
        id uuid primary key,
        user_id uuid not null references users,
        secret_sha256 text not null unique,
        address text not null,
        user_agent text,
        created_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        expires_at timestamptz not null,
        ended_at timestamptz,
        check (expires_at <= created_at + interval '30 days')
      );
      create index sessions_user on sessions (user_id, created_at);
      create index sessions_expiry on sessions (expires_at);
      create table mail_codes (
        secret_sha256 text primary key,
        purpose text not null check (purpose in ('sign-up', 'reset')),
        email text not null,
        user_id uuid references users,
        password_hash text,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz,
        check (case purpose when 'sign-up' then password_hash is not null else user_id is not null end)
      );
      create index mail_codes_email on mail_codes (lower(email), created_at);
      create index mail_codes_expiry on mail_codes (expires_at);
      create table sign_in_tries (
        pair text primary key,
        tried_at timestamptz[] not null,
        last_tried_at timestamptz not null default now()
      );
      create index sign_in_tries_time on sign_in_tries (last_tried_at);
    `);
  }

  /** Drops the tables; people who have never signed in, and have no account, go with them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sign_in_tries, mail_codes, sessions;
      delete from users where account_id is null;
      alter table users alter column account_id set not null, drop column role, drop column password_hash,
        drop column email_verified_at;
    `);
  }
}

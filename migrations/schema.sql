-- The tables of Dockyard, by subject. What guards them and moves credits stands in functions.sql, which is loaded after
-- this file.
-- Ids are UUIDv7, times are times of the database's clock unless a comment says otherwise, and amounts name their unit
-- last.

-- --------------------------------------------------------------------------------------------------------------
-- Accounts and people: who owns things, who signs in, and with which keys programs call.
-- --------------------------------------------------------------------------------------------------------------

-- The owner of jobs, files and credits. Whoever changes the state locks the balances of the account first, under which
-- credits are reserved, so that no job is admitted to an account that was closed meanwhile.
create table accounts (
  id uuid primary key,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  created_at timestamptz not null default now(),
  -- Only an active account calls, submits and gets credits.
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'SUSPENDED', 'CLOSED'))
);

-- A person of an account. A person is made by the proof of the address, and is in one account at most.
create table users (
  id uuid primary key,
  -- Null until the person has signed in for the first time.
  account_id uuid references accounts,
  -- Unique without regard to case.
  email text not null,
  created_at timestamptz not null default now(),
  -- What the person is in the account.
  role text not null default 'owner' check (role in ('owner', 'member')),
  -- Argon2id; null for a person who has set no password yet.
  password_hash text,
  email_verified_at timestamptz,
  -- The sealed secret of the second factor, which counts from `totp_enabled_at` on.
  totp_secret text,
  totp_enabled_at timestamptz,
  -- The step of the last code that was taken.
  totp_last_step bigint,
  constraint users_totp check (totp_enabled_at is null or totp_secret is not null)
);
create index users_account on users (account_id);
create unique index users_email on users (lower(email));

-- A bearer key; its secret is known by digest only.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  environment text not null check (environment in ('live', 'test')),
  scopes text[] not null check (cardinality(scopes) > 0),
  secret_sha256 text not null unique,
  -- The first characters of the key, to tell keys apart.
  prefix text not null,
  last4 text not null,
  created_at timestamptz not null default now(),
  -- The last use of the key, exact to a minute.
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The networks that the key may be used from; null for any.
  allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0),
  -- The fingerprint of the request that made the key under an idempotency key.
  request_sha256 text,
  -- The first of the keys that took each other's place by rotation, which share one limit; null for the first key
  -- itself.
  first_key_id uuid references api_keys
);
create index api_keys_account on api_keys (account_id, created_at);
create index api_keys_line on api_keys (first_key_id) where first_key_id is not null;

-- The one row whose number rises with every revocation, so that caches of keys notice a revocation.
create table revocation_epoch (
  only_row boolean primary key default true check (only_row),
  epoch bigint not null default 0
);

-- An invitation to an account; the code of its mail is known by digest only.
create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  role text not null check (role in ('owner', 'member')),
  secret_sha256 text not null unique,
  -- The user who invited.
  invited_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When somebody accepted the invitation, an owner ended it, or another one took its place.
  ended_at timestamptz,
  -- The user who accepted.
  accepted_by uuid references users,
  check (accepted_by is null or ended_at is not null)
);
create index invitations_account on invitations (account_id, created_at);
create index invitations_expiry on invitations (expires_at);

-- A browser in which a person has signed in; the secret of its cookie is known by digest only.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  secret_sha256 text not null unique,
  -- The address and the program of the sign-in, for the person's list of sessions.
  address text not null,
  user_agent text,
  created_at timestamptz not null default now(),
  -- The last use of the session, exact to a minute.
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- When the session ends whatever its use; null for the thirty days of a browser's.
  ends_at timestamptz,
  check (expires_at <= (created_at + interval '30 days'))
);
create index sessions_expiry on sessions (expires_at);
create index sessions_user on sessions (user_id, created_at);

-- A code with which a person has let a command line in; known by digest only.
create table cli_codes (
  secret_sha256 text primary key,
  -- The session in which the person did so.
  session_id uuid not null references sessions on delete cascade,
  -- The SHA-256 (base64url) of the secret that the command line must show.
  challenge text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index cli_codes_session on cli_codes (session_id);
create index cli_codes_time on cli_codes (created_at);

-- A code that was sent by mail and proves the address once. A sign-up that nobody has confirmed is such a row and
-- nothing else.
create table mail_codes (
  secret_sha256 text primary key,
  purpose text not null check (purpose in ('sign-up', 'reset')),
  email text not null,
  -- The user whose password is to be set; null for a sign-up.
  user_id uuid references users,
  -- The password of a sign-up, which becomes the user's with the proof of the address.
  password_hash text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check (case purpose when 'sign-up' then password_hash is not null else user_id is not null end)
);
create index mail_codes_email on mail_codes (lower(email), created_at);
create index mail_codes_expiry on mail_codes (expires_at);

-- When somebody of a network tried an address in the last quarter of an hour.
create table sign_in_tries (
  -- A digest of network and e-mail address.
  pair text primary key,
  tried_at timestamptz[] not null,
  last_tried_at timestamptz not null default now()
);
create index sign_in_tries_time on sign_in_tries (last_tried_at);

-- A code that is taken once in the place of a code of the second factor; known by digest only.
create table recovery_codes (
  user_id uuid not null references users,
  code_sha256 text not null,
  used_at timestamptz,
  primary key (user_id, code_sha256)
);

-- The name of a person at a provider of identities.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- A sign-in at a provider of identities that a browser has brought back, known by the digest of the secret in its
-- cookie, so that none is brought back twice.
create table oidc_attempts (
  secret_sha256 text primary key,
  -- Whom the provider has proved; null until then.
  user_id uuid references users,
  used_at timestamptz not null default now(),
  -- When the session began.
  ended_at timestamptz
);
create index oidc_attempts_time on oidc_attempts (used_at);

-- --------------------------------------------------------------------------------------------------------------
-- What customers set, and the record of who changed what.
-- --------------------------------------------------------------------------------------------------------------

-- A licence server of a customer. A removed one keeps its row without its secret, so that a repeat of the request that
-- made it finds it.
create table license_servers (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  software text not null,
  protocol text not null check (protocol in ('tcp', 'http', 'https')),
  host text not null,
  port integer not null check (port >= 1 and port <= 65535),
  -- The id of the key that has sealed the secret; null without a secret.
  secret_key_id text,
  sealed_secret bytea,
  -- A keyed digest of the request that made the row.
  request_mac text not null,
  created_by uuid not null references users,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  check ((secret_key_id is null) = (sealed_secret is null)),
  constraint license_servers_check1 check (removed_at is null or sealed_secret is null)
);
create index license_servers_account on license_servers (account_id, created_at, id) where removed_at is null;
create index license_servers_key on license_servers (secret_key_id) where secret_key_id is not null;

-- Which mails an account wants; an account without a row wants all.
create table notification_settings (
  account_id uuid primary key references accounts,
  account_limit boolean not null default true,
  key_limit boolean not null default true,
  low_balance boolean not null default true
);

-- A write with an idempotency key. The write runs while it has no answer and `locked_until` has not passed.
create table idempotency_keys (
  account_id uuid not null references accounts,
  operation text not null,
  key text not null,
  fingerprint text not null,
  response_status integer constraint idempotency_keys_success check (response_status >= 200 and response_status <= 399),
  response_body jsonb,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  environment text not null default 'live' check (environment in ('live', 'test')),
  primary key (account_id, environment, operation, key)
);

-- A change of something that matters, written in the transaction of the change. No row has a secret. No column refers
-- to keys or sessions, which may be removed earlier.
create table audit_log (
  id uuid primary key,
  -- Null where the change belongs to no account.
  account_id uuid references accounts,
  author_kind text not null check (author_kind in ('key', 'session', 'visitor', 'operator', 'payments')),
  -- The key or the session, or the name of the operator; null for a visitor and for the provider of payments.
  author_id text,
  user_id uuid,
  address text,
  action text not null,
  -- The id of what was changed.
  subject text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index audit_log_account on audit_log (account_id, created_at desc, id desc);

-- What happened to the things of an account, for readers that follow it. No column refers to another table: a reference
-- would lock the row of the account in every change of each of its jobs.
create table events (
  -- Drawn when the row is written, so entries do not become visible in their order.
  entry bigint generated always as identity primary key,
  -- The place in the order that readers follow; null until the event is numbered, which is after its commit.
  id bigint,
  account_id uuid not null,
  kind text not null,
  -- The id of what the event tells of.
  subject text not null,
  payload jsonb not null,
  -- When the row was written, by the database's clock.
  at timestamptz not null default clock_timestamp()
);
-- The places in the order of events, which one numberer at a time draws after the commit of their rows.
create sequence events_ids owned by events.id;
create index events_account on events (account_id, id) where id is not null;
create unique index events_id on events (id) where id is not null;
create index events_unnumbered on events (entry) where id is null;

-- --------------------------------------------------------------------------------------------------------------
-- The ledger: balances, transfers that are only ever added, monthly allowances, and what is reserved for jobs. Amounts
-- are whole pence.
-- --------------------------------------------------------------------------------------------------------------

-- What a customer has and owes, with the limits that are compared under the same lock. The row is written by every
-- movement: half of each page is left free, so that a new version of the row stays on its page.
create table ledger_balances (
  account_id uuid primary key references accounts,
  wallet bigint not null default 0,
  wallet_held bigint not null default 0,
  monthly bigint not null default 0,
  monthly_held bigint not null default 0,
  -- What the customer owes, as a balance of zero or less.
  debt bigint not null default 0,
  -- The end of the period that the monthly credits are of.
  monthly_ends_at timestamptz,
  -- The number of transfers so far.
  version bigint not null default 0,
  -- The allowance period that the monthly credits are of; null without one.
  monthly_period uuid,
  -- The most that a job may cost, and the account in a UTC month; null without a limit.
  job_limit_pence bigint,
  month_limit_pence bigint,
  -- The first day of the UTC month of the last settlement, as YYYY-MM-DD, and what was charged in that month.
  month date,
  month_charged_pence bigint not null default 0,
  -- Whether a key of the account has a limit.
  key_limits boolean not null default false,
  -- Below this amount of credits the owners are told; null for never.
  low_balance_pence bigint,
  -- The most that the keys of one member may cost together in a UTC month; null without a limit.
  member_keys_limit_pence bigint check (member_keys_limit_pence >= 0)
) with (fillfactor = 50);

-- A movement of money: two or more entries that sum to zero, and the balances of the customer after it. The row has no
-- foreign key to the balances, because the key would cost a tenth of a movement; balances are never removed.
create table ledger_transfers (
  id uuid primary key,
  account_id uuid not null,
  kind text not null,
  idempotency_key text not null unique,
  input_sha256 text not null,
  job_id uuid,
  hold_id uuid,
  tier_id text,
  reverses_id uuid references ledger_transfers,
  description text not null,
  created_at timestamptz not null default now(),
  -- The number of this transfer among the customer's transfers, from 1.
  version bigint not null,
  -- The ledger account of each entry.
  accounts text[] not null,
  -- The amount of each entry.
  amounts_pence bigint[] not null,
  wallet_after bigint not null,
  wallet_held_after bigint not null,
  monthly_after bigint not null,
  monthly_held_after bigint not null,
  debt_after bigint not null
);
create index ledger_transfers_account on ledger_transfers (account_id, created_at desc, id desc);
create unique index ledger_transfers_version on ledger_transfers (account_id, version);

-- The entries of transfers, one row each.
create view ledger_entries as
select
  t.id as transfer_id,
  l.ordinal::integer,
  t.account_id,
  t.hold_id,
  t.version,
  t.kind,
  l.account,
  l.amount_pence,
  case l.account
    when 'wallet' then t.wallet_after
    when 'wallet_held' then t.wallet_held_after
    when 'monthly' then t.monthly_after
    when 'monthly_held' then t.monthly_held_after
    when 'debt' then t.debt_after
  end as balance_after_pence,
  t.created_at
from
  ledger_transfers t
  cross join lateral unnest(t.accounts, t.amounts_pence) with ordinality l (account, amount_pence, ordinal);

-- A time for which monthly credits are granted, and with which they expire.
create table allowance_periods (
  id uuid primary key,
  account_id uuid not null references accounts,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  granted_pence bigint not null check (granted_pence >= 0),
  created_at timestamptz not null default now(),
  check (starts_at < ends_at)
);
create index allowance_periods_account on allowance_periods (account_id, ends_at);

-- Credits reserved for one execution of a job; the lots in this row are those of the first part, because most holds
-- have no other.
create table holds (
  id uuid primary key,
  account_id uuid not null,
  job_id uuid not null,
  execution integer not null,
  state text not null default 'OPEN',
  -- The sum of all lots; the database checks all three sums.
  held_pence bigint not null,
  charged_pence bigint not null default 0,
  released_pence bigint not null default 0,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  monthly_pence bigint not null,
  monthly_charged_pence bigint not null default 0,
  monthly_released_pence bigint not null default 0,
  wallet_pence bigint not null,
  wallet_charged_pence bigint not null default 0,
  wallet_released_pence bigint not null default 0,
  monthly_period uuid,
  -- The number of parts beyond the first, and their sums.
  extensions integer not null default 0,
  extended_pence bigint not null default 0,
  extended_charged_pence bigint not null default 0,
  extended_released_pence bigint not null default 0,
  -- The first key of the line of the API key that the hold was placed for; null for a session.
  key_id uuid,
  unique (job_id, execution)
) with (fillfactor = 70);

-- A part of a hold beyond the first, numbered from 1.
create table hold_extensions (
  hold_id uuid not null references holds,
  part integer not null check (part > 0),
  monthly_pence bigint not null,
  monthly_period uuid,
  monthly_charged_pence bigint not null default 0,
  monthly_released_pence bigint not null default 0,
  wallet_pence bigint not null,
  wallet_charged_pence bigint not null default 0,
  wallet_released_pence bigint not null default 0,
  created_at timestamptz not null,
  primary key (hold_id, part),
  constraint hold_extensions_lots check (
    least(monthly_pence, monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence,
      wallet_released_pence) >= 0 and monthly_pence + wallet_pence > 0
  ),
  constraint hold_extensions_period check ((monthly_pence > 0) = (monthly_period is not null)),
  constraint hold_extensions_whole check (
    (monthly_charged_pence + monthly_released_pence = 0 or monthly_charged_pence + monthly_released_pence = monthly_pence)
    and (wallet_charged_pence + wallet_released_pence = 0 or wallet_charged_pence + wallet_released_pence = wallet_pence)
  )
);

-- All parts of all holds: the first one, which stands in the hold, and the later ones.
create view hold_parts as
select
  id as hold_id, 0 as part, account_id, job_id,
  monthly_pence, monthly_period, monthly_charged_pence, monthly_released_pence,
  wallet_pence, wallet_charged_pence, wallet_released_pence, created_at
from holds
union all
select
  e.hold_id, e.part, h.account_id, h.job_id,
  e.monthly_pence, e.monthly_period, e.monthly_charged_pence, e.monthly_released_pence,
  e.wallet_pence, e.wallet_charged_pence, e.wallet_released_pence, e.created_at
from hold_extensions e join holds h on h.id = e.hold_id;

-- The limit of a line of API keys, with what the jobs of these keys hold and were charged in the month. Keys that take
-- each other's place by rotation are a line. A line without a limit has no row.
create table key_limits (
  -- The first key of the line.
  key_id uuid primary key references api_keys on delete cascade,
  account_id uuid not null references accounts,
  month_limit_pence bigint not null,
  held_pence bigint not null,
  -- The first day of the UTC month that `month_charged_pence` counts, as YYYY-MM-DD.
  month date not null,
  month_charged_pence bigint not null,
  check (least(month_limit_pence, held_pence, month_charged_pence) >= 0)
) with (fillfactor = 50);

-- A step of a limit that was reached, or a balance that fell too low. Triggers write the row in the transaction of the
-- movement, so that no crossing is lost; the unique key keeps it from being written twice.
create table alerts (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts,
  kind text not null check (kind in ('account-limit', 'key-limit', 'low-balance', 'auto-topup')),
  -- The account, the API key, or the top-up that was not paid.
  subject uuid not null,
  -- The first day of the UTC month of a limit; the UTC day of a balance.
  period date not null,
  -- In percent of the limit; 0 for a balance.
  threshold integer not null,
  limit_pence bigint not null,
  reached_pence bigint not null,
  -- Whether mails are still to be addressed.
  mail_due boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (kind, subject, period, limit_pence, threshold)
);
create index alerts_account on alerts (account_id, created_at);
create index alerts_due on alerts (created_at) where mail_due;

-- The mail of an alert to one owner.
create table alert_mails (
  alert_id uuid not null references alerts,
  user_id uuid not null references users on delete cascade,
  attempts integer not null default 0,
  -- When somebody last began to send; nobody else tries for a while.
  claimed_at timestamptz,
  sent_at timestamptz,
  primary key (alert_id, user_id)
);
create index alert_mails_open on alert_mails (alert_id) where sent_at is null;

-- An exchange rate, USD to GBP. Every process prices by the newest accepted row, so that processes quote alike. A rate
-- that jumped waits for an operator; one rate waits at most.
create table fx_rates (
  id bigint generated always as identity primary key,
  -- Millionths: 0.79 is 790000.
  rate_micro integer not null check (rate_micro > 0),
  source text not null,
  -- The day for which the source gives the rate, as YYYY-MM-DD.
  rate_date date not null,
  -- PENDING while an operator has to accept the rate; SUPERSEDED when another rate came before anybody accepted the
  -- rate.
  state text not null check (state in ('ACCEPTED', 'PENDING', 'SUPERSEDED')),
  fetched_at timestamptz not null default clock_timestamp(),
  -- Null while the rate is not accepted.
  accepted_at timestamptz,
  -- Whether an operator accepted the rate.
  confirmed boolean not null default false,
  check ((state = 'ACCEPTED') = (accepted_at is not null)),
  constraint fx_rates_check1 check (state = 'ACCEPTED' or not confirmed)
);
create index fx_rates_accepted on fx_rates (id desc) where state = 'ACCEPTED';
create unique index fx_rates_pending on fx_rates (state) where state = 'PENDING';

-- --------------------------------------------------------------------------------------------------------------
-- Payments: what is bought at the provider of payments, and what goes back.
-- --------------------------------------------------------------------------------------------------------------

-- The customer that stands for an account at the provider.
create table payment_customers (
  account_id uuid primary key references accounts,
  customer_id text not null unique,
  created_at timestamptz not null default now()
);

-- An event that the provider has signed. The event is a hint to read its object, so its body is not kept.
create table payment_events (
  id text primary key,
  type text not null,
  object_id text not null,
  is_live boolean not null,
  created_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz,
  -- Why nothing was applied, where a person has to look.
  parked text
);
create index payment_events_open on payment_events (received_at) where handled_at is null;

-- A purchase of credits; amounts are what they were when it began.
create table topups (
  id uuid primary key,
  account_id uuid not null references accounts,
  tier_id text not null,
  amount_pence bigint not null check (amount_pence > 0),
  bonus_pence bigint not null check (bonus_pence >= 0),
  state text not null default 'CREATED' check (state in ('CREATED', 'OPEN', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED')),
  -- SHA-256 (hex) of the request.
  fingerprint text not null,
  success_url text not null,
  cancel_url text not null,
  -- The checkout at the provider and its hosted page; null before there is one.
  checkout_id text unique,
  checkout_url text,
  payment_id text unique,
  invoice_url text,
  receipt_url text,
  tax_pence bigint not null default 0 check (tax_pence >= 0),
  -- What of a payment does not agree with the top-up, for which a person has to look; null when all agrees.
  parked text,
  -- The end of the checkout.
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  paid_at timestamptz,
  -- What the provider has paid back, or a bank has taken back, tax included.
  returned_pence bigint not null default 0 check (returned_pence >= 0),
  -- Which auto top-up of the account a top-up is, and the card that is charged; null for one that a customer began.
  auto_number integer check (auto_number > 0),
  auto_card text,
  check (checkout_id is not null or auto_number is not null or (state in ('CREATED', 'FAILED', 'EXPIRED'))),
  constraint topups_check1 check ((state = 'PAID') = (paid_at is not null))
);
create index topups_account on topups (account_id, created_at, id);
create unique index topups_auto_number on topups (account_id, auto_number) where auto_number is not null;
create unique index topups_auto_open on topups (account_id)
  where auto_number is not null and (state in ('CREATED', 'OPEN', 'PROCESSING'));

-- The wish of an account to buy credits by itself.
create table auto_topups (
  account_id uuid primary key references accounts,
  tier_id text not null,
  below_pence bigint not null check (below_pence >= 0),
  month_limit_pence bigint not null check (month_limit_pence >= 0),
  -- Why nothing is bought until an owner sets it again; null while all is well.
  paused text check (paused in ('NO_PAYMENT_METHOD', 'AUTHENTICATION_REQUIRED', 'CARD_DECLINED')),
  updated_at timestamptz not null default clock_timestamp()
);

-- Money of a top-up that goes back, or that a bank has taken back. Whoever asks for a refund writes the row first.
create table payment_returns (
  id uuid primary key,
  topup_id uuid not null references topups,
  account_id uuid not null references accounts,
  kind text not null check (kind in ('refund', 'dispute')),
  -- The id of the refund or dispute at the provider; null before there is one.
  provider_id text unique,
  -- What the provider calls its state; `CREATED` before there is one, `REFUSED` when there will be none.
  status text not null,
  -- The whole sum, tax included, and what of the sum is taken from the books now.
  gross_pence bigint not null check (gross_pence >= 0),
  taken_pence bigint not null default 0 check (taken_pence >= 0),
  -- How often `taken_pence` has changed.
  turns integer not null default 0,
  -- How often a state of the provider was applied.
  version integer not null default 0,
  -- What an operator asked to refund, before tax, and why; null for what was made at the provider.
  credit_pence bigint check (credit_pence > 0),
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (kind = 'refund' or provider_id is not null)
);
create index payment_returns_open on payment_returns (created_at) where status = 'CREATED';
create index payment_returns_topup on payment_returns (topup_id);

-- A movement of our balance at the provider; never changed there.
create table provider_transactions (
  id text primary key,
  -- What the provider calls the movement: `charge`, `refund`, `adjustment` and others.
  kind text not null,
  payment_id text not null,
  -- Before the provider's fees; negative when money left.
  amount_pence bigint not null,
  currency text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp()
);
create index provider_transactions_payment on provider_transactions (payment_id);
create index provider_transactions_time on provider_transactions (created_at);

-- Something on which the books and the world outside do not agree; `ended_at` is set once they do.
create table reconciliation_differences (
  id uuid primary key,
  check_name text not null,
  subject text not null,
  detail text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index reconciliation_differences_open on reconciliation_differences (check_name, subject) where ended_at is null;

-- The plan pro of an account by the word of an operator. The row stays when the plan ends, so that a plan that is given
-- again within a month has the allowance of that month once.
create table operator_plans (
  account_id uuid primary key references accounts,
  anchor_at timestamptz not null,
  -- Null while the plan goes on.
  ended_at timestamptz
);

-- A change of a plan by an operator; a key changes a plan once.
create table plan_changes (
  key text primary key,
  account_id uuid not null references accounts,
  plan text not null check (plan in ('free', 'pro')),
  reason text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- A subscription as the provider last told of it.
create table subscriptions (
  id text primary key,
  account_id uuid not null references accounts,
  -- The word of the provider, such as `active` or `past_due`.
  status text not null,
  -- How often it was written, from 1: an answer that was overtaken is read again.
  version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- When the subscription ended, as the provider says; null while it may go on.
  ended_at timestamptz
);
create index subscriptions_account on subscriptions (account_id);

-- A period whose invoice was paid; the id is that of the allowance period.
create table subscription_periods (
  id uuid primary key,
  subscription_id text not null references subscriptions,
  account_id uuid not null references accounts,
  invoice_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  -- When the payment was seen to have gone back as a whole; the period has no allowance then.
  returned_at timestamptz,
  check (ends_at > starts_at),
  unique (subscription_id, starts_at)
);
create index subscription_periods_account on subscription_periods (account_id, ends_at);

-- A payment of an invoice of a subscription; the ledger knows nothing of such a payment.
create table subscription_payments (
  payment_id text primary key,
  subscription_id text not null references subscriptions,
  invoice_id text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- --------------------------------------------------------------------------------------------------------------
-- Files: what lies in the object store, and what the sweeps look for.
-- --------------------------------------------------------------------------------------------------------------

-- An uploaded object, announced before its bytes are there.
create table stored_objects (
  storage_key text primary key,
  account_id uuid not null references accounts,
  upload_id uuid not null,
  -- The file name as sent; the storage key carries a cleaned form of the name.
  filename text not null,
  content_type text not null,
  byte_size bigint not null check (byte_size >= 0),
  announced_sha256 text,
  sha256 text,
  project_id uuid,
  logical_path text,
  -- UPLOADING: a multipart upload is under way; nothing may use the object yet.
  state text not null default 'ANNOUNCED' check (state in ('ANNOUNCED', 'UPLOADING', 'VERIFIED', 'DELETED')),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  -- The store's ETag of the bytes that have this digest; null where it is not known.
  etag text
);
create index stored_objects_account on stored_objects (account_id, created_at);
create index stored_objects_announced on stored_objects (expires_at) where state = 'ANNOUNCED';
create index stored_objects_arriving on stored_objects (account_id, created_at)
  where state = 'ANNOUNCED' and project_id is not null;
create index stored_objects_path on stored_objects (account_id, project_id, md5(logical_path), verified_at desc)
  where project_id is not null and state = 'VERIFIED';
create unique index stored_objects_upload on stored_objects (upload_id);

-- A multipart upload; name, type, size and digest of the file are those of its stored object.
create table uploads (
  id uuid primary key,
  account_id uuid not null references accounts,
  storage_key text not null references stored_objects(storage_key) unique,
  state text not null default 'OPENING'
    check (state in ('OPENING', 'OPEN', 'VERIFYING', 'COMPLETED', 'FAILED', 'ABORTED', 'EXPIRED')),
  provider text not null check (provider in ('aws', 'azure')),
  part_size bigint not null check (part_size > 0),
  part_count integer not null check (part_count >= 1 and part_count <= 10000),
  checksum_algorithm text check (checksum_algorithm = 'sha256'),
  -- A hint of the customer about the jobs that the file is for.
  job_type text,
  -- SHA-256 of the canonical request; a repeat must have the same.
  fingerprint text not null,
  -- The first run of the workflow that opened it.
  first_run_id text not null,
  store_upload_id text,
  -- The parts are recorded before the store puts the parts together, so that a repeated completion knows them.
  parts jsonb,
  parts_sha256 text,
  etag text,
  integrity text check (integrity in ('parts-sha256', 'size')),
  end_code text,
  end_message text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- When an upload that was not completed was found to have nothing left, after the last address for it had ended.
  cleared_at timestamptz,
  check ((ended_at is null) = (state in ('OPENING', 'OPEN', 'VERIFYING'))),
  constraint uploads_check1 check (state <> 'COMPLETED' or parts is not null and integrity is not null)
);
create index uploads_late on uploads (expires_at) where ended_at is null;
create index uploads_open on uploads (account_id, created_at desc, id desc) where ended_at is null;
create index uploads_uncleared on uploads (id) where cleared_at is null and (state in ('FAILED', 'ABORTED', 'EXPIRED'));

-- An upload or a job whose file is worked through as a whole, or waits for its turn, so that an account has no more
-- than its share of turns, however many control workers run.
create table file_turns (
  -- The id of the upload or of the job.
  id uuid primary key,
  account_id uuid not null references accounts,
  -- The attempt that has the turn; null while the upload or the job waits.
  holder uuid,
  asked_at timestamptz not null default clock_timestamp(),
  -- The row counts for nothing after this time.
  until timestamptz not null
);
create index file_turns_account on file_turns (account_id, asked_at, id);
create index file_turns_waiting on file_turns (account_id) where holder is null;

-- A verified output, or a file that the customer registered for reference.
create table artifacts (
  id uuid primary key,
  account_id uuid not null references accounts,
  job_id uuid,
  task_kind text,
  task_ordinal integer,
  storage_key text not null,
  name text not null,
  kind text not null,
  label text,
  media_type text not null,
  format text,
  byte_size bigint not null,
  sha256 text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The item of the task that made the output; null for what no task made.
  item_id text,
  unique nulls not distinct (account_id, storage_key, format)
);
create index artifacts_job on artifacts (job_id, task_ordinal, name) where job_id is not null;

-- A request that was stored before its submit was decided, so that the sweep finds requests without a job and need not
-- list the store. The row is deleted once a job names the object, or the object is removed.
create table stored_requests (
  request_key text primary key,
  -- The id of the job that the request asks for; the job exists only when the submit was accepted.
  job_id uuid not null,
  stored_at timestamptz not null default now()
);
create index stored_requests_age on stored_requests (stored_at);

-- An account whose files are to be removed.
create table account_removals (
  account_id uuid primary key references accounts,
  requested_at timestamptz not null default now(),
  -- When the account was found to have no files left, after the last address that could store a file had ended.
  swept_at timestamptz
);

-- When a prefix of the store was last listed as a whole.
create table sweep_passes (
  name text primary key,
  begun_at timestamptz not null default now()
);

-- --------------------------------------------------------------------------------------------------------------
-- Jobs: what was submitted, its executions, tasks and receipts.
-- --------------------------------------------------------------------------------------------------------------

-- A submitted job.
create table jobs (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users,
  job_type text not null,
  job_name text,
  simulator text,
  provider text not null,
  status text not null check (status in (
    'SUBMITTED', 'QUEUED', 'PROVISIONING', 'RUNNING', 'RECOVERING', 'PAUSED', 'FINALIZING', 'CANCELLING',
    'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'
  )),
  status_reason text,
  pause_reason text check (pause_reason in ('COST_LIMIT', 'CREDITS', 'LICENSE', 'OPERATOR')),
  execution integer not null default 1,
  -- The validated request, or null when it is stored under `request_key`.
  request jsonb,
  request_key text,
  fingerprint text not null,
  idempotency_key text,
  submit_response jsonb not null,
  -- The workflow run that admitted the job.
  first_run_id text not null,
  unit text not null check (unit in ('frame', 'task', 'ligand')),
  task_total integer not null check (task_total > 0),
  tasks_verified integer not null default 0,
  tasks_failed integer not null default 0,
  recovery_mode text not null default 'standard' check (recovery_mode in ('standard', 'resumable')),
  recovery_count integer not null default 0,
  effective_seed integer,
  warnings jsonb not null default '[]',
  -- The version is raised with every change that the customer can see.
  version bigint not null default 1,
  transition integer not null default 0,
  cancel_requested_at timestamptz,
  cancel_reason text,
  submitted_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- Whether the service made the job for itself; no customer sees an internal job.
  internal boolean not null default false,
  tool_id text not null,
  -- The key or the session that submitted the job.
  caller_kind text check (caller_kind in ('key', 'session')),
  caller_id uuid,
  -- Since when the job is in its state; the database keeps the time.
  status_at timestamptz not null default now(),
  -- When the object store had no room last for what the job has made.
  store_full_at timestamptz,
  constraint jobs_caller_whole check ((caller_kind is null) = (caller_id is null)),
  check ((request is null) <> (request_key is null))
);
create index jobs_account on jobs (account_id, submitted_at desc, id desc);
create index jobs_open on jobs (status, pause_reason, status_at) where finished_at is null;

-- One execution of a job: its own hold, price and settlement.
create table job_executions (
  job_id uuid not null references jobs,
  n integer not null,
  hold_id uuid not null references holds,
  -- The frozen offer (`Quote`).
  quote jsonb not null,
  estimated_micro bigint not null,
  currency text not null,
  price_book_version text not null,
  fx_rate_micro bigint not null,
  outcome text,
  started_at timestamptz not null default now(),
  settled_at timestamptz,
  -- The plan by which the workflow works (`JobPlan`).
  plan jsonb,
  -- The verified tasks that the settlement has charged for (`VerifiedTasks`), and their price; null until then.
  charged jsonb,
  charged_micro bigint,
  -- The most that the customer lets this execution hold; null without a limit.
  limit_pence bigint check (limit_pence > 0),
  -- Whether a task is dispatched only when the hold covers the task.
  covers_dispatch boolean not null default false,
  -- Whether the execution is settled and its receipt is still to be made.
  receipt_due boolean not null default false,
  primary key (job_id, n)
);
create index job_executions_receipt_due on job_executions (settled_at) where receipt_due;

-- An input that a job named, pinned by its digest.
create table job_inputs (
  job_id uuid not null references jobs,
  storage_key text not null,
  byte_size bigint not null,
  sha256 text,
  -- The file's name inside the job, for a file that the control side fetched itself; else null.
  name text,
  primary key (job_id, storage_key)
);
create unique index job_inputs_name on job_inputs (job_id, name) where name is not null;

-- A task of a job, or a step of a job, which is not counted as a task.
create table tasks (
  job_id uuid not null references jobs,
  kind text not null check (kind in ('task', 'prepare', 'control', 'merge', 'finish')),
  ordinal integer not null,
  -- The ligand id, frame number or index.
  item_id text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  execution integer not null default 1,
  attempts integer not null default 0,
  -- Attempts lost to infrastructure.
  losses integer not null default 0,
  slot integer,
  generation integer,
  progress_percent real not null default 0,
  -- A small summary that the tool wrote.
  summary jsonb,
  failure_code text,
  failure_message text,
  log_bytes bigint not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  -- Losses in which the system killed the tool, or the tool's session died during the preparation.
  kills integer not null default 0,
  -- The price class of the task in the job's quote; null where the quote has one class only.
  price_class text,
  -- One run of the tool at the present attempt of a task that is measured, and its times by the database's clock.
  tool_run uuid,
  tool_started_at timestamptz,
  tool_ended_at timestamptz,
  -- The milliseconds of the verified attempt that are charged; null where nothing is measured.
  metered_ms bigint check (metered_ms >= 0),
  -- The execution that has charged for the task, where the task was set back since; 0 where an earlier result stands
  -- for the task, which nobody is charged for; null for every other task.
  charged_in integer,
  -- What the next attempt goes on from; null where the task has kept nothing.
  checkpoint jsonb,
  checkpoint_at timestamptz,
  -- The execution whose hold covers the task, where executions cover tasks before they are dispatched.
  covered_in integer,
  -- By what an earlier result of the account is found that is the result of this task; null before it is known.
  reuse_key text,
  -- Whether a newer run of the same batch has the ligand, so that what this task has found of the ligand counts no
  -- more.
  superseded boolean not null default false,
  primary key (job_id, kind, ordinal)
);
create index tasks_checkpoints on tasks (job_id) where checkpoint is not null;
create index tasks_state on tasks (job_id, state) where state in ('RUNNING', 'FAILED');
create index tasks_superseded on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED' and superseded;
create index tasks_superseded_done on tasks (job_id, ordinal) where kind = 'task' and state = 'SUCCEEDED' and superseded;
create index tasks_undone on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED' and not superseded;

-- A stored chunk of a task's log.
create table task_logs (
  job_id uuid not null,
  kind text not null,
  ordinal integer not null,
  attempt integer not null,
  from_byte bigint not null,
  -- The place after the last byte of the chunk.
  to_byte bigint not null,
  storage_key text not null,
  primary key (job_id, kind, ordinal, attempt, from_byte)
);

-- The public part of a key that signs receipts or has signed some. Keys are never removed, so old receipts can be
-- proven.
create table receipt_keys (
  key_id text primary key check (key_id ~ '^[a-z0-9-]{1,32}$'),
  -- The 32 bytes of the public key in base64url.
  public_key text not null check (public_key ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz not null default now()
);

-- A receipt as it was signed; it is written once and never changed.
create table receipts (
  job_id uuid not null,
  execution integer not null,
  key_id text not null references receipt_keys(key_id),
  -- Base64url.
  signature text not null,
  -- The canonical JSON that was signed.
  document text not null,
  issued_at timestamptz not null default now(),
  primary key (job_id, execution),
  foreign key (job_id, execution) references job_executions(job_id, n)
);

-- --------------------------------------------------------------------------------------------------------------
-- Machines: capacity, instances and what was lost with them.
-- --------------------------------------------------------------------------------------------------------------

-- The capacity that one execution of a job asks for, and whether the capacity is granted.
create table capacity_requests (
  job_id uuid not null references jobs,
  execution integer not null,
  account_id uuid not null references accounts,
  -- Asked for while the request waits, granted afterwards.
  vcpus integer not null check (vcpus > 0),
  priority integer not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'GRANTED', 'RELEASED')),
  -- Why the request waits.
  reason text,
  -- Later than the first request by the time in which the execution held capacity that it gave back for want of room.
  requested_at timestamptz not null default now(),
  granted_at timestamptz,
  released_at timestamptz,
  -- When the workflow of the job saw the grant.
  noticed_at timestamptz,
  -- The vCPUs of one instance, by which a request is granted; null: all are granted at once.
  step_vcpus integer check (step_vcpus > 0),
  -- The vCPUs that a granted request wants in all.
  wanted_vcpus integer,
  -- Since when a waiting request that does not fit keeps what is given back from others.
  reserved_at timestamptz,
  -- The class of the instances, whose limits hold.
  class text not null default 'cpu',
  -- The account's plan when it asked; null: the limits of any account hold.
  plan text,
  -- The GPUs of one instance.
  step_gpus integer not null default 0 check (step_gpus >= 0),
  -- What is kept: vCPUs or GPUs, of all, of a plan or of a class.
  reserved_for text,
  -- The GPUs of the instances that are granted; computed by the database.
  gpus integer generated always as (
    case when step_vcpus is null then step_gpus else step_gpus * ((vcpus + step_vcpus - 1) / step_vcpus) end
  ) stored not null,
  -- When the first vCPUs of those that are granted were granted.
  first_granted_at timestamptz,
  -- Whether the capacity was given back because the provider had no room, so that the execution asks again.
  may_ask_again boolean not null default false,
  primary key (job_id, execution),
  check (not may_ask_again or state = 'RELEASED')
);
create index capacity_granted on capacity_requests (account_id, class, plan) include (vcpus, gpus) where state = 'GRANTED';
create index capacity_granted_at on capacity_requests (granted_at) where granted_at is not null;
create index capacity_growing on capacity_requests (job_id) where state = 'GRANTED' and wanted_vcpus >= (vcpus + step_vcpus);
create index capacity_open on capacity_requests (state, requested_at) where state <> 'RELEASED';
create index capacity_reserved on capacity_requests (reserved_at) where state = 'WAITING' and reserved_at is not null;
create index capacity_unnoticed on capacity_requests (granted_at) where state = 'GRANTED' and noticed_at is null;
create index capacity_waiting on capacity_requests (account_id, class, priority desc, requested_at, job_id)
  where state = 'WAITING';

-- A text that instances are told at their first boot, without what is secret in it; rows name it by its SHA-256.
create table instance_frames (
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  content text not null
);

-- One generation of one slot. Once `fenced_at` is set, nothing that the generation reports counts. Each contact writes
-- the row, so that large columns are kept out of it.
create table instances (
  job_id uuid not null references jobs,
  slot integer not null,
  generation integer not null,
  provider text not null,
  provider_id text,
  -- The token is written before the launch; a provider never starts a second instance for the same token.
  launch_token text not null unique,
  state text not null default 'LAUNCHING' check (state in ('LAUNCHING', 'RUNNING', 'TERMINATED')),
  vcpus integer not null,
  launched_at timestamptz not null default now(),
  last_contact_at timestamptz,
  fenced_at timestamptz,
  fence_cause text,
  terminated_at timestamptz,
  -- When the staging of a fenced generation is swept next; null when no file can arrive in the staging any more.
  staging_due_at timestamptz default now(),
  -- The type by the name that the provider has for it; null where the provider has no types.
  instance_type text,
  market text not null default 'ON_DEMAND' check (market in ('ON_DEMAND', 'SPOT')),
  -- The nonce of the first call of the instance; null until then.
  bootstrap_nonce text,
  -- The class of instances that the job was planned for.
  instance_class text not null default 'cpu',
  gpus integer not null default 0,
  -- Which of the candidates of the launch the token is for, and how often the launch began with the first candidate
  -- again.
  candidate integer not null default 0,
  round integer not null default 0,
  -- All that is sent to the provider for the token; null until that is settled.
  terms jsonb,
  -- When the provider was asked first under the token; null until then.
  asked_at timestamptz,
  -- The kind of processor; null where the provider does not tell kinds apart, or nothing is launched yet.
  cpu_class text,
  -- Where the provider has put the instance; null where it does not say.
  zone text,
  -- Why the provider refused the launch last, in its words; null where it did not.
  refusal text,
  -- When the instance was about to be taken away, and its slot went on with the next generation.
  drained_at timestamptz,
  -- The text that the instance is told at its first boot (`InstanceFrame`); null where there is none.
  frame_digest text references instance_frames(digest),
  -- The name of the secret that signs the credential of the launch; null until the terms are settled.
  credential_key text,
  primary key (job_id, slot, generation)
) with (toast_tuple_target = 768);
create unique index instances_current on instances (job_id, slot) where fenced_at is null and drained_at is null;
create index instances_ended on instances (terminated_at) where terminated_at is not null;
create index instances_launched on instances (launched_at);
create index instances_live on instances (state) where state <> 'TERMINATED';
create index instances_staging on instances (staging_due_at) where fenced_at is not null and staging_due_at is not null;

-- An entry of the recovery ledger of a job, which the customer sees: a lost instance, a pause or a resume.
create table recoveries (
  id uuid primary key,
  job_id uuid not null references jobs,
  execution integer not null,
  -- The instance that was lost; null for a pause or a resume.
  slot integer,
  generation integer,
  cause text not null,
  tasks_kept integer not null,
  tasks_requeued integer not null,
  seconds_lost double precision not null,
  -- Always 0: a recovery costs the customer nothing.
  charged_pence bigint not null default 0 check (charged_pence = 0),
  created_at timestamptz not null default now(),
  -- Whether the generation had decided a task; null when it was never in contact, or its tasks' losses explain it.
  delivered boolean,
  kind text not null default 'LOSS' check (kind in ('LOSS', 'PAUSE', 'RESUME')),
  -- When work went on; null as long as it has not.
  went_on_at timestamptz,
  check (kind <> 'LOSS' or slot is not null and generation is not null),
  unique (job_id, slot, generation)
);
create index recoveries_created on recoveries (created_at);
create index recoveries_of_job on recoveries (job_id, created_at, id);
create index recoveries_waiting on recoveries (job_id) where went_on_at is null;

-- When a service was last alive, so that an outage of the gateway is not taken for the silence of an instance.
create table service_heartbeats (
  service text primary key,
  up_since timestamptz not null,
  beat_at timestamptz not null
);

-- What a provider of instances last said of a tool. A tool is offered while a recent row says that it can be run.
create table tool_offers (
  provider text not null,
  tool_id text not null,
  available boolean not null,
  -- Null when the tool is available.
  reason text,
  version text,
  digest text,
  seen_at timestamptz not null,
  primary key (provider, tool_id),
  check ((reason is null) = available)
);

-- --------------------------------------------------------------------------------------------------------------
-- What tools share: databases, preparations and inspections.
-- --------------------------------------------------------------------------------------------------------------

-- A sequence database that the operator keeps for all customers. An entry never changes: a replaced database gets
-- another id and other keys, and a removed one stays until no open job reads its files.
create table databases (
  id uuid primary key,
  name text not null,
  type text not null check (type in ('prot', 'nucl')),
  version text not null,
  -- A day of the calendar, YYYY-MM-DD.
  date text not null check (date ~ '^\d{4}-\d{2}-\d{2}$'),
  -- SHA-256 of the one file, or of the lines `{sha256}  {name}` of all files, sorted by name.
  checksum text not null check (checksum ~ '^[0-9a-f]{64}$'),
  letters bigint not null check (letters > 0),
  sequences bigint not null check (sequences > 0),
  -- Name, key, size and digest of each file.
  files jsonb not null,
  added_at timestamptz not null default now(),
  -- Set when the entry was removed or replaced; the sweep removes its files later.
  removed_at timestamptz
);
create unique index databases_by_name on databases (name) where removed_at is null;

-- A preparation that later jobs of the account use again, by the digest of its inputs; its files are the artifacts of
-- the job's prepare step.
create table preparations (
  account_id uuid not null references accounts,
  cache_key text not null,
  job_id uuid not null references jobs,
  created_at timestamptz not null default now(),
  primary key (account_id, cache_key)
);
create index preparations_job on preparations (job_id);

-- An inspection of a receptor: the digest of a question leads to the internal job whose report answers it. The state of
-- an inspection is the state of its job.
create table inspections (
  id uuid primary key,
  account_id uuid not null references accounts,
  -- Digest of the receptor, the selected part of the receptor, and the code that inspects it.
  cache_key text not null,
  -- The internal job; the job has no row before its admission.
  job_id uuid not null unique,
  -- A job that was not admitted by this time is never admitted.
  start_by timestamptz not null,
  created_at timestamptz not null default now()
);
create index inspections_account on inspections (account_id, cache_key, created_at desc);
create index inspections_age on inspections (created_at);

-- --------------------------------------------------------------------------------------------------------------
-- Docking: libraries of ligands, records of what is docked, and results.
-- --------------------------------------------------------------------------------------------------------------

-- A stored ligand library, or a list of a request, of which every record is known.
create table ligand_libraries (
  id uuid primary key,
  account_id uuid not null references accounts,
  -- `list`: the ligands were sent as a list, and there is no file.
  format text not null check (format in ('smi', 'csv', 'sdf', 'list')),
  -- The digest of the file as it was stored, packed or not, or of the list.
  sha256 text not null,
  -- The version of the reader that made the index.
  reader integer not null,
  -- The unpacked copy, of which instances read ranges; null for a list.
  storage_key text,
  byte_size bigint,
  content_sha256 text,
  record_count integer not null check (record_count > 0),
  -- The records that equal none before them.
  task_count integer not null,
  -- The records from which no ligand can be read.
  unreadable_count integer not null,
  -- The names of further columns or tags, in the order in which the file has them first.
  property_names text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- When the library was opened last.
  used_at timestamptz not null default now(),
  -- What of the columns or tags does not stay with the ligands; null where all stay.
  losses jsonb,
  check (task_count >= 1 and task_count <= record_count),
  constraint ligand_libraries_check1 check (unreadable_count >= 0 and unreadable_count <= record_count),
  constraint ligand_libraries_check2 check ((storage_key is null) = (format = 'list')),
  unique (account_id, sha256, format, reader)
);
create index ligand_libraries_used on ligand_libraries (used_at);

-- A record of a library.
create table ligand_library_records (
  library_id uuid not null references ligand_libraries on delete cascade,
  -- The place of the record among the records of the library, counted from 0.
  ordinal integer not null,
  ligand_id text collate "C" not null,
  label text not null,
  -- The line of the file on which the record begins; null in a list.
  line integer,
  -- The bytes of the structure in the unpacked copy, the end not included, and their digest.
  start_byte bigint,
  end_byte bigint,
  content_sha256 text,
  -- The digest by which equal records are found.
  structure_sha256 text not null,
  heavy_atoms integer,
  -- The ordinal of the first record with an equal structure; null for that record itself.
  same_as integer,
  -- Why no ligand can be read from the record.
  fault text,
  -- Source and preparation of a ligand of a list.
  source jsonb,
  -- Further columns or tags, by name.
  properties jsonb not null default '{}',
  -- The SMILES as it was given, where the record is one.
  smiles text,
  primary key (library_id, ordinal),
  check (same_as < ordinal),
  unique (library_id, ligand_id)
);
create index ligand_library_records_equal on ligand_library_records (library_id, same_as) where same_as is not null;

-- A protocol with the ligand that it is for. An experiment never changes.
create table docking_experiments (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users,
  name text not null,
  -- A receptor is named by its artifact or described by its identity; the other one is null. The same holds for the
  -- ligand.
  receptor_artifact_id uuid,
  -- Source, assembly, model, chains and preparation (`ReceptorIdentity`).
  receptor_identity jsonb,
  ligand_artifact_id uuid,
  -- `LigandIdentity`.
  ligand_identity jsonb,
  -- Box, search and validation as they were asked for (`DockingParameters`).
  parameters jsonb not null,
  created_at timestamptz not null default now(),
  check ((receptor_artifact_id is null) <> (receptor_identity is null)),
  constraint docking_experiments_check1 check ((ligand_artifact_id is null) <> (ligand_identity is null))
);
create index docking_experiments_of_account on docking_experiments (account_id, created_at desc, id desc);

-- A campaign: many ligands, one receptor, one protocol. A batch never changes; its runs do the work.
create table docking_batches (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users,
  name text not null,
  -- The id of the tool that works on the ligands.
  engine text not null,
  receptor_artifact_id uuid,
  -- Null where an artifact names the receptor, and where the engine docks to none.
  receptor_identity jsonb,
  parameters jsonb not null,
  -- The index of the library that the ligands are read from; null where the ligands have none.
  library_id uuid references ligand_libraries,
  -- The digest of the library as it was sent.
  library_sha256 text not null,
  ligand_count integer not null check (ligand_count > 0),
  shard_size integer not null check (shard_size > 0),
  reuse text not null default 'verified' check (reuse in ('verified', 'never')),
  dry_run boolean not null default false,
  created_at timestamptz not null default now(),
  -- The rule by which the first run stops (`StopWhen`); null where all ligands are docked.
  stop_when jsonb,
  -- Whether some ligands are docked again, for their reproducibility.
  sample boolean not null default false,
  -- How every ligand of a stored library is prepared (`LigandPreparation`); null where each ligand says so itself.
  ligand_preparation jsonb,
  -- The admissions of the jobs that dock a sample again (`JobAdmission`); null where there is none, and once each is
  -- decided.
  sample_admissions jsonb
);
create index docking_batches_library on docking_batches (library_id);
create index docking_batches_of_account on docking_batches (account_id, created_at desc, id desc);
create index docking_batches_sampled on docking_batches (id) where sample_admissions is not null;

-- One execution of an experiment or of a batch, which is one job and admitted in the same transaction. State, counts
-- and times of a run are those of its job.
create table docking_runs (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users,
  -- Either the experiment or the batch is null.
  experiment_id uuid references docking_experiments,
  batch_id uuid references docking_batches,
  -- Counted from 1 within the experiment or the batch.
  number integer not null check (number > 0),
  job_id uuid not null references jobs unique,
  -- The id of the request that asked for the run.
  request_id text not null,
  -- Null where the run draws its seed. The seed that the ligands are docked with is the job's.
  seed_requested integer,
  -- The ordinals in the library of the ligands that this run docks, by the ordinals of the job's tasks; null where the
  -- run docks all ligands of the batch. Of the runs that have a ligand, the newest one is the ligand's.
  ligands integer[],
  -- The failure codes whose ligands are docked again; null for a run that repeats nothing.
  retried_codes text[],
  created_at timestamptz not null default now(),
  -- Whether earlier results are taken; null for a run of a batch, where the batch says so.
  reuse text check (reuse in ('verified', 'never')),
  -- How far the rule of the batch has looked (`StopState`); null before, and where there is no rule.
  stop_state jsonb,
  -- The number of tasks up to the one at which the rule has stopped the run; null where it has not.
  stopped_after integer check (stopped_after > 0),
  check ((experiment_id is null) <> (batch_id is null)),
  unique (batch_id, number),
  unique (experiment_id, number)
);

-- A job that docks the sample of a batch again, with the seed of the batch or with another one; or why there is no such
-- job.
create table docking_samples (
  batch_id uuid not null references docking_batches,
  kind text not null check (kind in ('same', 'other')),
  -- Null where the job was refused.
  job_id uuid references jobs unique,
  -- Null where the engine has no seed.
  seed integer,
  created_at timestamptz not null default now(),
  -- Why the job was refused; null where there is the job.
  failure_code text,
  failure_message text,
  primary key (batch_id, kind),
  check ((job_id is null) = (failure_code is not null)),
  constraint docking_samples_check1 check ((failure_code is null) = (failure_message is null))
);

-- A docked ligand of a job, whose outputs are verified. Counts over many rows are read from indexes alone once the
-- table is vacuumed, so it is vacuumed after as many new rows as a few batches have.
create table docking_results (
  id uuid primary key,
  job_id uuid not null references jobs,
  -- The place of the ligand in the job's request, which is the ordinal of its task.
  ordinal integer not null,
  -- The execution of the job that has docked the ligand.
  execution integer not null,
  ligand_id text collate "C" not null,
  -- The digest in the ligand's result.
  result_sha256 text,
  best_affinity_kcal_mol double precision not null,
  ligand_efficiency double precision,
  size_independent_efficiency double precision,
  pose_count integer,
  best_pose_failed_checks integer,
  plausible_pose_count integer,
  heavy_atoms integer,
  formal_charge integer,
  smiles_input text,
  smiles_docked text,
  -- A list of warnings with code and message.
  warnings jsonb not null default '[]',
  created_at timestamptz not null default now(),
  -- The earlier result that this one repeats; null for a ligand that was docked.
  cached_from_result_id uuid,
  cpu_class text,
  -- The digest of the code and the class of the processor that made the result; null where the result does not tell.
  toolchain_sha256 text,
  -- The key of the ligand's task.
  reuse_key text,
  -- The version of the program that has docked; null where the result does not tell.
  engine_version text,
  -- What RDKit says of the ligand as it was sent; null where the result does not tell.
  descriptors jsonb,
  -- The score of mode 1 by the other scoring function, and the place of mode 1 by these scores.
  second_affinity_kcal_mol double precision,
  second_rank integer check (second_rank > 0),
  -- The contacts of mode 1 that bind in a direction.
  key_interactions jsonb,
  -- The cluster of the molecule among the docked ligands of its batch, the largest is 1; null before the batch has ended.
  cluster integer check (cluster > 0),
  -- The likely states in which the ligand was docked; null for one state.
  states jsonb,
  unique (job_id, ordinal)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000);
create index docking_results_efficiency on docking_results
  (job_id, (-coalesce(ligand_efficiency, '-infinity')), ligand_id);
create index docking_results_ligand on docking_results (job_id, ligand_id);
create index docking_results_ranking on docking_results (job_id, best_affinity_kcal_mol, ligand_id);
create index docking_results_reuse on docking_results (reuse_key, cpu_class)
  where reuse_key is not null and cached_from_result_id is null;
create index docking_results_reused on docking_results (job_id) where cached_from_result_id is not null;

-- One mode of a docked ligand.
create table docking_poses (
  id uuid primary key,
  result_id uuid not null references docking_results on delete cascade,
  -- Counted from 1, the best first.
  mode integer not null check (mode > 0),
  affinity_kcal_mol double precision not null,
  -- The bounds of the RMSD to mode 1.
  rmsd_lower_angstrom double precision,
  rmsd_upper_angstrom double precision,
  -- How many checks the mode fails; null where the checks were not told.
  failed_checks integer check (failed_checks >= 0),
  -- The interactions as the result has them; null where they were not told or could not be computed.
  interactions jsonb,
  -- The score of the mode by the other scoring function.
  second_affinity_kcal_mol double precision,
  unique (result_id, mode)
);

-- A contact of a docked ligand: a type of interaction with a residue, and the modes that have it, by which results are
-- filtered. Vacuumed early for the reason of `docking_results`.
create table docking_contacts (
  job_id uuid not null,
  -- Such as `hydrogen_bond:A:GLN725`.
  contact text collate "C" not null,
  result_id uuid not null references docking_results on delete cascade,
  -- Which thirteen modes the row is about, from 0.
  block smallint not null check (block >= 0),
  -- Four bits for each mode, of which the lowest is set where the mode has the contact.
  modes bigint not null,
  primary key (job_id, contact, result_id, block) include (modes)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
create index docking_contacts_result on docking_contacts (result_id);

-- How many results of a job have scores within a step of a sixteenth of a kcal/mol, so that a rank is a sum of few
-- rows.
create table docking_rank_counts (
  job_id uuid not null references jobs,
  -- The score in sixteenths, rounded down; the first and the last step have whatever lies beyond.
  step smallint not null,
  count integer not null check (count >= 0),
  primary key (job_id, step)
) with (fillfactor = 50);

-- What a dry run has found of a ligand, which was prepared and not docked, and so has no result.
create table docking_preparations (
  job_id uuid not null references jobs,
  ordinal integer not null,
  heavy_atoms integer,
  formal_charge integer,
  smiles_input text,
  smiles_docked text,
  -- A list of warnings with code and message.
  warnings jsonb not null default '[]',
  -- How many likely states would be docked; null where one was asked for.
  states integer check (states > 0),
  primary key (job_id, ordinal)
);

-- A file of the results of a batch or a run. The id follows from account, request and ligands, so the same request has
-- one row.
create table docking_exports (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null,
  -- Either the batch or the run is null.
  batch_id uuid references docking_batches,
  run_id uuid references docking_runs,
  format text not null check (format in ('csv', 'sdf', 'parquet', 'smi')),
  -- The choice, the order and the filters as they were asked for (`ExportQuery`).
  query jsonb not null,
  -- The ligands that were there when the export was asked for (`IncludedRun[]`).
  included jsonb not null,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED')),
  -- How many results the export has.
  result_count integer not null check (result_count > 0),
  -- Whether every job had ended, so that nothing was missing.
  complete boolean not null,
  artifact_id uuid references artifacts,
  failure_code text,
  failure_message text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- When what attempts had left in the store was removed.
  swept_at timestamptz,
  check ((batch_id is null) <> (run_id is null)),
  constraint docking_exports_check1 check ((state = 'SUCCEEDED') = (artifact_id is not null)),
  constraint docking_exports_check2 check ((state = 'FAILED') = (failure_code is not null)),
  constraint docking_exports_check3 check ((state in ('SUCCEEDED', 'FAILED')) = (finished_at is not null))
);
create index docking_exports_artifact on docking_exports (artifact_id) where artifact_id is not null;
create index docking_exports_unswept on docking_exports (created_at) where swept_at is null;

-- --------------------------------------------------------------------------------------------------------------
-- The service itself.
-- --------------------------------------------------------------------------------------------------------------

-- How the rounds of one schedule ended.
create table schedule_rounds (
  schedule text primary key,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Rounds that failed since the last one that succeeded.
  failures integer not null default 0 check (failures >= 0),
  -- How many faults the last round of the audit has found, by check; null for other schedules.
  findings jsonb
);

-- The one row that is there while the mode is on.
create table maintenance (
  -- Always true, so that there is one row at most.
  only_row boolean primary key default true check (only_row),
  -- What customers are told.
  reason text not null,
  since timestamptz not null default clock_timestamp()
);

/**
 * How often one network may try one address: ten times in any quarter of an hour. Tries of other networks do not count, so
 * nobody locks a person out by trying. Known and unknown addresses count alike. The table has digests of network and
 * address, and no try that was refused, so a person who waits is let in whatever others of the network do meanwhile.
 */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { SignInTriesEntity } from '../../../entities/people.ts';
import { AppError } from '../../domain/errors.ts';
import { TRIES_PER_QUARTER_HOUR } from '../../domain/people.ts';
import { repeatConflicts } from '../transaction.ts';
import type { Tx } from '../transaction.ts';

/** A try; each kind is counted apart. */
export interface Try {
  readonly kind: 'sign-in' | 'sign-up' | 'forgot' | 'totp';
  readonly network: string;
  readonly email: string;
}

/** SQL of the tries that still count, in the order of time. */
const RECENT = `array(select at from unnest(t.tried_at) at where at > now() - interval '15 minutes' order by at)`;

/** Counts a try. @throws RATE_LIMITED when there were as many as may be. */
export async function countTry(db: DataSource, tried: Try): Promise<void> {
  const pair = pairOf(tried);
  const [counted] = await repeatConflicts(() =>
    db.query<unknown[]>(
      `with counted as (
         insert into sign_in_tries as t (pair, tried_at) values ($1, array[now()])
         on conflict (pair) do update set tried_at = ${RECENT} || now(), last_tried_at = now()
           where cardinality(${RECENT}) < $2
         returning pair)
       select pair from counted`,
      [pair, TRIES_PER_QUARTER_HOUR],
    ),
  );
  if (counted !== undefined) return;
  const [next] = await db.query<{ readonly seconds: number | null }[]>(
    `select ceil(extract(epoch from (${RECENT})[1] + interval '15 minutes' - now()))::int as seconds
     from sign_in_tries t where t.pair = $1`,
    [pair],
  );
  const retryAfterSeconds = Math.max(1, next?.seconds ?? 1);
  throw new AppError(
    'RATE_LIMITED',
    `Too many tries for this address: ${TRIES_PER_QUARTER_HOUR} in a quarter of an hour are allowed. Wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

/** Forgets the tries of an address, because one of the tries was right. */
export async function forgetTries(tx: Tx, tried: Try): Promise<void> {
  await tx.getRepository(SignInTriesEntity).delete({ pair: pairOf(tried) });
}

function pairOf({ kind, network, email }: Try): string {
  return createHash('sha256').update(`${kind}\n${network}\n${email.toLowerCase()}`).digest('hex');
}

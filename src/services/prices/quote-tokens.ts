/**
 * Quotes that a customer carries from an estimate to a submit. A quote is a token: the whole offer with its price book and
 * its exchange rate, the facts of the request that were priced, the account, and an end. Nothing is stored, so any process
 * takes the quote of any other, and a price that has moved since, by another rate or another release, moves no quoted
 * job. Once a job is admitted, the price of the job stands in the job's own stored quote like that of any other job.
 */
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { QUOTE_ID_CHARACTERS } from '../../domain/priced.ts';
import type { Priced } from '../../domain/priced.ts';
import type { Quote } from '../../domain/pricing.ts';
import { createSigner } from '../signed-claims.ts';
import type { TokenKind } from '../signed-claims.ts';

/** The version stands in prefix and purpose: a token of other claims gets others. */
const QUOTE_TOKEN: TokenKind = {
  prefix: 'dkq1',
  purpose: 'dockyard/quote/v1',
  longest: QUOTE_ID_CHARACTERS.most,
};
const LIFE_SECONDS = 15 * 60;

/** The offer that a quote keeps, and what was priced. */
export interface QuotedOffer {
  readonly priced: Priced;
  readonly quote: Quote;
}

/** A quote as an estimate answers it; `expiresAt` is ISO 8601. */
export interface SignedQuote {
  readonly quoteId: string;
  readonly expiresAt: string;
}

/** Signs and reads quotes. */
export interface QuoteTokens {
  sign(actor: Pick<Actor, 'accountId'>, offer: QuotedOffer): SignedQuote;
  /** @throws QUOTE_INVALID for what this service did not sign for the account, QUOTE_EXPIRED after its end. */
  read(actor: Pick<Actor, 'accountId'>, quoteId: string): QuotedOffer;
}

interface Claims extends QuotedOffer {
  readonly account: string;
  /** Seconds of the epoch. */
  readonly expiresAt: number;
}

/**
 * Makes the quotes of an installation. Quotes that one of the further secrets has signed are taken too; `now` tells
 * milliseconds of the epoch.
 */
export function createQuoteTokens(
  secretHex: string,
  now: () => number = Date.now,
  furtherSecrets: readonly string[] = [],
): QuoteTokens {
  const signer = createSigner(secretHex, QUOTE_TOKEN, furtherSecrets);
  return {
    sign({ accountId }, { priced, quote }) {
      const expiresAt = Math.floor(now() / 1000) + LIFE_SECONDS;
      const claims: Claims = { account: accountId, expiresAt, priced, quote };
      return { quoteId: signer.sign(claims), expiresAt: timeOf(expiresAt) };
    },
    read({ accountId }, quoteId) {
      const claims = signer.read(quoteId);
      if (!isClaims(claims)) throw invalid('is not genuine: it was changed, or was not made by this service');
      if (claims.account !== accountId) throw invalid('was made for another account');
      if (claims.expiresAt * 1000 <= now()) throw expired(claims.expiresAt);
      return { priced: claims.priced, quote: claims.quote };
    },
  };
}

function invalid(fault: string): AppError {
  return new AppError(
    'QUOTE_INVALID',
    `quoteId: the quote ${fault}. Estimate the job, and send its quoteId.`,
  );
}

function expired(expiresAt: number): AppError {
  return new AppError(
    'QUOTE_EXPIRED',
    `quoteId: the quote was good until ${timeOf(expiresAt)}. Estimate the job again, and send the new quoteId.`,
  );
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** The MAC says that this service wrote the claims, so only the form of the outermost members is checked again. */
function isClaims(value: unknown): value is Claims {
  if (!isRecord(value)) return false;
  const { account, expiresAt, priced, quote } = value;
  return (
    typeof account === 'string' &&
    Number.isInteger(expiresAt) &&
    isRecord(priced) &&
    isRecord(priced['fields']) &&
    isRecord(priced['sizes']) &&
    isRecord(quote) &&
    isRecord(quote['pricing'])
  );
}

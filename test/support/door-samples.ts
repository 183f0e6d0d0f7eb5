/** Samples of the entities of the doors: sessions, codes, and who has changed what. */
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { otherAccountId } from './entity-samples.ts';
import { AuditEntryEntity } from '../../entities/audit.ts';
import {
  PaymentCustomerEntity,
  PaymentEventEntity,
  PaymentReturnEntity,
  TopupEntity,
} from '../../entities/payments.ts';
import { ProviderTransactionEntity, ReconciliationDifferenceEntity } from '../../entities/reconciliation.ts';
import { LicenseServerEntity } from '../../entities/settings.ts';
import { WebhookDeliveryEntity, WebhookEntity, WebhookSecretEntity } from '../../entities/webhooks.ts';
import {
  CliCodeEntity,
  IdentityEntity,
  InvitationEntity,
  MailCodeEntity,
  OidcAttemptEntity,
  RecoveryCodeEntity,
  SessionEntity,
  SignInTriesEntity,
} from '../../entities/people.ts';

/** A row with every column set, the values of columns that are left out, and what a second row must change. */
export interface DoorSample {
  readonly entity: EntitySchema<ObjectLiteral>;
  readonly full: ObjectLiteral;
  readonly defaults: ObjectLiteral;
  readonly second: ObjectLiteral;
}

const sample = <T extends ObjectLiteral>(
  entity: EntitySchema<T>,
  full: T,
  defaults: Partial<T>,
  second: Partial<T>,
): DoorSample => ({ entity, full, defaults, second });

const topupId = uuidv7();
const [webhookId, secretId] = [uuidv7(), uuidv7()];

/** The samples, of an account and a user that are there. */
export function doorSamples(accountId: string, userId: string, at: Date): readonly DoorSample[] {
  const sessionId = uuidv7();
  return [
    sample(
      SessionEntity,
      {
        ...{ id: sessionId, userId, secretSha256: 's', address: '192.0.2.1', userAgent: 'a' },
        ...{ createdAt: at, lastSeenAt: at, expiresAt: at, endedAt: at, endsAt: at },
      },
      { userAgent: null, endedAt: null, endsAt: null },
      { id: uuidv7(), secretSha256: 't' },
    ),
    sample(
      CliCodeEntity,
      { secretSha256: 's', sessionId, challenge: 'c', createdAt: at, usedAt: at },
      { usedAt: null },
      { secretSha256: 't' },
    ),
    sample(
      MailCodeEntity,
      {
        ...{ secretSha256: 's', purpose: 'reset', email: 'someone@example.com', userId, passwordHash: 'p' },
        ...{ createdAt: at, expiresAt: at, usedAt: at },
      },
      { passwordHash: null, usedAt: null },
      { secretSha256: 't' },
    ),
    sample(SignInTriesEntity, { pair: 'p', triedAt: [at], lastTriedAt: at }, {}, { pair: 'q' }),
    sample(
      InvitationEntity,
      {
        ...{ id: uuidv7(), accountId, email: 'someone@example.com', role: 'member', secretSha256: 's' },
        ...{ invitedBy: userId, createdAt: at, expiresAt: at, endedAt: at, acceptedBy: userId },
      },
      { endedAt: null, acceptedBy: null },
      { id: uuidv7(), secretSha256: 't' },
    ),
    sample(
      RecoveryCodeEntity,
      { userId, codeSha256: 'c', usedAt: at },
      { usedAt: null },
      { codeSha256: 'd' },
    ),
    sample(IdentityEntity, { issuer: 'i', subject: 's', userId, createdAt: at }, {}, { subject: 't' }),
    sample(
      OidcAttemptEntity,
      { secretSha256: 's', userId, usedAt: at, endedAt: at },
      { userId: null, endedAt: null },
      { secretSha256: 't' },
    ),
    sample(
      AuditEntryEntity,
      {
        ...{ id: uuidv7(), accountId, authorKind: 'session', authorId: 'a', userId, address: '192.0.2.1' },
        ...{ action: 'key.created', subject: 's', before: { a: 1 }, after: { a: 2 }, createdAt: at },
      },
      { accountId: null, authorId: null, userId: null, address: null, before: null, after: null },
      { id: uuidv7() },
    ),
    sample(
      LicenseServerEntity,
      {
        ...{ id: uuidv7(), accountId, name: 'n', software: 's', protocol: 'tcp', host: 'h', port: 5053 },
        ...{ secretKeyId: 'k', sealedSecret: Buffer.from('sealed'), requestMac: 'm', createdBy: userId },
        ...{ createdAt: at, updatedAt: at, removedAt: null },
      },
      { secretKeyId: null, sealedSecret: null, removedAt: null },
      { id: uuidv7() },
    ),
    sample(
      WebhookEntity,
      {
        ...{ id: webhookId, accountId, url: 'https://example.org/', types: ['job.failed'], disabled: 'GONE' },
        ...{ failingSince: at, wokenAt: at, requestSha256: 'f', createdBy: userId },
        ...{ createdAt: at, updatedAt: at, removedAt: at },
      },
      { disabled: null, failingSince: null, wokenAt: null, removedAt: null },
      { id: uuidv7() },
    ),
    sample(
      WebhookSecretEntity,
      { id: secretId, webhookId, sealedSecret: 'k.sealed', createdAt: at, expiresAt: at },
      { expiresAt: null },
      { id: uuidv7() },
    ),
    sample(
      WebhookDeliveryEntity,
      {
        ...{ id: uuidv7(), webhookId, eventId: uuidv7(), type: 'job.failed', body: '{}', state: 'FAILED' },
        ...{ attempt: 10, dueAt: null, claimedUntil: at, attemptedAt: at, durationMs: 15_000, status: 500 },
        ...{ fault: 'TIMED_OUT', answer: 'a', createdAt: at },
      },
      {
        ...{ attempt: 0, dueAt: null, claimedUntil: null, attemptedAt: null, durationMs: null, status: null },
        ...{ fault: null, answer: null },
      },
      { id: uuidv7(), eventId: uuidv7() },
    ),
    sample(
      PaymentCustomerEntity,
      { accountId, customerId: 'cus', createdAt: at },
      {},
      { accountId: otherAccountId, customerId: 'cus 2' },
    ),
    sample(
      TopupEntity,
      {
        ...{
          id: topupId,
          accountId,
          tierId: 't',
          amountPence: 1,
          bonusPence: 2,
          state: 'PAID',
          fingerprint: 'f',
        },
        ...{
          successUrl: 's',
          cancelUrl: 'c',
          checkoutId: 'cs',
          checkoutUrl: 'u',
          paymentId: 'pi',
          invoiceUrl: 'i',
        },
        ...{
          receiptUrl: 'r',
          taxPence: 3,
          returnedPence: 4,
          parked: 'amount',
          autoNumber: 5,
          autoCard: 'pm',
          expiresAt: at,
          createdAt: at,
          updatedAt: at,
          paidAt: at,
        },
      },
      {
        ...{ state: 'CREATED', checkoutId: null, checkoutUrl: null, paymentId: null, invoiceUrl: null },
        ...{ receiptUrl: null, taxPence: 0, returnedPence: 0, parked: null, paidAt: null },
        ...{ autoNumber: null, autoCard: null },
      },
      { id: uuidv7() },
    ),
    sample(
      PaymentReturnEntity,
      {
        ...{ id: uuidv7(), topupId, accountId, kind: 'refund', providerId: 're', status: 'succeeded' },
        ...{
          grossPence: 2,
          takenPence: 1,
          turns: 3,
          version: 4,
          creditPence: 1,
          reason: 'r',
          createdAt: at,
          updatedAt: at,
        },
      },
      { providerId: null, takenPence: 0, turns: 0, version: 0, creditPence: null, reason: null },
      { id: uuidv7(), providerId: 're 2' },
    ),
    sample(
      ProviderTransactionEntity,
      {
        ...{ id: 'txn', kind: 'charge', paymentId: 'pi', amountPence: -1, currency: 'gbp' },
        ...{ createdAt: at, seenAt: at },
      },
      {},
      { id: 'txn 2' },
    ),
    sample(
      ReconciliationDifferenceEntity,
      {
        ...{ id: uuidv7(), checkName: 'c', subject: 's', detail: 'd' },
        ...{ firstSeenAt: at, lastSeenAt: at, endedAt: at },
      },
      { endedAt: null },
      { id: uuidv7() },
    ),
    sample(
      PaymentEventEntity,
      {
        ...{
          id: 'evt',
          type: 't',
          objectId: 'o',
          isLive: true,
          createdAt: at,
          receivedAt: at,
          handledAt: at,
        },
        parked: 'livemode',
      },
      { handledAt: null, parked: null },
      { id: 'evt 2' },
    ),
  ];
}

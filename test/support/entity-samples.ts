/** Rows of entities with every column set: the ledger's, and what all samples have in common. */
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import {
  AllowancePeriodEntity,
  HoldEntity,
  HoldExtensionEntity,
  KeyLimitEntity,
  LedgerBalanceEntity,
  LedgerTransferEntity,
} from '../../entities/ledger.ts';

/** A time that every column of times holds exactly. */
export const AT = new Date('2026-02-03T04:05:06.789Z');
/** The largest number that JavaScript holds exactly; a 32-bit column would refuse it. */
export const BIG = Number.MAX_SAFE_INTEGER;
/** A document of every kind of value. */
export const JSON_VALUE = { list: [1, 'two', null], nested: { yes: true } };
/** The ids that the samples name. */
export const [accountId, userId, jobId, holdId, transferId] = [
  uuidv7(),
  uuidv7(),
  uuidv7(),
  uuidv7(),
  uuidv7(),
];
/** More ids that the samples name. */
export const [otherAccountId, periodId, keyId] = [uuidv7(), uuidv7(), uuidv7()];

/** A row of an entity with every column set, and the columns that a row may leave out, with their values then. */
export interface Sample {
  readonly entity: EntitySchema<ObjectLiteral>;
  readonly full: ObjectLiteral;
  /** The values that the same row has when these columns are left out. */
  readonly defaults?: ObjectLiteral;
  /** The keys that a second row must change. */
  readonly second?: ObjectLiteral;
}

/** Makes a sample. */
export const sample = <T extends ObjectLiteral>(
  entity: EntitySchema<T>,
  full: T,
  defaults?: Partial<T>,
  second?: Partial<T>,
): Sample => ({
  entity,
  full,
  ...(defaults === undefined ? {} : { defaults }),
  ...(second === undefined ? {} : { second }),
});

/** Rows of the ledger, in the order of their references. */
export const LEDGER_SAMPLES: readonly Sample[] = [
  sample(
    LedgerBalanceEntity,
    {
      ...{ accountId, wallet: 0, walletHeld: 1, monthly: 2, monthlyHeld: BIG, debt: -BIG },
      ...{ monthlyPeriod: periodId, monthlyEndsAt: AT, version: BIG },
      ...{
        jobLimitPence: BIG,
        monthLimitPence: 0,
        lowBalancePence: 7,
        memberKeysLimitPence: BIG,
        month: '2026-02-01',
        monthChargedPence: BIG,
        keyLimits: true,
      },
    },
    {
      ...{ wallet: 0, walletHeld: 0, monthly: 0, monthlyHeld: 0, debt: 0, version: 0 },
      ...{ monthlyPeriod: null, monthlyEndsAt: null },
      ...{
        jobLimitPence: null,
        monthLimitPence: null,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        month: null,
        monthChargedPence: 0,
        keyLimits: false,
      },
    },
    { accountId: otherAccountId },
  ),
  sample(LedgerTransferEntity, {
    ...{ id: transferId, accountId, version: BIG, kind: 'promo', idempotencyKey: 'k', inputSha256: 'h' },
    ...{ jobId, holdId, tierId: 'topup-10', reversesId: transferId, description: 'A gift', createdAt: AT },
    ...{ accounts: ['wallet', 'bonus_expense'], amountsPence: [BIG, -BIG], walletAfter: BIG },
    ...{ walletHeldAfter: 1, monthlyAfter: 2, monthlyHeldAfter: 3, debtAfter: 4 },
  }),
  sample(AllowancePeriodEntity, {
    ...{ id: periodId, accountId, grantedPence: BIG, createdAt: AT },
    ...{ startsAt: AT, endsAt: new Date(AT.getTime() + 1) },
  }),
  sample(
    HoldEntity,
    {
      ...{ id: holdId, accountId, jobId, execution: 1, state: 'SETTLED', keyId },
      ...{
        monthlyPence: BIG - 17,
        monthlyPeriod: periodId,
        monthlyChargedPence: BIG - 19,
        monthlyReleasedPence: 2,
      },
      ...{ walletPence: 7, walletChargedPence: 4, walletReleasedPence: 3 },
      ...{ extensions: 1, extendedPence: 10, extendedChargedPence: 10, extendedReleasedPence: 0 },
      ...{ heldPence: BIG, chargedPence: BIG - 5, releasedPence: 5, createdAt: AT, settledAt: AT },
    },
    {
      ...{ state: 'OPEN', keyId: null, monthlyPeriod: null, monthlyChargedPence: 0, monthlyReleasedPence: 0 },
      ...{ extensions: 0, extendedPence: 0, extendedChargedPence: 0, extendedReleasedPence: 0 },
      ...{
        walletChargedPence: 0,
        walletReleasedPence: 0,
        chargedPence: 0,
        releasedPence: 0,
        settledAt: null,
      },
    },
    { id: uuidv7(), execution: 2, heldPence: BIG - 10 },
  ),
  sample(KeyLimitEntity, {
    ...{
      keyId,
      accountId,
      monthLimitPence: BIG,
      heldPence: BIG,
      month: '2026-02-01',
      monthChargedPence: BIG,
    },
  }),
  sample(
    HoldExtensionEntity,
    {
      ...{ holdId, part: 1, createdAt: AT },
      ...{ monthlyPence: 4, monthlyPeriod: periodId, monthlyChargedPence: 4, monthlyReleasedPence: 0 },
      ...{ walletPence: 6, walletChargedPence: 5, walletReleasedPence: 1 },
    },
    {
      ...{ monthlyPeriod: null, monthlyChargedPence: 0, monthlyReleasedPence: 0 },
      ...{ walletChargedPence: 0, walletReleasedPence: 0 },
    },
    { part: 2, monthlyPence: 0 },
  ),
];

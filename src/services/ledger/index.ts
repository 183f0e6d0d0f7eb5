/** The ledger: every movement of credits, and the proof that they add up. */
export { lockAccounts, MONTHLY_AVAILABLE, openAccount } from './accounts.ts';
export type { TransferInput } from './batch.ts';
export { placeHold, settleHold } from './holds.ts';
export type { HoldRefusal, HoldRequest, HoldResult, SettlementRequest, SettlementResult } from './holds.ts';
export { grantCredits, grantTransfer, postTransfers } from './post.ts';
export type { CreditGrant, PostedTransfer } from './post.ts';
export { verifyLedger } from './verify.ts';
export type { Violation } from './verify.ts';

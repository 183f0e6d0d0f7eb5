/** The ledger: every movement of credits, and the proof that they add up. */
export { lockAccounts, MONTHLY_AVAILABLE, openAccount } from './accounts.ts';
export { endAllowance, startAllowance } from './allowance.ts';
export type { AllowanceGrant } from './allowance.ts';
export type { TransferInput } from './batch.ts';
export { extendHold, placeHold, settleHold } from './holds.ts';
export type {
  ExtensionRequest,
  HoldRefusal,
  HoldRequest,
  HoldResult,
  LimitRefusal,
  SettlementRequest,
  SettlementResult,
} from './holds.ts';
export { changeLimits, readLimits, roomForMemberKey, setLimits } from './limits.ts';
export type { LimitChange, SpendingLimits } from './limits.ts';
export { readSpent, restOf, spentOfKey } from './spent.ts';
export type { SpentRow } from './spent.ts';
export { adjustCredits, adjustmentTransfer, grantCredits, grantTransfer, postTransfers } from './post.ts';
export type { CreditAdjustment, CreditGrant, PostedTransfer } from './post.ts';
export { refusalNow } from './refusal.ts';
export type { WishedHold } from './refusal.ts';
export { verifyLedger } from './verify.ts';
export type { Violation } from './verify.ts';

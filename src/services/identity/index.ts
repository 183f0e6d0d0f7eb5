/** Accounts, their keys, and authentication. */
export { createAccount, revokeKey } from './accounts.ts';
export { ACCOUNT_STATE_EVENT, closeAccount, reactivateAccount, suspendAccount } from './account-state.ts';
export type { AccountChange, ChangedAccount, ClosedAccount } from './account-state.ts';
export type { AccountRequest, NewAccount } from './accounts.ts';
export { createIdentity } from './identity.ts';
export type { Identity } from './identity.ts';
export { countAuthenticating } from './revocations.ts';

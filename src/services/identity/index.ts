/** Accounts, their keys, and authentication. */
export { createAccount } from './accounts.ts';
export {
  ACCOUNT_STATE_EVENT,
  closeAccount,
  closeIn,
  reactivateAccount,
  suspendAccount,
} from './account-state.ts';
export type { AccountChange, ChangedAccount, ClosedAccount } from './account-state.ts';
export type { AccountRequest, NewAccount } from './accounts.ts';
export { listAccountKeys, revokeKey, revokeNamedKey, revokeThisKey } from './end-keys.ts';
export type { OperatorKey } from './end-keys.ts';
export { createIdentity } from './identity.ts';
export type { Identity } from './identity.ts';
export { listOpenKeysOf } from './key-records.ts';
export { closeBehind, whatKeeps } from './leave-own-account.ts';
export { lockAccount, lockOwnAccount } from './membership.ts';
export { countAuthenticating } from './revocations.ts';
export { createKeys, issueKey, listKeys, revokeOwnKey, rotateKey } from './manage-keys.ts';
export type { KeyCommand, KeyListQuery } from './manage-keys.ts';

/** Accounts, their keys, and authentication. */
export { createAccount, revokeKey } from './accounts.ts';
export { closeAccount } from './close-account.ts';
export type { AccountRequest, NewAccount } from './accounts.ts';
export { createIdentity } from './identity.ts';
export type { Identity } from './identity.ts';

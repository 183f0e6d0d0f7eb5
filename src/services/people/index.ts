/** People: signing up and in, their sessions and passwords, and the accounts that they belong to. */
export { createMembers } from './create-members.ts';
export type { Members, MembersDependencies } from './create-members.ts';
export { createSessionCookies } from './cookies.ts';
export type { SessionCookies } from './cookies.ts';
export type { InviteCommand } from './invitations.ts';
export { createPasswords } from './passwords.ts';
export type { Passwords } from './passwords.ts';
export { createPeople } from './people.ts';
export type { People, PeopleDependencies } from './people.ts';
export { createPost } from './post.ts';
export type { Post, WithMail } from './post.ts';
export { createSessionReader } from './session-reader.ts';
export type { SessionReader } from './session-reader.ts';
export { endSession, endSessions, listSessions } from './sessions.ts';
export type { SignedIn, SignInDependencies } from './sign-in.ts';
export { beginTotp, confirmTotp, disableTotp, totpState } from './totp.ts';
export type { TotpDependencies } from './totp.ts';
export { sweepPeople } from './sweep.ts';

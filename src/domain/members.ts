/** The people of an account, and who is invited to it. */
import type { AccountRole } from './access.ts';
import type { ApiKeyRecord } from './keys.ts';

/** Members and open invitations of one account together. */
export const MOST_MEMBERS = 100;

/** Invitations that an account may send within an hour. */
export const INVITATIONS_PER_HOUR = 50;

/** How long the code of an invitation can be used. */
export const INVITATION_DAYS = 7;

/** A person of the account. */
export interface MemberRecord {
  readonly userId: string;
  readonly email: string;
  readonly role: AccountRole;
  /** Whether it is the person who asks. */
  readonly current: boolean;
}

/** Everybody in the account. */
export interface MemberListResponse {
  readonly members: MemberRecord[];
}

/** Another role for a member. */
export interface ChangeMemberRequest {
  readonly role: AccountRole;
}

/** A member who has left, and the keys of that person, which go on until somebody ends them. */
export interface LeftMember {
  readonly userId: string;
  readonly email: string;
  readonly endedSessions: number;
  readonly keys: ApiKeyRecord[];
}

/** The person to invite, and the role. */
export interface InviteRequest {
  readonly email: string;
  readonly role: AccountRole;
}

/** State of an invitation. */
export type InvitationStatus = 'OPEN' | 'ACCEPTED' | 'EXPIRED' | 'ENDED';

/** Every status of an invitation. */
export const INVITATION_STATUSES = [
  'OPEN',
  'ACCEPTED',
  'EXPIRED',
  'ENDED',
] as const satisfies readonly InvitationStatus[];

/** An invitation, without its code. */
export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: AccountRole;
  readonly status: InvitationStatus;
  /** The id of the user who invited. */
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The open invitations of the account, newest first. */
export interface InvitationListResponse {
  readonly invitations: InvitationRecord[];
}

/** A code that came by mail, and the password of the person who was invited, or the one to begin with. */
export interface AcceptInvitationRequest {
  readonly code: string;
  readonly password: string;
}

/** The account that the person belongs to from now on. */
export interface JoinedAccount {
  readonly email: string;
  readonly account: { readonly id: string; readonly role: AccountRole };
}

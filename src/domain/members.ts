/** The people of an account, and who is invited to it. */
import type { AccountRole } from './access.ts';

/** Members and open invitations of one account together. */
export const MOST_MEMBERS = 100;

/** Invitations that an account may send within an hour. */
export const INVITATIONS_PER_HOUR = 50;

/** How long the code of an invitation can be used. */
export const INVITATION_DAYS = 7;

/** Another role for a member. */
export interface ChangeMemberRequest {
  readonly role: AccountRole;
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

/** A code that came by mail, and the password of the person who was invited, or the one to begin with. */
export interface AcceptInvitationRequest {
  readonly code: string;
  readonly password: string;
}

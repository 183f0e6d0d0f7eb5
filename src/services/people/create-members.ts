/** Members and invitations, with the mails that leave once an answer is out. */
import type { DataSource } from 'typeorm';

import type { SessionActor } from '../../domain/access.ts';
import type { AcceptInvitationRequest, ChangeMemberRequest } from '../../domain/members.ts';
import type { Visit } from '../../domain/people.ts';
import { acceptInvitation, endInvitation, invite, listInvitations } from './invitations.ts';
import type { InviteCommand } from './invitations.ts';
import { departureMail, invitationMail } from './mails.ts';
import { changeMember, listMembers, removeMember } from './members.ts';
import type { Passwords } from './passwords.ts';
import type { Post, WithMail } from './post.ts';
import type { Answers, JoinedAccount, LeftMember } from '../../domain/answers.ts';

type InvitationListResponse = Pick<Answers['listInvitations'], 'invitations'>;
type InvitationRecord = Answers['inviteMember'];
type MemberListResponse = Pick<Answers['listMembers'], 'members'>;
type MemberRecord = Answers['changeMember'];

/** Members of one deployment. */
export interface Members {
  list(actor: SessionActor): Promise<MemberListResponse>;
  /** @throws NOT_FOUND, OWNER_REQUIRED, LAST_OWNER. */
  change(
    actor: SessionActor,
    userId: string,
    change: ChangeMemberRequest & { readonly address: string },
  ): Promise<MemberRecord>;
  /** Tells every owner whose keys go on. @throws NOT_FOUND, OWNER_REQUIRED, LAST_OWNER. */
  remove(actor: SessionActor, userId: string, address: string): Promise<WithMail<LeftMember>>;
  invitations(actor: SessionActor): Promise<InvitationListResponse>;
  /** @throws ALREADY_MEMBER, MEMBER_LIMIT_REACHED, RATE_LIMITED. */
  invite(actor: SessionActor, command: InviteCommand): Promise<WithMail<InvitationRecord>>;
  /** @throws NOT_FOUND. */
  endInvitation(actor: SessionActor, invitationId: string, address: string): Promise<InvitationRecord>;
  /** @throws CODE_EXPIRED, SIGN_IN_REFUSED, ALREADY_MEMBER, OTHER_ACCOUNT. */
  accept(visit: Visit, body: AcceptInvitationRequest): Promise<JoinedAccount>;
}

export interface MembersDependencies {
  readonly db: DataSource;
  readonly passwords: Passwords;
  readonly post: Post;
  /** The address of the service, as mails name it. */
  readonly publicUrl: string;
}

/** Makes the service. */
export function createMembers({ db, passwords, post, publicUrl }: MembersDependencies): Members {
  return {
    list: (actor) => listMembers(db, actor),
    change: (actor, userId, change) => changeMember(db, actor, userId, change),
    async remove(actor, userId, address) {
      const { left, owners } = await removeMember(db, actor, userId, address);
      const tell = (): void => {
        for (const to of owners) post.send(departureMail(to, left, publicUrl));
      };
      return { response: left, afterwards: tell };
    },
    invitations: (actor) => listInvitations(db, actor),
    async invite(actor, command) {
      const { invitation, code } = await invite(db, actor, command);
      const mail = invitationMail(invitation.email, code, publicUrl);
      return { response: invitation, afterwards: () => post.send(mail) };
    },
    endInvitation: (actor, invitationId, address) => endInvitation(db, actor, invitationId, address),
    accept: (visit, body) => acceptInvitation({ db, passwords }, visit, body),
  };
}

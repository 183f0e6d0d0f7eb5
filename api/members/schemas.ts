/** Members of an account, and invitations to it. */
import Joi from 'joi';

import type {
  AcceptInvitationRequest,
  ChangeMemberRequest,
  InviteRequest,
} from '../../src/domain/members.ts';
import { INVITATION_STATUSES } from '../../src/domain/members.ts';
import { time, uuid, wholeList } from '../http/fields.ts';
import { apiKey } from '../keys/schemas.ts';
import { email, mailCode, newPassword } from '../people/fields.ts';

const role = Joi.string()
  .valid('owner', 'member')
  .required()
  .description(
    'owner decides on keys, members, billing and settings; member works and has keys of their own.',
  );

/** A person of the account. */
export const member = Joi.object({
  userId: uuid.required().description('Id of the person.'),
  email: Joi.string().required().description('E-mail address of the person.'),
  role,
  current: Joi.boolean().required().description('Whether it is you.'),
}).description('A person of the account.');

/** The answer of GET /members. */
export const memberListAnswer = Joi.object({
  members: Joi.array().items(member).required().description('Everybody in the account, at most 100.'),
})
  .append(wholeList)
  .description('The people of the account.');

/** The path of one member. */
export const memberPath = Joi.object<{ userId: string }, true>({
  userId: uuid.required().description('Id of the person.'),
});

/** PUT /members/{userId}. */
export const changeMemberBody = Joi.object<ChangeMemberRequest, true>({ role });

/** The answer of DELETE /members/{userId}. */
export const leftMemberAnswer = Joi.object({
  userId: uuid.required().description('Id of the person.'),
  email: Joi.string().required().description('E-mail address of the person.'),
  endedSessions: Joi.number().integer().required().description('Number of sessions that have ended.'),
  keys: Joi.array()
    .items(apiKey)
    .required()
    .description('The keys of the person that can be used. They go on until an owner revokes them.'),
}).description('A person who belongs to the account no more.');

/** POST /invitations. */
export const inviteBody = Joi.object<InviteRequest, true>({ email, role });

/** An invitation, without its code. */
export const invitation = Joi.object({
  id: uuid.required().description('Id of the invitation.'),
  email: Joi.string().required().description('E-mail address that the code was sent to.'),
  role,
  status: Joi.string()
    .valid(...INVITATION_STATUSES)
    .required()
    .description(
      'OPEN: it can be accepted. ACCEPTED: somebody has. EXPIRED: its time is over. ENDED: an owner ended it.',
    ),
  invitedBy: uuid.required().description('Id of the owner who invited.'),
  createdAt: time.required().description('When the owner invited.'),
  expiresAt: time.required().description('Until when the code can be used.'),
}).description('An invitation to the account.');

/** The answer of GET /invitations. */
export const invitationListAnswer = Joi.object({
  invitations: Joi.array()
    .items(invitation)
    .required()
    .description('Open invitations, newest first, at most 100.'),
})
  .append(wholeList)
  .description('The open invitations to the account.');

/** The path of one invitation. */
export const invitationPath = Joi.object<{ invitationId: string }, true>({
  invitationId: uuid.required().description('Id of the invitation.'),
});

/** POST /auth/invitations/accept. */
export const acceptInvitationBody = Joi.object<AcceptInvitationRequest, true>({
  code: mailCode,
  password: newPassword,
});

/** The answer of POST /auth/invitations/accept. */
export const joinedAnswer = Joi.object({
  email: Joi.string().required().description('E-mail address to sign in with.'),
  account: Joi.object({
    id: uuid.required().description('Id of the account.'),
    role,
  })
    .required()
    .description('The account that you belong to now.'),
}).description('You have joined the account; sign in now.');

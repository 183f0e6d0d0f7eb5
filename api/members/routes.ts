/** Members: who belongs to the account, as what, and who is invited. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { visitOf } from '../people/visit.ts';
import {
  acceptInvitationBody,
  changeMemberBody,
  invitation,
  invitationListAnswer,
  invitationPath,
  inviteBody,
  joinedAnswer,
  leftMemberAnswer,
  member,
  memberListAnswer,
  memberPath,
} from './schemas.ts';

const listMembers = defineEndpoint({
  method: 'GET',
  path: '/members',
  operationId: 'listMembers',
  tag: TAGS.members,
  summary: 'List the people of the account',
  description: 'Everybody who belongs to the account, with their roles.',
  access: 'session',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The people of the account.', schema: memberListAnswer } },
  errors: [],
  async handle({ members }, { actor }) {
    return whole(await members.list(actor));
  },
});

const changeMember = defineEndpoint({
  method: 'PUT',
  path: '/members/:userId',
  operationId: 'changeMember',
  tag: TAGS.members,
  summary: 'Change the role of a member',
  description: 'Makes a member an owner, or an owner a member. The last owner of an account stays one.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'stored',
  headers: [idempotencyHeader],
  params: memberPath,
  body: changeMemberBody,
  answers: { 200: { description: 'The member with the new role.', schema: member } },
  errors: ['LAST_OWNER', 'ACCOUNT_CLOSED'],
  async handle({ members }, { actor, params, body, address }) {
    return json(200, await members.change(actor, params.userId, { role: body.role, address }));
  },
});

const removeMember = defineEndpoint({
  method: 'DELETE',
  path: '/members/:userId',
  operationId: 'removeMember',
  tag: TAGS.members,
  summary: 'Leave the account, or remove a member',
  description:
    'An owner removes anybody, everybody leaves by themselves; the last owner stays, unless nobody else is in the account and it has no credits, debt, jobs, keys, paid plan or payment under way: leaving then closes the account for ever. All sessions of the person end at once. The keys of the person go on, and are named in the answer and to the owners by mail.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'none',
  params: memberPath,
  answers: { 200: { description: 'The person belongs to the account no more.', schema: leftMemberAnswer } },
  errors: ['OWNER_REQUIRED', 'LAST_OWNER', 'ACCOUNT_CLOSED'],
  async handle({ members }, { actor, params, address }) {
    const { response, afterwards } = await members.remove(actor, params.userId, address);
    return { ...json(200, response), afterwards };
  },
});

const inviteMember = defineEndpoint({
  method: 'POST',
  path: '/invitations',
  operationId: 'inviteMember',
  tag: TAGS.members,
  summary: 'Invite somebody',
  description:
    'Sends a code by mail, which is good for seven days and once. The new invitation takes the place of an open invitation of the same address. An account has at most 100 members and open invitations, and sends at most 50 invitations an hour.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'stored',
  headers: [idempotencyHeader],
  body: inviteBody,
  answers: { 201: { description: 'The invitation; its code is on its way.', schema: invitation } },
  errors: ['ALREADY_MEMBER', 'MEMBER_LIMIT_REACHED', 'ACCOUNT_CLOSED'],
  async handle({ members }, { actor, body, idempotencyKey, address }) {
    const { response, afterwards } = await members.invite(actor, { body, idempotencyKey, address });
    return { ...json(201, response), afterwards };
  },
});

const listInvitations = defineEndpoint({
  method: 'GET',
  path: '/invitations',
  operationId: 'listInvitations',
  tag: TAGS.members,
  summary: 'List open invitations',
  description: 'Whom the owners have invited who has not accepted yet.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'Open invitations.', schema: invitationListAnswer } },
  errors: [],
  async handle({ members }, { actor }) {
    return whole(await members.invitations(actor));
  },
});

const endInvitation = defineEndpoint({
  method: 'DELETE',
  path: '/invitations/:invitationId',
  operationId: 'endInvitation',
  tag: TAGS.members,
  summary: 'End an invitation',
  description:
    'Its code can be used no more. A repeat answers the same, and one that was accepted stays accepted.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'none',
  params: invitationPath,
  answers: { 200: { description: 'The invitation as it stands.', schema: invitation } },
  errors: ['ACCOUNT_CLOSED'],
  async handle({ members }, { actor, params, address }) {
    return json(200, await members.endInvitation(actor, params.invitationId, address));
  },
});

const acceptInvitation = defineEndpoint({
  method: 'POST',
  path: '/auth/invitations/accept',
  operationId: 'acceptInvitation',
  tag: TAGS.members,
  summary: 'Accept an invitation',
  description:
    'Joins the account with the code of the mail. Whoever is new here begins with the password that is sent; whoever has a password here sends that one. Nobody belongs to two accounts; OTHER_ACCOUNT says how to leave the other one. Sign in afterwards.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: acceptInvitationBody,
  answers: { 200: { description: 'You have joined the account.', schema: joinedAnswer } },
  errors: [
    ...(['SIGN_IN_REFUSED', 'CODE_EXPIRED', 'ALREADY_MEMBER', 'OTHER_ACCOUNT'] as const),
    ...(['ACCOUNT_SUSPENDED', 'ACCOUNT_CLOSED'] as const),
  ],
  async handle({ members }, request) {
    return json(200, await members.accept(visitOf(request), request.body));
  },
});

/** Endpoints of members and invitations. */
export const memberEndpoints: readonly Endpoint[] = [
  listMembers,
  inviteMember,
  listInvitations,
  endInvitation,
  changeMember,
  removeMember,
  acceptInvitation,
];

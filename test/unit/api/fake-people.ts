/** Services of people, members, keys and the audit log that only answer. */
import type { Services } from '../../../api/services.ts';

import type { Loose } from './samples.ts';
import type { Answers, SignInResponse } from '../../../src/domain/answers.ts';

type ApiKeyRecord = Answers['listApiKeys']['keys'][number];

type InvitationRecord = Answers['inviteMember'];
type MemberRecord = Answers['changeMember'];

export const JOB_ID = '018f2f3a-0000-7000-8000-000000000001';
export const AT = '2026-01-01T00:00:00.000Z';

const apiKey: ApiKeyRecord = {
  ...{
    id: JOB_ID,
    name: 'CI',
    environment: 'live',
    scopes: ['jobs:read'],
    prefix: 'svc_live_abcd',
    last4: 'wxyz',
  },
  ...{ status: 'ACTIVE', createdBy: JOB_ID, createdAt: AT, lastUsedAt: null, expiresAt: null },
  ...{
    revokedAt: null,
    monthlyLimitCents: null,
    monthSpentCents: null,
    monthRestCents: null,
    allowedCidrs: null,
  },
};

const member: MemberRecord = { userId: JOB_ID, email: 'ada@example.org', role: 'owner', current: true };
const invitation: InvitationRecord = {
  ...{ id: JOB_ID, email: 'bob@example.org', role: 'member', status: 'OPEN', invitedBy: JOB_ID },
  ...{ createdAt: AT, expiresAt: AT },
};

const signedIn: SignInResponse = {
  ...{ sessionId: JOB_ID, expiresAt: AT, user: { id: JOB_ID, email: 'ada@example.org' } },
  account: { id: JOB_ID, plan: 'free', role: 'owner' },
};

/** The services; mails that would leave after an answer are counted. */
export function fakePeople(
  calls: { mails: number },
  page: (query: unknown, key: string) => Promise<Loose>,
): Pick<Services, 'people' | 'members' | 'keys' | 'audit'> {
  return {
    members: {
      list: async () => ({ members: [member] }),
      change: async (_actor, _userId, { role }) => ({ ...member, role }),
      remove: async () => ({
        response: { userId: JOB_ID, email: member.email, endedSessions: 1, keys: [apiKey] },
        afterwards: () => (calls.mails += 1),
      }),
      invitations: async () => ({ invitations: [invitation] }),
      invite: async () => ({ response: invitation, afterwards: () => (calls.mails += 1) }),
      endInvitation: async () => ({ ...invitation, status: 'ENDED' }),
      accept: async () => ({ email: member.email, account: { id: JOB_ID, role: 'member' } }),
    },
    audit: { list: async (_actor, query) => page(query, 'entries') },
    people: {
      signUp: async () => ({ response: { message: 'Look.' }, afterwards: () => (calls.mails += 1) }),
      verify: async () => ({ email: 'ada@example.org' }),
      signIn: async () => ({ cookie: 'person_owner', response: signedIn }),
      startOidc: async () => ({ location: 'https://provider.example/', cookie: 'begun' }),
      oidcCallback: async () => ({ cookie: 'person_owner', response: signedIn }),
      finishOidc: async () => ({ cookie: 'person_owner', response: signedIn }),
      forgotPassword: async () => ({ response: { message: 'Look.' }, afterwards: () => (calls.mails += 1) }),
      resetPassword: async () => undefined,
      sessions: async () => ({ sessions: [] }),
      endSession: async (_actor, id) => ({ id: id.length === JOB_ID.length ? id : JOB_ID, endedAt: AT }),
      endSessions: async () => ({ ended: 1 }),
      totp: async () => ({ enabled: false, recoveryCodesLeft: 0 }),
      beginTotp: async () => ({ secret: 'ABCD', uri: 'otpauth://totp/x?secret=ABCD' }),
      confirmTotp: async () => ({ recoveryCodes: ['abcd-efgh-ijkl-mnop'] }),
      disableTotp: async () => ({ enabled: false, recoveryCodesLeft: 0 }),
      approveCli: async () => ({ code: 'c'.repeat(43), expiresInSeconds: 120 }),
      beginCliSession: async () => ({ cookie: 'person_owner', response: signedIn }),
    },
    keys: {
      list: async (_actor, query) => page(query, 'keys'),
      issue: async () => ({ ...apiKey, key: 'svc_live_shown-once' }),
      revoke: async (_actor, id) => ({ id, status: 'REVOKED', revokedAt: AT }),
      rotate: async (_actor, id) => ({
        ...{ ...apiKey, key: 'svc_live_shown-once' },
        replaces: { id, expiresAt: AT },
      }),
      revokeThis: async ({ keyId }) => ({ id: keyId, status: 'REVOKED', revokedAt: AT }),
    },
  };
}

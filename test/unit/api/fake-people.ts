/** Members whose changes only answer, and the ids and times of all fakes. */
import type { Answers } from '../../../src/domain/answers.ts';
import type { Faked } from './fake-services.ts';

export const JOB_ID = '018f2f3a-0000-7000-8000-000000000001';
export const AT = '2026-01-01T00:00:00.000Z';

const invitation: Answers['inviteMember'] = {
  ...{ id: JOB_ID, email: 'bob@example.org', role: 'member', status: 'OPEN', invitedBy: JOB_ID },
  ...{ createdAt: AT, expiresAt: AT },
};

/** Members of an account; mails that would leave after an answer are counted. */
export function fakeMembers(calls: { mails: number }): NonNullable<Faked['members']> {
  return {
    change: async (_actor, _userId, { role }) => ({
      ...{ userId: JOB_ID, email: 'ada@example.org', role, current: true },
    }),
    invite: async () => ({ response: invitation, afterwards: () => (calls.mails += 1) }),
  };
}

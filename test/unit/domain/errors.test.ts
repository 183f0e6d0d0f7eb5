import { expect } from 'chai';

import {
  callerOf,
  requireLive,
  requireOwner,
  requireScope,
  requireSession,
} from '../../../src/domain/access.ts';
import type { KeyActor, SessionActor } from '../../../src/domain/access.ts';
import { ERROR_CODES } from '../../../src/domain/codes/errors.ts';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { AppError, envelopeOf } from '../../../src/domain/errors.ts';

const STATUSES: Readonly<Record<string, readonly ErrorCode[]>> = {
  400: ['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_MISMATCH', 'IDEMPOTENCY_KEY_REQUIRED'],
  401: ['UNAUTHORIZED'],
  402: ['INSUFFICIENT_CREDITS', 'NO_PAYMENT_METHOD'],
  403: [
    'INSUFFICIENT_SCOPE',
    'TEST_KEY_LIVE_BILLING',
    'SESSION_REQUIRED',
    'OWNER_REQUIRED',
    'ACCOUNT_SUSPENDED',
    'ACCOUNT_CLOSED',
  ],
  404: ['NOT_FOUND', 'INPUT_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: ['IDEMPOTENCY_IN_PROGRESS', 'UPLOAD_INCOMPLETE', 'JOB_NOT_RESUMABLE', 'VERSION_CONFLICT', 'FENCED'],
  410: ['UPLOAD_EXPIRED', 'UPLOAD_ABORTED'],
  413: ['PAYLOAD_TOO_LARGE', 'STORAGE_QUOTA_EXCEEDED'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: [
    'PIPELINE_DISABLED',
    'UNSUPPORTED_SIMULATOR',
    'JOB_TYPE_UNAVAILABLE',
    'SCENE_FILE_REQUIRED',
    'INPUT_MISSING',
    'INPUT_CONFLICT',
    'TASK_COUNT_MISMATCH',
    'ARTIFACT_MISMATCH',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    'COST_LIMIT_EXCEEDED',
    'REFUND_EXCEEDS_UNSPENT',
    'UNKNOWN_TIER',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE'],
};

const actor: KeyActor = {
  accountId: 'a',
  userId: 'u',
  kind: 'key',
  keyId: 'k',
  environment: 'test',
  scopes: ['jobs:read'],
  plan: 'free',
};

const owner: SessionActor = {
  accountId: 'a',
  userId: 'u',
  kind: 'session',
  sessionId: 's',
  isRecent: true,
  role: 'owner',
  plan: 'free',
};
const member: SessionActor = { ...owner, role: 'member' };

const codeOf = (action: () => void): string | null => {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : 'none';
  }
};

describe('errors', () => {
  for (const [status, codes] of Object.entries(STATUSES)) {
    it(`answers ${status} for ${codes.join(', ')}`, () => {
      for (const code of codes) expect(ERROR_CODES[code].status, code).to.equal(Number(status));
    });
  }

  it('calls only those errors retryable that the same call may outlive', () => {
    expect(new AppError('RATE_LIMITED', 'Wait.').retryable).to.equal(true);
    expect(new AppError('INSUFFICIENT_CREDITS', 'Top up.').retryable).to.equal(false);
  });

  it('shows the public message and the code, never the cause', () => {
    const error = new AppError('INTERNAL_ERROR', 'The service failed.', { cause: new Error('secret') });
    expect(envelopeOf(error)).to.deep.equal({ error: 'The service failed.', code: 'INTERNAL_ERROR' });
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('tells the present version of a resource that has moved', () => {
    expect(envelopeOf(new AppError('VERSION_CONFLICT', 'Moved.', { currentVersion: 7 }))).to.deep.equal({
      error: 'Moved.',
      code: 'VERSION_CONFLICT',
      currentVersion: 7,
    });
  });

  it('refuses an actor without the scope and a test key that would bill', () => {
    expect(codeOf(() => requireScope(actor, 'jobs:write'))).to.equal('INSUFFICIENT_SCOPE');
    expect(codeOf(() => requireScope(actor, 'jobs:read'))).to.equal(null);
    expect(codeOf(() => requireLive(actor))).to.equal('TEST_KEY_LIVE_BILLING');
  });

  it('lets a person do what every scope permits, and bill', () => {
    for (const person of [owner, member]) {
      expect(codeOf(() => requireScope(person, 'projects:write'))).to.equal(null);
      expect(codeOf(() => requireLive(person))).to.equal(null);
    }
  });

  it('keeps for people what no key may do, and for owners what no member may do', () => {
    expect(codeOf(() => requireSession(actor))).to.equal('SESSION_REQUIRED');
    expect(codeOf(() => requireOwner({ ...actor, environment: 'live' }))).to.equal('SESSION_REQUIRED');
    expect(codeOf(() => requireSession(member))).to.equal(null);
    expect(codeOf(() => requireOwner(member))).to.equal('OWNER_REQUIRED');
    expect(codeOf(() => requireOwner(owner))).to.equal(null);
  });

  it('names the key or the session of a call', () => {
    expect(callerOf(actor)).to.deep.equal({ kind: 'key', id: 'k' });
    expect(callerOf(owner)).to.deep.equal({ kind: 'session', id: 's' });
  });
});

/**
 * Every entity writes and reads each of its columns as its interface says; a column that is left out gets its default.
 */
import { expect } from 'chai';
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { AccountEntity, ApiKeyEntity, RevocationEpochEntity, UserEntity } from '../../entities/accounts.ts';
import { DatabaseEntity } from '../../entities/databases.ts';
import { EventEntity } from '../../entities/events.ts';
import { IdempotencyKeyEntity } from '../../entities/idempotency.ts';
import { ENTITIES } from '../../entities/index.ts';
import {
  InstanceEntity,
  InstanceFrameEntity,
  RecoveryEntity,
  ServiceHeartbeatEntity,
} from '../../entities/instances.ts';
import { JobEntity, JobExecutionEntity } from '../../entities/jobs.ts';
import { HoldEntity, HoldPartEntity, LedgerEntryEntity } from '../../entities/ledger.ts';
import { InspectionEntity } from '../../entities/inspections.ts';
import { PreparationEntity } from '../../entities/preparations.ts';
import { ArtifactEntity, JobInputObjectEntity, StoredObjectEntity } from '../../entities/storage.ts';
import { StoredReceiptEntity, StoredReceiptKeyEntity } from '../../entities/receipts.ts';
import { StoredFxRateEntity } from '../../entities/rates.ts';
import { StoredRequestEntity, SweepPassEntity } from '../../entities/sweep.ts';
import { TaskEntity, TaskLogChunkEntity } from '../../entities/tasks.ts';
import { ToolOfferEntity } from '../../entities/tools.ts';
import { FileTurnEntity } from '../../entities/turns.ts';
import { AccountRemovalEntity, UploadEntity } from '../../entities/uploads.ts';
import { WebhookFanOutEntity } from '../../entities/webhooks.ts';
import { CAPACITY_SAMPLES } from '../support/capacity-samples.ts';
import { CATALOGUE_ENTRY } from '../support/catalogue-entry.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { DOCKING_SAMPLES } from '../support/docking-samples.ts';
import { doorSamples } from '../support/door-samples.ts';
import {
  AT,
  BIG,
  JSON_VALUE,
  LEDGER_SAMPLES,
  accountId,
  holdId,
  jobId,
  keyId,
  otherAccountId,
  periodId,
  sample,
  transferId,
  userId,
} from '../support/entity-samples.ts';
import type { Sample } from '../support/entity-samples.ts';
import { PLAN_SAMPLES } from '../support/plan-samples.ts';
import { PROJECT_SAMPLES } from '../support/project-samples.ts';
import { refusalOf } from '../support/refusals.ts';

const ASKED = { startBy: AT, createdAt: AT, usedAt: AT };
/** The samples stand in the order of their references. */
const SAMPLES: readonly Sample[] = [
  sample(
    AccountEntity,
    { id: accountId, plan: 'pro', state: 'SUSPENDED', createdAt: AT },
    ...[{ plan: 'free', state: 'ACTIVE' }, { id: otherAccountId }],
  ),
  sample(
    UserEntity,
    {
      ...{ id: userId, accountId, email: 'someone@example.com', createdAt: AT },
      ...{ role: 'member', passwordHash: 'p', emailVerifiedAt: AT },
      ...{ totpSecret: 's', totpEnabledAt: AT, totpLastStep: BIG },
    },
    {
      ...{ accountId: null, role: 'owner', passwordHash: null, emailVerifiedAt: null },
      ...{ totpSecret: null, totpEnabledAt: null, totpLastStep: null },
    },
    { id: uuidv7(), email: 'another@example.com' },
  ),
  sample(
    ApiKeyEntity,
    {
      ...{ id: keyId, accountId, userId, name: 'CI', environment: 'live' },
      scopes: ['jobs:read', 'convert'],
      ...{ secretSha256: 'a', prefix: 'svc_live_ab', last4: 'wxyz' },
      ...{ createdAt: AT, lastUsedAt: AT, expiresAt: AT, revokedAt: AT },
      ...{ allowedCidrs: ['192.0.2.0/24'], requestSha256: 'c', firstKeyId: keyId },
    },
    {
      ...{ lastUsedAt: null, expiresAt: null, revokedAt: null },
      ...{ allowedCidrs: null, requestSha256: null, firstKeyId: null },
    },
    { id: uuidv7(), secretSha256: 'b' },
  ),
  ...doorSamples(accountId, userId, AT),
  ...LEDGER_SAMPLES,
  ...PLAN_SAMPLES,
  sample(
    JobEntity,
    {
      ...{ id: jobId, accountId, userId, jobType: 'simulation', jobName: 'A job', simulator: 'noop' },
      ...{ toolId: 'noop', provider: 'local', status: 'PAUSED', statusReason: 'why', execution: 2 },
      ...{ pauseReason: 'OPERATOR', storeFullAt: AT, callerKind: 'key', callerId: otherAccountId },
      ...{
        request: JSON_VALUE,
        requestKey: null,
        fingerprint: 'f',
        idempotencyKey: 'k',
        submitResponse: JSON_VALUE,
      },
      ...{ firstRunId: 'run', unit: 'task', taskTotal: 3, tasksVerified: 2, stoppedAfter: 3, tasksFailed: 1 },
      ...{
        recoveryMode: 'resumable',
        recoveryCount: 4,
        effectiveSeed: -5,
        warnings: [JSON_VALUE],
        internal: true,
        version: BIG,
        transition: 7,
      },
      ...{
        cancelRequestedAt: AT,
        cancelReason: 'enough',
        statusAt: AT,
        submittedAt: AT,
        startedAt: AT,
        updatedAt: AT,
        finishedAt: AT,
      },
    },
    {
      ...{ jobName: null, simulator: null, statusReason: null, pauseReason: null, execution: 1 },
      ...{ storeFullAt: null, effectiveSeed: null },
      ...{
        idempotencyKey: null,
        tasksVerified: 0,
        ...{ stoppedAfter: null, tasksFailed: 0 },
        recoveryMode: 'standard',
        recoveryCount: 0,
      },
      ...{
        warnings: [],
        version: 1,
        transition: 0,
        cancelRequestedAt: null,
        cancelReason: null,
      },
      ...{ startedAt: null, finishedAt: null },
    },
    { id: uuidv7() },
  ),
  sample(
    JobExecutionEntity,
    {
      ...{
        jobId,
        n: 1,
        holdId,
        quote: JSON_VALUE,
        estimatedMicro: BIG,
        currency: 'GBP',
        priceBookVersion: 'book',
      },
      ...{ fxRateMicro: 790_000, outcome: 'PAUSED', startedAt: AT, settledAt: AT },
      ...{ plan: JSON_VALUE, charged: JSON_VALUE, chargedMicro: BIG, limitPence: BIG, coversDispatch: true },
      receiptDue: true,
    },
    {
      outcome: null,
      settledAt: null,
      plan: null,
      charged: null,
      chargedMicro: null,
      ...{ limitPence: null, coversDispatch: false, receiptDue: false },
    },
    { n: 2 },
  ),
  sample(
    StoredReceiptKeyEntity,
    { keyId: 'key-1', publicKey: 'A'.repeat(43), createdAt: AT },
    {},
    { keyId: 'key-2' },
  ),
  ...PROJECT_SAMPLES,
  sample(
    StoredReceiptEntity,
    { jobId, execution: 1, keyId: 'key-1', signature: 's', document: '{}', issuedAt: AT },
    {},
    { execution: 2 },
  ),
  sample(
    TaskEntity,
    {
      ...{ jobId, kind: 'task', ordinal: 0, itemId: 'ligand-1', state: 'FAILED', execution: 2 },
      ...{ attempts: 3, losses: 2, kills: 1, superseded: true },
      ...{ slot: 4, generation: 5, progressPercent: 12.5, summary: JSON_VALUE, failureCode: 'TOOL_FAILED' },
      ...{ failureMessage: 'why', logBytes: BIG, startedAt: AT, finishedAt: AT },
      ...{ priceClass: 'small', toolRun: uuidv7(), toolStartedAt: AT, toolEndedAt: AT, meteredMs: BIG },
      ...{ chargedIn: 2, coveredIn: 2, reuseKey: 'key', checkpoint: JSON_VALUE, checkpointAt: AT },
      ...{ keptMs: BIG, coveredMs: BIG, paidMs: BIG },
    },
    {
      ...{ state: 'PENDING', execution: 1, attempts: 0, losses: 0, kills: 0, slot: null, generation: null },
      ...{ progressPercent: 0, summary: null, failureCode: null, failureMessage: null, logBytes: 0 },
      ...{ startedAt: null, finishedAt: null, priceClass: null, superseded: false },
      ...{ toolRun: null, toolStartedAt: null, toolEndedAt: null, meteredMs: null },
      ...{ chargedIn: null, coveredIn: null, reuseKey: null, checkpoint: null, checkpointAt: null },
      ...{ keptMs: 0, coveredMs: null, paidMs: 0 },
    },
    { ordinal: 1 },
  ),
  sample(TaskLogChunkEntity, {
    ...{ jobId, kind: 'task', ordinal: 0, attempt: 1, fromByte: BIG - 1, toByte: BIG, storageKey: 'logs/1' },
  }),
  ...DOCKING_SAMPLES,
  sample(InstanceFrameEntity, { digest: '0'.repeat(64), content: '#!/bin/bash' }),
  sample(
    InstanceEntity,
    {
      ...{ jobId, slot: 0, generation: 1, provider: 'local', providerId: 'p', launchToken: 't' },
      state: 'TERMINATED',
      ...{ vcpus: 2, launchedAt: AT, lastContactAt: AT, drainedAt: AT, terminatedAt: AT },
      ...{ fencedAt: AT, fenceCause: 'LOST' },
      ...{ instanceType: 'c7i.large', market: 'SPOT', stagingDueAt: AT, bootstrapNonce: 'n' },
      ...{ gpus: 1, instanceClass: 'gpu', candidate: 2, round: 1, terms: JSON_VALUE, askedAt: AT },
      ...{ cpuClass: 'intel', zone: 'us-west-2a', refusal: 'none free' },
      ...{ frameDigest: '0'.repeat(64), credentialKey: 'k' },
    },
    {
      ...{
        instanceType: null,
        ...{ gpus: 0, instanceClass: 'cpu', candidate: 0, round: 0, terms: null, askedAt: null },
        ...{ cpuClass: null, zone: null, refusal: null, frameDigest: null, credentialKey: null },
        market: 'ON_DEMAND',
        providerId: null,
        state: 'LAUNCHING',
        lastContactAt: null,
        drainedAt: null,
        fencedAt: null,
        fenceCause: null,
        bootstrapNonce: null,
      },
      terminatedAt: null,
    },
    { generation: 2, launchToken: 'u' },
  ),
  sample(
    RecoveryEntity,
    {
      ...{ id: uuidv7(), jobId, execution: 1, slot: 0, generation: 1, cause: 'LOST' },
      ...{ tasksKept: 2, tasksRequeued: 3 },
      ...{ kind: 'LOSS', secondsLost: 0.1, chargedPence: 0, delivered: true, wentOnAt: AT, createdAt: AT },
    },
    { kind: 'LOSS', chargedPence: 0, delivered: null, wentOnAt: null },
    { id: uuidv7(), generation: 2 },
  ),
  sample(ServiceHeartbeatEntity, { service: 'gateway', upSince: AT, beatAt: AT }),
  ...CAPACITY_SAMPLES,
  sample(
    StoredObjectEntity,
    {
      ...{ storageKey: 'a/b', accountId, uploadId: uuidv7(), filename: 'b', contentType: 'text/plain' },
      ...{ byteSize: BIG, announcedSha256: 'a', sha256: 'b', projectId: uuidv7(), logicalPath: 'x/y' },
      ...{ etag: '"e"', state: 'VERIFIED', expiresAt: AT, createdAt: AT, verifiedAt: AT },
    },
    {
      ...{ announcedSha256: null, sha256: null, projectId: null, logicalPath: null, state: 'ANNOUNCED' },
      ...{ etag: null, expiresAt: null, verifiedAt: null },
    },
    { storageKey: 'a/c', uploadId: uuidv7() },
  ),
  sample(
    UploadEntity,
    {
      ...{ id: uuidv7(), accountId, storageKey: 'a/b', state: 'COMPLETED', provider: 'aws' },
      ...{ partSize: BIG, partCount: 1, checksumAlgorithm: 'sha256', jobType: 'render', fingerprint: 'f' },
      ...{ firstRunId: 'r', storeUploadId: 's', partsSha256: 'p', etag: '"e"', integrity: 'size' },
      parts: [{ partNumber: 1, etag: null, byteSize: 1, checksumSha256: null }],
      ...{ endCode: 'SIZE_MISMATCH', endMessage: 'm', createdAt: AT, expiresAt: AT, endedAt: AT },
      clearedAt: AT,
    },
    {
      ...{ state: 'OPENING', checksumAlgorithm: null, jobType: null, storeUploadId: null, parts: null },
      ...{ partsSha256: null, etag: null, integrity: null, endCode: null, endMessage: null, endedAt: null },
      clearedAt: null,
    },
    { id: uuidv7(), storageKey: 'a/c' },
  ),
  sample(AccountRemovalEntity, { accountId, requestedAt: AT, sweptAt: AT }),
  sample(
    FileTurnEntity,
    { id: jobId, accountId, holder: userId, askedAt: AT, until: AT },
    { holder: null },
    { id: otherAccountId },
  ),
  sample(
    JobInputObjectEntity,
    { jobId, storageKey: 'a/b', byteSize: BIG, sha256: 'b', name: 'receptor/source' },
    { sha256: null, name: null },
    { storageKey: 'a/c' },
  ),
  sample(
    InspectionEntity,
    { id: uuidv7(), accountId, cacheKey: 'i', jobId, ...ASKED, kind: 'inspection' },
    {},
    { id: uuidv7(), jobId: uuidv7() },
  ),
  sample(PreparationEntity, { accountId, cacheKey: 'c', jobId, createdAt: AT }, {}, { cacheKey: 'd' }),
  sample(
    ArtifactEntity,
    {
      ...{ id: uuidv7(), accountId, jobId, taskKind: 'task', taskOrdinal: 0, storageKey: 'a/b' },
      ...{ name: 'b', kind: 'poses' },
      ...{ label: 'A label', itemId: 'ligand-1', mediaType: 'text/plain', format: 'sdf' },
      ...{ byteSize: BIG, sha256: 'b', createdAt: AT },
    },
    { ...{ jobId: null, taskKind: null, taskOrdinal: null }, ...{ label: null, itemId: null, format: null } },
    { id: uuidv7() },
  ),
  sample(
    IdempotencyKeyEntity,
    {
      ...{ accountId, environment: 'live', operation: 'submit', key: 'k', fingerprint: 'f', lockedUntil: AT },
      ...{ responseStatus: 200, responseBody: JSON_VALUE, createdAt: AT, expiresAt: AT },
    },
    { responseStatus: null, responseBody: null, lockedUntil: null },
    { key: 'l' },
  ),
  sample(StoredRequestEntity, { requestKey: 'requests/a', jobId, storedAt: AT }),
  sample(SweepPassEntity, { name: 'staging/', begunAt: AT }),
  sample(ToolOfferEntity, {
    ...{ provider: 'local', toolId: 'noop', variant: '', available: true, reason: null, version: '1.0' },
    ...{ digest: 'a'.repeat(64), seenAt: AT },
  }),
  sample(DatabaseEntity, CATALOGUE_ENTRY),
];

/** What the database draws or holds from the start is read, not written, below; events in a file of their own. */
const OTHERS = [EventEntity, StoredFxRateEntity, HoldPartEntity, LedgerEntryEntity, RevocationEpochEntity];

describe('entities', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: 2 });
  });
  after(() => test.close());

  const keyOf = (entity: EntitySchema<ObjectLiteral>, row: ObjectLiteral): ObjectLiteral =>
    Object.fromEntries(
      test.db
        .getMetadata(entity)
        .primaryColumns.map(({ propertyName }) => [propertyName, row[propertyName] as unknown]),
    );

  it('are all tried here', () => {
    const tried = [...SAMPLES.map(({ entity }) => entity), ...OTHERS, WebhookFanOutEntity];
    expect(tried.map(({ options }) => options.name).sort()).to.deep.equal(
      ENTITIES.map(({ options }) => options.name).sort(),
    );
  });

  for (const { entity, full, defaults, second } of SAMPLES) {
    it(`${entity.options.name}: every column comes back as it was written`, async () => {
      const repository = test.db.getRepository(entity);
      expect(Object.keys(full)).to.have.members(Object.keys(entity.options.columns));
      await repository.insert(full);
      expect(await repository.findOneByOrFail(keyOf(entity, full))).to.deep.equal(full);
    });

    if (defaults === undefined) continue;
    it(`${entity.options.name}: what is left out gets its default`, async () => {
      const repository = test.db.getRepository(entity);
      const row = { ...full, ...second };
      const given = Object.entries(row).filter(([name]) => !(name in defaults));
      await repository.insert(Object.fromEntries(given));
      expect(await repository.findOneByOrFail(keyOf(entity, row))).to.deep.equal({ ...row, ...defaults });
    });
  }

  it("LedgerEntry: the lines of a transfer, a customer's with the balance after it", async () => {
    const entries = await test.db.getRepository(LedgerEntryEntity).find({ order: { ordinal: 'ASC' } });
    const entry = { transferId, accountId, holdId, version: BIG, kind: 'promo', createdAt: AT };
    expect(entries).to.deep.equal([
      { ...entry, ordinal: 1, account: 'wallet', amountPence: BIG, balanceAfterPence: BIG },
      { ...entry, ordinal: 2, account: 'bonus_expense', amountPence: -BIG, balanceAfterPence: null },
    ]);
  });

  it('HoldPart: the first part of a hold and its extensions', async () => {
    const repository = test.db.getRepository(HoldPartEntity);
    const parts = await repository.find({ where: { holdId }, order: { part: 'ASC' } });
    const part = { holdId, accountId, jobId, monthlyPeriod: periodId, createdAt: AT };
    expect(parts.slice(0, 2)).to.deep.equal([
      {
        ...{ ...part, part: 0, walletPence: 7, walletChargedPence: 4, walletReleasedPence: 3 },
        ...{ monthlyPence: BIG - 17, monthlyChargedPence: BIG - 19, monthlyReleasedPence: 2 },
      },
      {
        ...{ ...part, part: 1, walletPence: 6, walletChargedPence: 5, walletReleasedPence: 1 },
        ...{ monthlyPence: 4, monthlyChargedPence: 4, monthlyReleasedPence: 0 },
      },
    ]);
  });

  it('the revocation epoch is one row, for ever', async () => {
    const epochs = test.db.getRepository(RevocationEpochEntity);
    expect(await epochs.find()).to.deep.equal([{ onlyRow: true, epoch: 0 }]);
    for (const onlyRow of [true, false])
      expect(await refusalOf(epochs.insert({ onlyRow, epoch: 1 }))).to.be.instanceOf(Error);
  });

  it('refuse to write a number that is not exact', async () => {
    const holds = test.db.getRepository(HoldEntity);
    const hold = { id: uuidv7(), accountId, jobId: uuidv7(), execution: 1, walletPence: 0 };
    for (const monthlyPence of [BIG + 1, 0.5, Number.NaN])
      expect(String(await refusalOf(holds.insert({ ...hold, monthlyPence })))).to.contain('safe integer');
  });
});

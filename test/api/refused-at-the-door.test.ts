/**
 * The one table of 400 and 404: what every endpoint refuses to those whom the endpoint lets in, before it does anything,
 * generated from the list of endpoints, so that a new endpoint is in the table the moment it is declared. Whom an endpoint
 * lets in, with every 401 and 403, is the table of `doors-matrix.test.ts`. Refusals of single fields are the tests of their
 * endpoint's schema, and generated requests (`contract.test.ts`) hold every answer against the document.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { TopupEntity } from '../../entities/payments.ts';
import { resultIdOf } from '../../src/domain/docking-ids.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { documentedRequest } from '../support/documented.ts';
import { dock, dockedRecord } from '../support/docking-batch.ts';
import { sessionOf } from '../support/session-of.ts';
import { multipartClient } from '../support/multipart.ts';
import { wholePath } from '../../api/http/endpoint.ts';

type Endpoint = (typeof endpoints)[number];

/** Bodies in the place of the document's examples: an export that is let in is made, and the records here have no poses for SDF. */
const BODIES: Readonly<Record<string, unknown>> = {
  exportDockingBatch: { format: 'csv' },
  exportDockingRun: { format: 'csv' },
  // No name is looked up.
  changeWebhook: { url: 'https://169.254.169.254/', types: ['topup.paid'] },
};
const SMILES = { ligandId: 'l0', label: 'L', source: { kind: 'smiles', smiles: 'CCO' }, preparation: {} };
const BATCH = { name: 'a batch', engine: 'noop', metadata: { noop: { seconds: 0 } }, ligands: [SMILES] };
const EXPERIMENT = {
  name: 'an experiment',
  receptor: { source: { kind: 'pdb', pdbId: '1A28' } },
  ligand: SMILES,
  parameters: { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: {} },
};
const PLACES = /:(\w+)/g;
const hasPlaces = ({ path }: Endpoint): boolean => path.includes(':');

/** Paths that name nothing of an account: those that anybody may read, the month of a statement, entries of the archive. */
const isOfNobody = ({ access, operationId }: Endpoint): boolean =>
  access === 'none' || ['getCreditStatement', 'readStructure', 'getStructureFacts'].includes(operationId);
const isForPeople = ({ access }: Endpoint): boolean => access === 'session' || access === 'owner';

describe('every endpoint', () => {
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  /** What the owner has, by the name of its place in a path. */
  let owned: Readonly<Record<string, string>>;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account()]);
    const submitted = await api.submit(owner.liveKey, noopJob());
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    const { jobId } = submitted.body;
    const [upload, storageKey] = await Promise.all([
      multipartClient(api, owner.liveKey).init(),
      api.upload(owner.liveKey, 'HEADER\nEND\n', { filename: 'a.pdb' }),
      api.reaches(owner.liveKey, jobId, 'SUCCEEDED'),
    ]);
    const { artifact } = (
      await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', { storageKey, format: 'pdb' })
    ).body;
    const source = { kind: 'artifact', artifact };
    await api.call(owner.liveKey, 'POST', 'molecular/docking/receptors/inspect', { source });
    const [inspection] = await api.db.query<{ id: string }[]>(
      'select id from inspections where account_id = $1',
      [owner.accountId],
    );
    const [conversion] = await api.db.query<{ id: string }[]>(
      `insert into inspections (id, account_id, cache_key, job_id, start_by, kind)
       values (gen_random_uuid(), $1, 'k', gen_random_uuid(), now() + interval '1 day', 'conversion') returning id`,
      [owner.accountId],
    );
    owned = {
      ...{ jobId, index: '0', uploadId: upload.body.uploadId, artifactId: artifact.artifactId },
      inspectionId: inspection?.id ?? expect.fail('no inspection'),
      conversionId: conversion?.id ?? expect.fail('no conversion'),
      sessionId: (await sessionOf(api, owner.accountId)).sessionId,
      keyId: await testKeyOf(owner),
      ...{ month: new Date().toISOString().slice(0, 7), version: '2026-11-26.3' },
      pdbId: '2xyz',
      ...(await invitedBy(owner)),
      licenseServerId: await licenseServerOf(owner),
      ...(await webhookOf(owner)),
      topupId: await topupOf(owner),
      ...(await sharedBy(owner)),
      ...(await dockedBy(owner)),
    };
  });

  /** An experiment, and a batch with its run and one result. */
  const dockedBy = async ({ liveKey }: NewAccount): Promise<Readonly<Record<string, string>>> => {
    const experiment = await api.call(liveKey, 'POST', 'molecular/docking/experiments', EXPERIMENT);
    expect(experiment.status, JSON.stringify(experiment.body)).to.equal(201);
    const { status, body } = await api.call(liveKey, 'POST', 'molecular/docking/batches', BATCH);
    expect(status, JSON.stringify(body)).to.equal(202);
    await api.ends(liveKey, body.jobId, 60);
    await dock(api.db, body.jobId, { 0: dockedRecord([-7], [[725]]) });
    const resultId = resultIdOf(body.jobId, 0);
    await api.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
       select $1::uuid, account_id, id, 'task', 0, $1::uuid::text, 'poses.sdf', 'poses', 'chemical/x-mdl-sdfile', 'sdf', 1, repeat('a', 64) from jobs where id = $2`,
      [randomUUID(), body.jobId],
    );
    const path = `molecular/docking/batches/${body.batch.id}/export`;
    const exported = await api.call(liveKey, 'POST', path, { format: 'csv' });
    expect(exported.status, JSON.stringify(exported.body)).to.equal(202);
    const { body: listed } = await api.call(liveKey, 'GET', `molecular/docking/results/${resultId}/poses`);
    return {
      ...{ experimentId: experiment.body.experiment.id, batchId: body.batch.id, runId: body.batch.run_id },
      ...{ resultId, poseId: listed.poses[0].id, exportId: exported.body.export.id },
    };
  };

  const pathOf = (endpoint: Endpoint, places: Readonly<Record<string, string>>): string => {
    // The version of a price book and that of a revision have one name.
    const known =
      endpoint.operationId.includes('ProjectRevision') && places['version'] === owned['version']
        ? { ...places, version: '1' }
        : places;
    return wholePath(API_BASE, endpoint).replaceAll(PLACES, (_, name: string) => known[name] ?? `no ${name}`);
  };
  const testKeyOf = async ({ accountId }: NewAccount): Promise<string> => {
    const [key] = await api.db.query<{ id: string }[]>(
      `select id from api_keys where account_id = $1 and environment = 'test'`,
      [accountId],
    );
    return key?.id ?? expect.fail('no key');
  };
  /** The first user of an account, and an invitation by that person. */
  const invitedBy = async ({ accountId }: NewAccount): Promise<Readonly<Record<string, string>>> => {
    const [user] = await api.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const [userId, invitationId] = [user?.id ?? expect.fail('no user'), randomUUID()];
    await api.db.query(
      `insert into invitations (id, account_id, email, role, secret_sha256, invited_by, expires_at)
       values ($1::uuid, $2, 'bob@example.org', 'member', $1::uuid::text, $3, now() + interval '1 day')`,
      [invitationId, accountId, userId],
    );
    return { userId, invitationId };
  };
  const licenseServerOf = async ({ accountId }: NewAccount): Promise<string> => {
    const id = randomUUID();
    await api.db.query(
      `insert into license_servers (id, account_id, name, software, protocol, host, port, request_mac, created_by)
       select $1, account_id, 'Render', 'houdini', 'tcp', 'licences.example.org', 5053, 'mac', id
       from users where account_id = $2`,
      [id, accountId],
    );
    return id;
  };
  /** A webhook to which nothing can be sent, with a delivery. */
  const webhookOf = async ({ accountId }: NewAccount): Promise<Readonly<Record<string, string>>> => {
    const [webhookId, deliveryId] = [randomUUID(), randomUUID()];
    await api.db.query(
      `insert into webhooks (id, account_id, url, types, request_sha256, created_by)
       select $1, account_id, 'https://169.254.169.254/', '{topup.paid}', 'f', id from users where account_id = $2`,
      [webhookId, accountId],
    );
    await api.db.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, type, body, state) values ($1, $2, $1, 'topup.paid', '{}', 'FAILED')`,
      [deliveryId, webhookId],
    );
    return { webhookId, deliveryId };
  };
  /** A project, and the token of a share. */
  const sharedBy = async ({ liveKey }: NewAccount): Promise<Readonly<Record<string, string>>> => {
    const post = async (path: string, body: unknown): Promise<Answer> =>
      api.call(liveKey, 'POST', path, body, { headers: { 'Idempotency-Key': randomUUID() } });
    const { id: projectId } = (await post('molecular/projects', { name: 'a project', content: {} })).body;
    const shared = await post(`molecular/projects/${projectId}/shares`, { expectedVersion: 1 });
    return { projectId, token: shared.body.share.token };
  };
  /** A top-up that nobody has paid. */
  const topupOf = async ({ accountId }: NewAccount): Promise<string> => {
    const topups = api.db.getRepository(TopupEntity);
    const row = { id: randomUUID(), accountId, tierId: 'topup-10', amountPence: 1000, bonusPence: 0 };
    const pages = { successUrl: 'https://app.example.org/', cancelUrl: 'https://app.example.org/' };
    await topups.insert({ ...row, ...pages, fingerprint: 'f', expiresAt: new Date(Date.now() + 3_600_000) });
    return row.id;
  };
  /** Calls as somebody of the account whom the endpoint is for: with a session of its own, or with the live key. */
  const callAs = async (
    { accountId, liveKey }: NewAccount,
    endpoint: Endpoint,
    options: Parameters<typeof call>[2] = {},
  ): Promise<Answer> => {
    if (!isForPeople(endpoint)) return call(liveKey, endpoint, options);
    return call(null, endpoint, { ...options, headers: (await sessionOf(api, accountId)).headers });
  };
  const call = (
    key: string | null,
    endpoint: Endpoint,
    {
      places = owned,
      query = '',
      raw,
      headers = {},
    }: {
      places?: typeof owned;
      query?: string;
      raw?: string | undefined;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answer> => {
    // Without a place in its path a body with nothing in it is sent, so that nothing comes of an endpoint that is let in.
    const body = hasPlaces(endpoint)
      ? (BODIES[endpoint.operationId] ?? documentedRequest(endpoint).body ?? undefined)
      : endpoint.body && {};
    const sent = endpoint.keyRequired === true ? { ...headers, 'Idempotency-Key': randomUUID() } : headers;
    return api.call(
      key,
      endpoint.method,
      pathOf(endpoint, places) + query,
      body,
      raw === undefined ? { headers: sent } : { raw, headers: sent },
    );
  };
  /** The closed envelope: a status, a code, a text, and nothing else. */
  const refuses = (answer: Answer, status: number, code: string): void => {
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).to.deep.equal([status, code]);
    expect(Object.keys(answer.body).sort()).to.deep.equal(['code', 'error']);
  };
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;

    it(`answers 400 to what is not in its schema: ${name}`, async () => {
      refuses(await callAs(owner, endpoint, { query: '?nonsense=1' }), 400, 'VALIDATION_ERROR');
      if (endpoint.body === undefined) return;
      for (const raw of ['{', '[]', '"text"', '{"nonsense":1}', '{"a":1,"a":2}'])
        refuses(await callAs(owner, endpoint, { raw }), 400, 'VALIDATION_ERROR');
    });

    if (hasPlaces(endpoint))
      it(`answers 404 to ids of nothing, in other forms, and of another account: ${name}`, async () => {
        if (!isOfNobody(endpoint)) refuses(await callAs(stranger, endpoint), 404, 'NOT_FOUND');
        const names = [...endpoint.path.matchAll(PLACES)].map(([, place = '']) => place);
        for (const id of [randomUUID(), 'nonsense', '%00', '-1', '99999999999'])
          for (const place of names)
            refuses(await callAs(owner, endpoint, { places: { ...owned, [place]: id } }), 404, 'NOT_FOUND');
      });
  }

  // After all refusals, because some operations end what the paths above name.
  for (const endpoint of endpoints.filter(({ access }) => access !== 'none'))
    it(`lets in whom it is for: ${endpoint.method} ${endpoint.path}`, async () => {
      // Testing a licence server would look the name of its host up, so nobody has the licence server that is named here.
      const isLicenseServer = endpoint.path.includes(':licenseServerId');
      const places = isLicenseServer ? { ...owned, licenseServerId: randomUUID() } : owned;
      const missing = hasPlaces(endpoint) && !isLicenseServer ? [404] : [];
      // The operation ends the key that it is called with.
      const who = endpoint.operationId === 'revokeThisApiKey' ? await api.account() : owner;
      const { status } = await callAs(who, endpoint, { places });
      expect(status).to.not.be.oneOf([401, 403, 405, 500, 501, ...missing]);
    });
});

/** Settings of an account: its licence servers, which owners keep. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  licenseServer,
  licenseServerBody,
  licenseServerListAnswer,
  licenseServerPath,
  licenseServerTestAnswer,
} from './schemas.ts';

const PATH = '/settings/license-servers';

const listLicenseServers = defineEndpoint({
  method: 'GET',
  path: PATH,
  operationId: 'listLicenseServers',
  tag: TAGS.settings,
  summary: 'List licence servers',
  description: 'The licence servers of the account, without their secrets.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The licence servers.', schema: licenseServerListAnswer } },
  errors: [],
  async handle({ licenseServers }, { actor }) {
    return whole(await licenseServers.list(actor));
  },
});

const addLicenseServer = defineEndpoint({
  method: 'POST',
  path: PATH,
  operationId: 'addLicenseServer',
  tag: TAGS.settings,
  summary: 'Add a licence server',
  description:
    'Keeps a licence server for the jobs of the account. The secret of the server is stored encrypted, and no answer tells it again.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: licenseServerBody,
  answers: {
    201: {
      description: 'The licence server.',
      schema: licenseServer,
      headers: { Location: 'Path of the licence server.' },
    },
  },
  errors: ['DESTINATION_REFUSED', 'LICENSE_SERVER_LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED', 'ACCOUNT_CLOSED'],
  async handle({ licenseServers }, { actor, body, fingerprint, idempotencyKey, address }) {
    const added = await licenseServers.add(actor, { body, fingerprint, idempotencyKey, address });
    return json(201, added, { Location: `/api/v1${PATH}/${added.id}` });
  },
});

const getLicenseServer = defineEndpoint({
  method: 'GET',
  path: `${PATH}/:licenseServerId`,
  operationId: 'getLicenseServer',
  tag: TAGS.settings,
  summary: 'Read a licence server',
  description: 'One licence server of the account, without its secret.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  params: licenseServerPath,
  answers: { 200: { description: 'The licence server.', schema: licenseServer } },
  errors: [],
  async handle({ licenseServers }, { actor, params }) {
    return json(200, await licenseServers.read(actor, params.licenseServerId));
  },
});

const changeLicenseServer = defineEndpoint({
  method: 'PUT',
  path: `${PATH}/:licenseServerId`,
  operationId: 'changeLicenseServer',
  tag: TAGS.settings,
  summary: 'Change a licence server',
  description:
    'Makes the licence server what the request says. A secret that is left out stays; once protocol, host or port change, the secret must be sent again.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: licenseServerPath,
  body: licenseServerBody,
  answers: { 200: { description: 'The licence server as it is now.', schema: licenseServer } },
  errors: ['DESTINATION_REFUSED', 'LICENSE_SECRET_REQUIRED', 'ACCOUNT_CLOSED'],
  async handle({ licenseServers }, { actor, params, body, address }) {
    return json(200, await licenseServers.change(actor, params.licenseServerId, { body, address }));
  },
});

const removeLicenseServer = defineEndpoint({
  method: 'DELETE',
  path: `${PATH}/:licenseServerId`,
  operationId: 'removeLicenseServer',
  tag: TAGS.settings,
  summary: 'Remove a licence server',
  description: 'Removes the licence server and its secret. A repeat answers the same.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'none',
  params: licenseServerPath,
  answers: { 204: { description: 'The licence server is removed.' } },
  errors: ['ACCOUNT_CLOSED'],
  async handle({ licenseServers }, { actor, params, address }) {
    await licenseServers.remove(actor, params.licenseServerId, address);
    return { status: 204 };
  },
});

const testLicenseServer = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:licenseServerId/test`,
  operationId: 'testLicenseServer',
  tag: TAGS.settings,
  summary: 'Test a licence server',
  description:
    'Connects to the licence server once, for at most three seconds, and says whether that went well; nothing that the server sends is told. Redirects are not followed. With https the secret is sent as a bearer token.',
  access: 'owner',
  recent: true,
  limit: 'reach',
  idempotency: 'anew',
  headers: [idempotencyHeader],
  params: licenseServerPath,
  answers: { 200: { description: 'How it went.', schema: licenseServerTestAnswer } },
  errors: [],
  async handle({ licenseServers }, { actor, params }) {
    return json(200, await licenseServers.test(actor, params.licenseServerId));
  },
});

/** Endpoints of settings. */
export const settingsEndpoints: readonly Endpoint[] = [
  listLicenseServers,
  addLicenseServer,
  getLicenseServer,
  changeLicenseServer,
  removeLicenseServer,
  testLicenseServer,
];

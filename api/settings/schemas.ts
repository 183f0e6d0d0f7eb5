/** Settings of an account: its licence servers. */
import Joi from 'joi';

import { MOST_LICENSE_SERVERS } from '../../src/domain/license-servers.ts';
import type { LicenseServerRequest } from '../../src/domain/license-servers.ts';
import { OUTBOUND_PROTOCOLS } from '../../src/domain/outbound.ts';
import { characters, time, uuid, wholeList } from '../http/fields.ts';
import { outboundFault } from '../http/codes.ts';

const LAST_PORT = 65_535;
const id = uuid.required().description('Id of the licence server.');
const protocol = Joi.string()
  .valid(...OUTBOUND_PROTOCOLS)
  .required()
  .description(
    'How the server is spoken to: tcp is a bare connection; the test of http and https asks for /, with https under the certificate of the host.',
  );
const port = Joi.number().integer().min(1).max(LAST_PORT).required();

/** POST /settings/license-servers and PUT of one of them. */
export const licenseServerBody = Joi.object<LicenseServerRequest, true>({
  name: characters(1, 100)
    .required()
    .example('Render licences')
    .description('Name of the server, for people, 1 to 100 characters.'),
  software: characters(1, 100)
    .required()
    .example('houdini')
    .description('Software that the licences are for, 1 to 100 characters.'),
  protocol,
  host: Joi.string()
    .pattern(/^[A-Za-z0-9:.-]{1,253}$/, { name: 'host' })
    .required()
    .example('licences.example.org')
    .description(
      'Name, or address of the public internet, at most 253 characters; IPv6 without brackets. Other forms of addresses are refused.',
    ),
  port: port
    .example(5053)
    .description('Port number of the server; 80, 443 and those from 1024 on are possible.'),
  secret: Joi.string()
    .pattern(/^[\x21-\x7e]{1,4096}$/, { name: 'printable ASCII without spaces' })
    .allow(null)
    .description(
      'Secret of the server, 1 to 4096 characters of printable ASCII without spaces, which no answer tells again; null for none. In a change, a secret that is left out stays while protocol, host and port do.',
    ),
}).description('A licence server.');

/** The path of one licence server. */
export const licenseServerPath = Joi.object<{ readonly licenseServerId: string }, true>({
  licenseServerId: id,
});

/** A licence server in answers. */
export const licenseServer = Joi.object({
  id,
  name: Joi.string().required().example('Render licences').description('Name of the server, for people.'),
  software: Joi.string().required().example('houdini').description('Software that the licences are for.'),
  protocol,
  host: Joi.string().required().example('licences.example.org').description('Name or address of the server.'),
  port: port.example(5053).description('Port number of the server.'),
  hasSecret: Joi.boolean().required().description('Whether a secret is stored.'),
  createdBy: uuid.required().description('Id of the person who added the server.'),
  createdAt: time.required().description('When the server was added.'),
  updatedAt: time.required().description('When the server was last changed.'),
}).description('A licence server, without its secret.');

/** The answer of GET /settings/license-servers. */
export const licenseServerListAnswer = Joi.object({
  licenseServers: Joi.array()
    .items(licenseServer)
    .required()
    .description(`All licence servers, oldest first, at most ${MOST_LICENSE_SERVERS}.`),
})
  .append(wholeList)
  .description('The licence servers of the account.');

/** The answer of POST /settings/license-servers/{licenseServerId}/test. */
export const licenseServerTestAnswer = Joi.object({
  ok: Joi.boolean().required().description('Whether the server was reached.'),
  code: outboundFault,
}).description('How a connection to the server went.');

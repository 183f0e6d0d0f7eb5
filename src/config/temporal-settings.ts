/** The settings of Temporal: where Temporal is, and how processes and Temporal know each other. */
import Joi from 'joi';

import { TEMPORAL, flag, text } from './setting.ts';

/** A setting that means nothing without TLS, and that would be sent or believed in the open. */
const overTls = (schema: Joi.StringSchema): Joi.StringSchema =>
  schema
    .allow('')
    .default('')
    .when('temporalTls', { is: true, otherwise: Joi.valid('') })
    .messages({ 'any.only': '{{#label}} needs DOCKYARD_TEMPORAL_TLS=true' });

/** Settings of Temporal, by their names in code. */
export const TEMPORAL_SETTINGS = {
  temporalAddress: text(
    Joi.string().required(),
    'DOCKYARD_TEMPORAL_ADDRESS',
    TEMPORAL,
    'host:port of the Temporal frontend.',
  ),
  temporalNamespace: text(
    Joi.string().default('default'),
    'DOCKYARD_TEMPORAL_NAMESPACE',
    TEMPORAL,
    'Temporal namespace.',
  ),
  temporalTls: flag(
    Joi.boolean().default(false),
    'DOCKYARD_TEMPORAL_TLS',
    TEMPORAL,
    'Whether Temporal is reached over TLS.',
  ),
  temporalCaFile: text(
    overTls(Joi.string()),
    'DOCKYARD_TEMPORAL_CA_FILE',
    TEMPORAL,
    "PEM file of the certificate authorities that Temporal's certificate is believed with; empty: the known ones.",
  ),
  temporalCertFile: text(
    overTls(Joi.string()),
    'DOCKYARD_TEMPORAL_CERT_FILE',
    TEMPORAL,
    'PEM file of the certificate that processes show to Temporal; empty: none.',
  ),
  temporalKeyFile: text(
    overTls(Joi.string())
      .when('temporalCertFile', {
        is: Joi.string().required(),
        then: Joi.string().disallow('').required(),
        otherwise: Joi.valid(''),
      })
      .messages({
        'any.only': '{{#label}} goes with DOCKYARD_TEMPORAL_CERT_FILE',
        'any.required': '{{#label}} is required with DOCKYARD_TEMPORAL_CERT_FILE',
      }),
    'DOCKYARD_TEMPORAL_KEY_FILE',
    TEMPORAL,
    'PEM file of the private key of that certificate, without a passphrase.',
  ),
  temporalServerName: text(
    overTls(Joi.string().hostname()),
    'DOCKYARD_TEMPORAL_SERVER_NAME',
    TEMPORAL,
    "Name that Temporal's certificate must have; empty: the host of the address.",
  ),
  temporalApiKeyFile: text(
    overTls(Joi.string()),
    'DOCKYARD_TEMPORAL_API_KEY_FILE',
    TEMPORAL,
    'File of the API key that processes send to Temporal. The file is read again when it changes, so a key is changed without a restart.',
  ),
  temporalUiUrl: text(
    Joi.string().uri().default('http://127.0.0.1:8233'),
    'DOCKYARD_TEMPORAL_UI_URL',
    ['cli'],
    'Where operators find the Temporal UI; only printed.',
  ),
};

/** The settings of the address that the compute gateway listens on. */
import Joi from 'joi';

import { number, text } from './setting.ts';

/** Settings of the gateway's listener, by their names in code. */
export const GATEWAY_SETTINGS = {
  gatewayHost: text(
    Joi.string().default('127.0.0.1'),
    'DOCKYARD_GATEWAY_HOST',
    ['gateway'],
    'Address the compute gateway listens on.',
  ),
  gatewayPort: number(
    Joi.number().port().default(8090),
    'DOCKYARD_GATEWAY_PORT',
    ['gateway'],
    'Port the compute gateway listens on.',
  ),
  gatewayCertFile: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_GATEWAY_CERT_FILE',
    ['gateway'],
    'PEM file of the certificate that the compute gateway shows, with its chain; read again when it changes. Empty: plain HTTP, behind a balancer with TLS or in a network of its own.',
  ),
  gatewayKeyFile: text(
    Joi.string()
      .allow('')
      .default('')
      .when('gatewayCertFile', {
        is: Joi.string().required(),
        then: Joi.string().disallow('').required(),
        otherwise: Joi.valid(''),
      })
      .messages({
        'any.only': '{{#label}} goes with DOCKYARD_GATEWAY_CERT_FILE',
        'any.required': '{{#label}} is required with DOCKYARD_GATEWAY_CERT_FILE',
      }),
    'DOCKYARD_GATEWAY_KEY_FILE',
    ['gateway'],
    'PEM file of the private key of that certificate, without a passphrase.',
  ),
};

/** Settings of what customers set: how their secrets are kept, and where the service connects to for them. */
import Joi from 'joi';

import { flag, text } from './setting.ts';

/** The settings, by their names in code. */
export const CUSTOMER_SETTINGS = {
  settingsKey: text(
    Joi.string()
      .pattern(/^[a-z0-9-]{1,32}:[0-9a-f]{64}(,[a-z0-9-]{1,32}:[0-9a-f]{64})*$/, {
        name: 'id:key, the key 32 bytes in hex; several apart by commas',
      })
      .required(),
    'DOCKYARD_SETTINGS_KEY',
    ['api', 'control', 'cli'],
    'Encrypts the secrets that customers store: id:key, such as 2026-11:…, the key 32 random bytes in hex. Several apart by commas: the first encrypts, the others decrypt what they have encrypted, until `dockyard admin settings rotate` has run.',
  ),
  webhooksLoopback: flag(
    Joi.boolean().default(false),
    'DOCKYARD_WEBHOOKS_LOOPBACK',
    ['api', 'control'],
    'Whether webhooks may be sent to http addresses of this machine (true). For development alone: whoever may create a webhook then reaches every server that listens on loopback.',
  ),
  outboundNetworks: text(
    Joi.string()
      .pattern(/^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$/, { name: 'networks as CIDR apart by commas' })
      .allow('')
      .default(''),
    'DOCKYARD_OUTBOUND_NETWORKS',
    ['api', 'control'],
    'Networks besides the public internet that the service connects to when customers name a host there, such as 10.20.0.0/16; apart by commas.',
  ),
};

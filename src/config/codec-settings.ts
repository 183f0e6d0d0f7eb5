/** The settings of the codec that seals payloads before Temporal gets them, and of the server that opens them for people. */
import Joi from 'joi';

import { CONTROL_SIDE, text } from './setting.ts';

/** Settings of the codec, by their names in code. */
export const CODEC_SETTINGS = {
  temporalCodecKeys: text(
    Joi.string()
      .pattern(/^[a-z0-9-]{1,32}:[0-9a-f]{64}(,[a-z0-9-]{1,32}:[0-9a-f]{64})*$/, {
        name: 'id:key, the key 32 bytes in hex; several apart by commas',
      })
      .allow('')
      .default(''),
    'DOCKYARD_TEMPORAL_CODEC_KEYS',
    CONTROL_SIDE,
    'Keys of the payloads that Temporal stores: id:key, such as 2026-11:…, the key 32 random bytes in hex. Several apart by commas; each opens what it has sealed. Empty: payloads are stored as they are.',
  ),
  temporalCodecKey: text(
    Joi.string()
      .pattern(/^[a-z0-9-]{1,32}$/)
      .allow('')
      .default(''),
    'DOCKYARD_TEMPORAL_CODEC_KEY',
    CONTROL_SIDE,
    'Id of the key that seals payloads from now on; empty: nothing is sealed. Set it when every process has the key in DOCKYARD_TEMPORAL_CODEC_KEYS.',
  ),
  codecServerToken: text(
    Joi.string().min(32).allow('').default(''),
    'DOCKYARD_CODEC_SERVER_TOKEN',
    ['cli'],
    'Bearer that `dockyard codec-server` asks for; the command does not start without it.',
  ),
  codecServerOrigins: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_CODEC_SERVER_ORIGINS',
    ['cli'],
    'Origins of the pages that may ask `dockyard codec-server`, apart by commas; empty: the origin of DOCKYARD_TEMPORAL_UI_URL.',
  ),
};

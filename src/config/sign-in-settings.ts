/** The settings of a provider by which people sign in. */
import Joi from 'joi';

import { text } from './setting.ts';

/** Settings of the provider, by their names in code. */
export const SIGN_IN_SETTINGS = {
  oidcIssuer: text(
    Joi.string()
      .uri({ scheme: ['https', 'http'] })
      .allow('')
      .default(''),
    'DOCKYARD_OIDC_ISSUER',
    ['api'],
    'Issuer of OpenID Connect by which people may sign in, over HTTPS unless it is on this machine; empty: nobody does.',
  ),
  oidcClientId: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_OIDC_CLIENT_ID',
    ['api'],
    'Id under which this service is registered at the issuer, with DOCKYARD_PUBLIC_URL and /api/v1/auth/oidc/callback as redirect address.',
  ),
  oidcClientSecret: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_OIDC_CLIENT_SECRET',
    ['api'],
    'Secret of that registration; empty for a public client.',
  ),
};

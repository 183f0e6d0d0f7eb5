/** The second factor of a person. */
import Joi from 'joi';

import type { TotpCodeRequest } from '../../src/domain/people.ts';
import { factorCode } from './fields.ts';

/** The answer of GET /auth/totp and of POST /auth/totp/disable. */
export const totpStateAnswer = Joi.object({
  enabled: Joi.boolean().required().description('Whether the sign-in asks for a code.'),
  recoveryCodesLeft: Joi.number()
    .integer()
    .required()
    .description('Number of recovery codes that can still be taken.'),
}).description('How your second factor stands.');

/** The answer of POST /auth/totp. */
export const begunTotpAnswer = Joi.object({
  secret: Joi.string().required().description('The secret in base32, for authenticators without a camera.'),
  uri: Joi.string().required().description('The same as an otpauth address, which is shown as a QR code.'),
}).description('A secret that counts once it is confirmed; it is shown this once.');

/** POST /auth/totp/confirm and POST /auth/totp/disable. */
export const totpCodeBody = Joi.object<TotpCodeRequest, true>({
  code: factorCode
    .required()
    .description('The present code of the authenticator; to disable also a recovery code.'),
});

/** The answer of POST /auth/totp/confirm. */
export const enabledTotpAnswer = Joi.object({
  recoveryCodes: Joi.array()
    .items(Joi.string())
    .required()
    .description('Codes that are each taken once in the place of a code, shown this once.'),
}).description('The second factor counts from now on.');

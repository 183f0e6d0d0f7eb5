/** Fields with which people prove who they are. */
import Joi from 'joi';

import { EMAIL, LONGEST_EMAIL, PASSWORD_CHARACTERS } from '../../src/domain/people.ts';
import { characters } from '../http/fields.ts';

/** An e-mail address. */
export const email = Joi.string()
  .max(LONGEST_EMAIL)
  .pattern(EMAIL, { name: 'e-mail address' })
  .required()
  .description('E-mail address, compared without case.');

/** A password to begin with. */
export const newPassword = characters(PASSWORD_CHARACTERS.min, PASSWORD_CHARACTERS.max)
  .required()
  .description(
    `Password, ${PASSWORD_CHARACTERS.min} to ${PASSWORD_CHARACTERS.max} characters; the commonest passwords and your own address are refused.`,
  );

/** A password that was set before. */
export const givenPassword = characters(1, PASSWORD_CHARACTERS.max)
  .required()
  .description('The password of the sign-up, or the one that was set since.');

/** Six digits of an authenticator, or a recovery code. */
export const factorCode = Joi.string().pattern(/^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:-?[A-Za-z2-7]{4}){3})$/, {
  name: 'code of an authenticator, or recovery code',
});

/** A code that came by mail. */
export const mailCode = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/, { name: 'code of a mail' })
  .required()
  .description('The code of the mail.');

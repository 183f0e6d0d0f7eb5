/** Letting a command line in. */
import Joi from 'joi';

import type { CliApprovalRequest, CliSessionRequest } from '../../src/domain/people.ts';

const token = (name: string): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/, { name })
    .example('Zm9yIHRoZSBkb2N1bWVudCBvbmx5LCBubyBzZWNyZXQ')
    .required();

/** POST /auth/cli/approve. */
export const approveCliBody = Joi.object<CliApprovalRequest, true>({
  challenge: token('SHA-256 in base64url').description(
    'SHA-256 (base64url, without padding) of the secret that the command line has drawn.',
  ),
});

/** The answer of POST /auth/cli/approve. */
export const cliApprovalAnswer = Joi.object({
  code: token('code').description('The code for the command line, shown this once.'),
  expiresInSeconds: Joi.number()
    .integer()
    .example(120)
    .required()
    .description('How long the code can be used, in seconds.'),
}).description('What the browser hands to the command line.');

/** POST /auth/cli/session. */
export const cliSessionBody = Joi.object<CliSessionRequest, true>({
  code: token('code').description('The code that the browser has handed over.'),
  verifier: token('secret').description('The secret whose SHA-256 the challenge was.'),
});

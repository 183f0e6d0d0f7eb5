/** Mails about money that owners want: schemas of the answer and of the request. */
import Joi from 'joi';

import type { NotificationSettingsRequest } from '../../src/domain/notifications.ts';

const mail = (text: string): Joi.BooleanSchema => Joi.boolean().strict().example(true).description(text);

const accountLimit = mail("Mails at 50, 80 and 100 % of the limit of the account's UTC month.");
const keyLimit = mail("Mails at 50, 80 and 100 % of the limit of an API key's UTC month.");
const lowBalance = mail('Mails when the credits fall below lowBalanceCents of the billing settings.');

/** PUT /settings/notifications. */
export const notificationsBody = Joi.object<NotificationSettingsRequest, true>({
  accountLimit,
  keyLimit,
  lowBalance,
}).description('A change: what is left out stays.');

/** The answer of GET and PUT /settings/notifications. */
export const notificationsAnswer = Joi.object({
  accountLimit: accountLimit.required(),
  keyLimit: keyLimit.required(),
  lowBalance: lowBalance.required(),
}).description('The mails about money that the owners of the account get.');

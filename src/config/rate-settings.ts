/** The setting that says where exchange rates come from. */
import Joi from 'joi';

import { text } from './setting.ts';

/** Settings of exchange rates, by their names in code. */
export const RATE_SETTINGS = {
  fxUrl: text(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .allow('')
      .default(''),
    'DOCKYARD_FX_URL',
    ['control'],
    "Source of the USD to GBP rate, asked once an hour: the European Central Bank's daily XML, or an address that answers { rate } and perhaps date; empty: the last accepted rate, or the price book's dated one.",
  ),
};

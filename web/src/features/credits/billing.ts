/** The settings of the account's bills, and the amounts that they are made of. */
import { fields } from 'document:fields/BillingSettingsRequest';
import type { components } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { answers } from '../../api/queries.ts';
import { money } from '../../ui/format.ts';
import { penceOf } from '../../ui/pounds.ts';

export type Billing = components['schemas']['BillingSettings'];
export type BillingChange = components['schemas']['BillingSettingsRequest'];

export const BILLING = '/settings/billing';

/** Saves a change of the settings; what is answered is what is shown. */
export async function saveBilling(body: BillingChange): Promise<void> {
  await api.put(BILLING, { body });
  await answers.invalidateQueries({ queryKey: [BILLING] });
}

/** What is wrong with an amount; an empty one is no limit. */
export function amountProblem(text: string, field: string): string | null {
  if (text === '') return null;
  const pence = penceOf(text);
  if (pence === null) return m.ui_pounds();
  const most = fields[field]?.maximum;
  return most !== undefined && pence > most ? m.credits_at_most({ sum: money(most) }) : null;
}

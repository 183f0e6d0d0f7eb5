/** Customers at the provider, one for each account. */
import type { DataSource } from 'typeorm';

import { PaymentCustomerEntity } from '../../../entities/payments.ts';
import type { Payments } from '../../adapters/payments/payments.ts';
import { insertIfNew } from '../insert-if-new.ts';

/** The customer of an account at the provider; two calls at once use the customer that was recorded first. */
export async function customerOf(db: DataSource, payments: Payments, accountId: string): Promise<string> {
  const customers = db.getRepository(PaymentCustomerEntity);
  const known = await customers.findOneBy({ accountId });
  if (known !== null) return known.customerId;
  await insertIfNew(db, PaymentCustomerEntity, {
    accountId,
    customerId: await payments.openCustomer(accountId),
  });
  return (await customers.findOneByOrFail({ accountId })).customerId;
}

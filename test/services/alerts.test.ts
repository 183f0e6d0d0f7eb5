/** Alerts: once for each crossing, whatever happens at once, and mails to owners that no crash loses or repeats. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { ApiKeyEntity } from '../../entities/accounts.ts';
import { AlertEntity, AlertMailEntity } from '../../entities/alerts.ts';
import { AuditEntryEntity } from '../../entities/audit.ts';
import type { Mail } from '../../src/adapters/mail/mail.ts';
import { openMailer } from '../../src/adapters/mail/open.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import { sendAlerts } from '../../src/services/alerts/index.ts';
import { setLimits } from '../../src/services/ledger/index.ts';
import {
  changeBillingSettings,
  changeNotifications,
  readNotifications,
} from '../../src/services/settings/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { eventsOf } from '../support/events-of.ts';
import {
  admit,
  end,
  endPeriod,
  newHold,
  openCustomer,
  openKey,
  startPeriod,
  suiteLedger,
} from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { openMailServer } from '../support/mail-server.ts';
import { refusalOf } from '../support/refusals.ts';

const PUBLIC_URL = 'https://dockyard.example';

describe('alerts', function () {
  this.timeout(240_000);
  const test = suiteLedger();
  const actorOf = ({ accountId, userId }: Customer): SessionActor => ({
    ...{ kind: 'session', accountId, userId, sessionId: uuidv7(), plan: 'free', role: 'owner' },
    isRecent: true,
  });
  const hold = async (customer: Customer, pence: number, keyId?: string) => {
    const request = newHold(customer.accountId, pence);
    const placed = await inTransaction(test.db, (tx) =>
      admit(tx, customer, { ...request, ...(keyId === undefined ? {} : { keyId }) }),
    );
    expect(placed).to.deep.equal({ held: true });
    return request;
  };
  const settle = ({ jobId, holdId }: { jobId: string; holdId: string }, chargePence: number) =>
    inTransaction(test.db, (tx) => end(tx, jobId, { holdId, chargePence }));
  const steps = async ({ accountId }: Customer): Promise<string[]> => {
    const rows = await test.db
      .getRepository(AlertEntity)
      .find({ where: { accountId }, order: { createdAt: 'asc', threshold: 'asc' } });
    return rows.map(
      ({ kind, threshold, mailDue }) => `${kind} ${String(threshold)}${mailDue ? ' mail' : ''}`,
    );
  };
  /** Sends what is due, and answers the mails to a customer's owners. */
  const outbox: Mail[] = [];
  const sendAll = (send: (mail: Mail) => Promise<void> = async (mail) => void outbox.push(mail)) =>
    sendAlerts({ db: test.db, mailer: { send }, publicUrl: PUBLIC_URL, onFailure: () => undefined });
  const mailsTo = ({ userId }: Customer): Mail[] => outbox.filter(({ to }) => to.startsWith(userId));
  const lapse = () => test.db.query(`update alert_mails set claimed_at = claimed_at - interval '6 minutes'`);

  beforeEach(async () => {
    await sendAll();
    outbox.length = 0;
  });

  it('come at 50, 80 and 100 % of what is charged and held, once, and with the highest step alone as a mail', async () => {
    const customer = await openCustomer(test.db, 1_000);
    await setLimits(test.db, customer.accountId, { monthLimitPence: 100 });
    await hold(customer, 49);
    expect(await steps(customer)).to.deep.equal([]);
    await settle(await hold(customer, 1), 1);
    expect(await steps(customer)).to.deep.equal(['account-limit 50 mail']);
    const { accountId } = customer;
    expect(await eventsOf(test.db, accountId, 'credits.')).to.deep.equal([
      {
        ...{ type: 'credits.limit_reached', subject: accountId },
        payload: { percent: 50, limitCents: 100, reachedCents: 50, keyId: null },
      },
    ]);
    const most = await hold(customer, 50);
    await sendAll();
    await settle(most, 10);
    await settle(await hold(customer, 40), 40);
    expect(await steps(customer)).to.deep.equal([
      'account-limit 50',
      'account-limit 80',
      'account-limit 100',
    ]);
    await sendAll();
    expect(mailsTo(customer).map(({ subject }) => subject)).to.deep.equal([
      'Your account has used 50 % of its limit',
      'Your account has used 100 % of its limit',
    ]);
    expect(mailsTo(customer)[1]?.text).to.contain('Jobs are refused').and.to.contain(PUBLIC_URL);
  });

  it('are one mail for fifty submits at once, also with eight senders', async () => {
    const customer = await openCustomer(test.db, 1_000);
    await setLimits(test.db, customer.accountId, { monthLimitPence: 100 });
    await Promise.all(Array.from({ length: 50 }, () => hold(customer, 1)));
    const sent = await Promise.all(Array.from({ length: 8 }, () => sendAll()));
    expect(sent.reduce((sum, one) => sum + one, 0)).to.equal(1);
    expect(mailsTo(customer)).to.have.length(1);
  });

  it('of keys name the key, and come at once where a limit is set below what was used', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const keyId = await openKey(test.db, customer);
    await hold(customer, 80, keyId);
    await setLimits(test.db, customer.accountId, { key: { keyId, monthLimitPence: 100 } });
    await hold(customer, 20, keyId);
    await setLimits(test.db, customer.accountId, { key: { keyId, monthLimitPence: 190 } });
    await setLimits(test.db, customer.accountId, { key: { keyId, monthLimitPence: 0 } });
    await sendAll();
    expect(await steps(customer)).to.deep.equal([
      ...['key-limit 50', 'key-limit 80', 'key-limit 100', 'key-limit 50'],
    ]);
    expect(mailsTo(customer)).to.have.length(3);
    for (const { text } of mailsTo(customer)) expect(text).to.contain(keyId);
    const newer = await openKey(test.db, customer);
    await test.db.getRepository(ApiKeyEntity).update({ id: newer }, { firstKeyId: keyId });
    await setLimits(test.db, customer.accountId, { key: { keyId: newer, monthLimitPence: 120 } });
    await sendAll();
    expect(mailsTo(customer).at(-1)?.text, 'the key that is used').to.contain(newer).and.not.contain(keyId);
  });

  it('come again in another month', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const { accountId } = customer;
    await setLimits(test.db, accountId, { monthLimitPence: 100 });
    await settle(await hold(customer, 60), 60);
    await test.tamper(
      `update ledger_balances set month = month - interval '1 month' where account_id = '${accountId}'`,
    );
    await test.tamper(
      `update alerts set period = period - interval '1 month' where account_id = '${accountId}'`,
    );
    await hold(customer, 40);
    expect(await steps(customer)).to.have.length(1);
    await settle(await hold(customer, 20), 20);
    expect(await steps(customer)).to.deep.equal(['account-limit 50 mail', 'account-limit 50 mail']);
    // The months of the counters are what they were, so that the ledger adds up.
    await test.tamper(
      `update ledger_balances set month_charged_pence = 80 where account_id = '${accountId}'`,
    );
  });

  it('tell of a low balance once a day, also when an allowance has ended', async () => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    const change = (lowBalanceCents: number | null) =>
      changeBillingSettings(test.db, actorOf(customer), { body: { lowBalanceCents }, address: '192.0.2.1' });
    expect(await change(80)).to.include({ lowBalanceCents: 80 });
    await settle(await hold(customer, 20), 0);
    expect(await steps(customer)).to.deep.equal([]);
    await settle(await hold(customer, 21), 0);
    await hold(customer, 21);
    expect(await steps(customer)).to.deep.equal(['low-balance 0 mail']);
    await startPeriod(test.db, accountId, 500);
    await change(81);
    await endPeriod(test.db, accountId);
    await startPeriod(test.db, accountId, 1);
    expect(await steps(customer)).to.deep.equal(['low-balance 0 mail', 'low-balance 0 mail']);
    expect(await change(null)).to.include({ lowBalanceCents: null });
    await hold(customer, 50);
    await sendAll();
    expect(mailsTo(customer).map(({ subject }) => subject)).to.deep.equal(
      Array(2).fill('Your credits are running low'),
    );
  });

  it('are rows but no mails for what an account has switched off', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const actor = actorOf(customer);
    const all = { accountLimit: true, keyLimit: true, lowBalance: true };
    expect(await readNotifications(test.db, actor)).to.deep.equal(all);
    for (let time = 0; time < 2; time += 1)
      expect(
        await changeNotifications(test.db, actor, { body: { accountLimit: false }, address: '192.0.2.1' }),
      ).to.deep.equal({ ...all, accountLimit: false });
    expect(
      await test.db
        .getRepository(AuditEntryEntity)
        .countBy({ accountId: customer.accountId, action: 'notifications.changed' }),
    ).to.equal(1);
    await setLimits(test.db, customer.accountId, { monthLimitPence: 100, lowBalancePence: 950 });
    await hold(customer, 60);
    await sendAll();
    expect(await steps(customer)).to.have.members(['account-limit 50', 'low-balance 0']);
    expect(mailsTo(customer).map(({ subject }) => subject)).to.deep.equal(['Your credits are running low']);
  });

  it('reach every owner and no member, and a mail that fails is tried again, with others beside it', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const { accountId } = customer;
    for (const role of ['owner', 'member'])
      await test.db.query(`insert into users (id, account_id, email, role) values ($1, $2, $3, $4)`, [
        ...[uuidv7(), accountId, `${role}-${accountId}@example.com`, role],
      ]);
    await setLimits(test.db, accountId, { monthLimitPence: 100 });
    await hold(customer, 50);
    const failing = async (mail: Mail): Promise<void> => {
      if (mail.to.startsWith('owner-')) throw new Error(`no room for ${mail.to}`);
      outbox.push(mail);
    };
    expect([await sendAll(failing), await sendAll(failing)]).to.deep.equal([1, 0]);
    await lapse();
    expect([await sendAll(), await sendAll()]).to.deep.equal([1, 0]);
    expect(outbox.map(({ to }) => to).sort()).to.deep.equal(
      [`${customer.userId}@example.com`, `owner-${accountId}@example.com`].sort(),
    );
  });

  it('survive a sender that dies, and go out under the id that they had', async () => {
    const customer = await openCustomer(test.db, 1_000);
    await setLimits(test.db, customer.accountId, { monthLimitPence: 100 });
    await hold(customer, 50);
    // The sender dies after the server took the mail: the row cannot be written.
    await test.db.query('alter table alert_mails add constraint dead check (sent_at is null) not valid');
    expect(String(await refusalOf(sendAll()))).to.contain('dead');
    await test.db.query('alter table alert_mails drop constraint dead');
    expect(await sendAll()).to.equal(0);
    await lapse();
    expect(await sendAll()).to.equal(1);
    const ids = mailsTo(customer).map(({ id }) => id);
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
    const open = await test.db
      .getRepository(AlertMailEntity)
      .countBy({ userId: customer.userId, attempts: 2 });
    expect(open).to.equal(1);
  });

  it('leave over a real server with the same Message-ID each time', async () => {
    const server = await openMailServer();
    const mailer = openMailer({
      smtpUrl: server.url,
      smtpTls: 'required',
      mailFrom: 'Dockyard <no-reply@example.org>',
      mailDir: '',
    });
    try {
      const mail = { id: 'alert-1', to: 'ada@example.org', subject: 'A limit', text: 'Reached.' };
      for (let time = 0; time < 2; time += 1) await mailer.send(mail);
      expect(server.mails).to.have.length(2);
      for (const { text } of server.mails) expect(text).to.match(/^Message-ID: <alert-1@dockyard>/im);
    } finally {
      mailer.close();
      await server.close();
    }
  });
});

/** Licence servers as owners keep them: secrets come in and never go out, and each change is in the audit log. */
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { createOutboundGuard } from '../../src/adapters/outbound/guard.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import { MOST_LICENSE_SERVERS } from '../../src/domain/license-servers.ts';
import type { LicenseServerRequest } from '../../src/domain/license-servers.ts';
import { operator } from '../../src/services/audit/index.ts';
import { closeAccount, createAccount } from '../../src/services/identity/index.ts';
import {
  addLicenseServer,
  changeLicenseServer,
  createSecretBox,
  listLicenseServers,
  readLicenseServer,
  removeLicenseServer,
  rotateSettings,
  testLicenseServer,
} from '../../src/services/settings/index.ts';
import type { LicenseServerDependencies } from '../../src/services/settings/index.ts';
import { totpPlace } from '../../src/services/people/totp.ts';
import { openText, sealText } from '../../src/services/secret-box.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { codeOf } from '../support/refusals.ts';
import type { Answers } from '../../src/domain/answers.ts';

type LicenseServerRecord = Answers['getLicenseServer'];

const ADDRESS = '192.0.2.7';
const SECRET = 'hunter2-licence-secret';
const [OLD, NEW] = [`old:${'0a'.repeat(32)}`, `new:${'0b'.repeat(32)}`];
const SERVER: LicenseServerRequest = {
  ...{ name: 'Render', software: 'houdini', protocol: 'tcp', host: 'licences.example.org', port: 5053 },
  secret: SECRET,
};

interface Entry {
  readonly action: string;
  readonly author_kind: string;
  readonly address: string | null;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

describe('licence servers', () => {
  let test: TestDatabase;
  let deps: LicenseServerDependencies;
  before(async () => {
    test = await openTestDatabase();
    deps = depsOf(OLD);
  });
  after(() => test.close());

  const depsOf = (keys: string): LicenseServerDependencies => ({
    ...{ db: test.db, box: createSecretBox(keys), secrets: ['ab'.repeat(32)] },
    guard: createOutboundGuard({ allowedNetworks: ['127.0.0.1/32'], resolve: async () => ['127.0.0.1'] }),
  });
  const owner = async (): Promise<SessionActor> => {
    const { accountId } = await createAccount(test.db, {
      email: `${randomUUID()}@example.com`,
      creditsPence: 0,
    });
    const [user] = await test.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const userId = user?.id ?? expect.fail('no user');
    const session = { kind: 'session', sessionId: randomUUID(), isRecent: true } as const;
    return { accountId, userId, plan: 'free', role: 'owner', ...session };
  };
  const add = (
    who: SessionActor,
    body = SERVER,
    idempotencyKey: string | null = null,
    fingerprint = 'f',
  ): Promise<LicenseServerRecord> =>
    addLicenseServer(deps, who, { body, fingerprint, idempotencyKey, address: ADDRESS });
  const change = (who: SessionActor, id: string, body: LicenseServerRequest): Promise<LicenseServerRecord> =>
    changeLicenseServer(deps, who, id, { body, address: ADDRESS });
  const log = (who: SessionActor): Promise<Entry[]> =>
    test.db.query(
      'select action, author_kind, address, subject, before, after from audit_log where account_id = $1 order by created_at, id',
      [who.accountId],
    );
  const changes = async (who: SessionActor): Promise<string[]> =>
    (await log(who)).map(({ action }) => action).filter((action) => action.startsWith('license-server'));
  /** Everything that the database holds of licence servers and their changes. */
  const everything = async (): Promise<string> => {
    const [row] = await test.db.query<{ whole: string }[]>(
      `select concat((select string_agg(s::text || encode(sealed_secret, 'escape'), '') from license_servers s),
         (select string_agg(a::text, '') from audit_log a)) as whole`,
    );
    return row?.whole ?? '';
  };

  it('are kept, changed and removed, and their secrets are in no answer, no row and no entry of the log', async () => {
    const who = await owner();
    const added = await add(who);
    expect(added).to.include({ name: 'Render', host: SERVER.host, hasSecret: true, createdBy: who.userId });
    expect(await readLicenseServer(test.db, who, added.id)).to.deep.equal(added);
    const renamed = await change(who, added.id, { ...SERVER, name: 'Farm', secret: 'another-secret' });
    expect(renamed).to.include({ name: 'Farm', hasSecret: true, createdAt: added.createdAt });
    expect((await listLicenseServers(test.db, who)).licenseServers).to.deep.equal([renamed]);
    for (const text of [JSON.stringify([added, renamed]), await everything()])
      for (const secret of [SECRET, 'another-secret']) expect(text).to.not.contain(secret);
    await removeLicenseServer(test.db, who, added.id, ADDRESS);
    await removeLicenseServer(test.db, who, added.id, ADDRESS);
    expect((await listLicenseServers(test.db, who)).licenseServers).to.deep.equal([]);
    expect(await codeOf(readLicenseServer(test.db, who, added.id))).to.equal('NOT_FOUND');
    const [row] = await test.db.query<{ sealed_secret: unknown }[]>(
      'select sealed_secret from license_servers where id = $1',
      [added.id],
    );
    expect(row?.sealed_secret).to.equal(null);
    const entries = (await log(who)).filter(({ subject }) => subject === added.id);
    expect(entries.map(({ action }) => action)).to.deep.equal([
      ...['license-server.added', 'license-server.changed', 'license-server.removed'],
    ]);
    for (const entry of entries) expect(entry).to.include({ author_kind: 'session', address: ADDRESS });
    expect(entries[1]?.after).to.include({ name: 'Farm', hasSecret: true, isSecretChanged: true });
  });

  it('are made once per idempotency key, also at the same time and after their removal', async () => {
    const who = await owner();
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, () => add(who, SERVER, key)));
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1);
    expect(await codeOf(add(who, { ...SERVER, secret: 'other' }, key, 'other'))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    // A request of before the installation's secret was changed is still known.
    deps = { ...deps, secrets: ['cd'.repeat(32), ...deps.secrets] };
    expect((await add(who, SERVER, key)).id).to.equal(all[0]?.id);
    await removeLicenseServer(test.db, who, all[0]?.id ?? '', ADDRESS);
    await add(who, SERVER, key);
    expect((await listLicenseServers(test.db, who)).licenseServers).to.deep.equal([]);
    expect(await changes(who)).to.deep.equal(['license-server.added', 'license-server.removed']);
    // A digest of the request would let a reader of the table try secrets out.
    expect(await everything())
      .to.not.contain('"f"')
      .and.to.not.match(/request_mac":"f"/);
  });

  it('keep a secret that is left out of a change, but not when the place changes', async () => {
    const who = await owner();
    const { id } = await add(who);
    const { secret: _left, ...unsaid } = SERVER;
    const kept = await change(who, id, { ...unsaid, name: 'Farm' });
    expect(kept.hasSecret).to.equal(true);
    for (const moved of [{ host: 'attacker.example.org' }, { port: 5054 }, { protocol: 'https' }] as const)
      expect(await codeOf(change(who, id, { ...unsaid, ...moved }))).to.equal('LICENSE_SECRET_REQUIRED');
    const without = await change(who, id, { ...unsaid, host: 'elsewhere.example.org', secret: null });
    expect(without).to.include({ host: 'elsewhere.example.org', hasSecret: false });
    const now = await change(who, id, { ...unsaid, host: 'third.example.org' });
    expect(now.host).to.equal('third.example.org');
  });

  it('are changed once by a request that is repeated', async () => {
    const who = await owner();
    const { id } = await add(who);
    const first = await change(who, id, { ...SERVER, name: 'Farm' });
    expect(await change(who, id, { ...SERVER, name: 'Farm' })).to.deep.equal(first);
    expect(await changes(who)).to.deep.equal(['license-server.added', 'license-server.changed']);
  });

  it('are unknown to other accounts', async () => {
    const [who, other] = [await owner(), await owner()];
    const { id } = await add(who);
    for (const act of [
      () => readLicenseServer(test.db, other, id),
      () => change(other, id, SERVER),
      () => removeLicenseServer(test.db, other, id, ADDRESS),
      () => testLicenseServer(deps, other, id),
    ])
      expect(await codeOf(act())).to.equal('NOT_FOUND');
    expect((await listLicenseServers(test.db, other)).licenseServers).to.deep.equal([]);
    expect(await changes(other)).to.deep.equal([]);
  });

  it('are refused where the service would never connect, and nothing is kept', async () => {
    const who = await owner();
    for (const wrong of [
      { host: '10.0.0.1' },
      { host: '169.254.169.254' },
      { host: '2130706433' },
      { host: '::1' },
      { port: 22 },
    ])
      expect(await codeOf(add(who, { ...SERVER, ...wrong })), JSON.stringify(wrong)).to.equal(
        'DESTINATION_REFUSED',
      );
    expect(await changes(who)).to.deep.equal([]);
  });

  it('are as many as allowed and no more, also at the same time, and none of a closed account', async () => {
    const who = await owner();
    await test.db.query(
      `insert into license_servers (id, account_id, name, software, protocol, host, port, request_mac, created_by)
       select gen_random_uuid(), $1, 'n', 's', 'tcp', 'h', 80, '', $2 from generate_series(1, $3)`,
      [who.accountId, who.userId, MOST_LICENSE_SERVERS - 1],
    );
    const outcomes = await Promise.all([1, 2, 3].map(() => codeOf(add(who))));
    expect(outcomes.sort()).to.deep.equal([
      ...['LICENSE_SERVER_LIMIT_REACHED', 'LICENSE_SERVER_LIMIT_REACHED', 'accepted'],
    ]);
    const closed = await owner();
    await closeAccount(test.db, { accountId: closed.accountId, reason: null });
    expect(await codeOf(add(closed))).to.equal('ACCOUNT_CLOSED');
  });

  it('are tested by a connection, of which a code is told', async () => {
    const who = await owner();
    const heard: string[] = [];
    const server = net.createServer((socket) => {
      heard.push('connected');
      socket.on('error', () => undefined);
      socket.resume();
      socket.end('banner of the other side\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { id } = await add(who, { ...SERVER, port });
    expect(await testLicenseServer(deps, who, id)).to.deep.equal({ ok: true, code: null });
    await change(who, id, { ...SERVER, protocol: 'http', port });
    expect(await testLicenseServer(deps, who, id)).to.deep.equal({ ok: false, code: 'ANSWER_UNEXPECTED' });
    await new Promise((resolve) => server.close(resolve));
    expect(await testLicenseServer(deps, who, id)).to.deep.equal({ ok: false, code: 'CONNECTION_FAILED' });
    const guard = createOutboundGuard({ allowedNetworks: [], resolve: async () => ['127.0.0.1'] });
    expect(await testLicenseServer({ ...deps, guard }, who, id)).to.deep.equal({
      ok: false,
      code: 'ADDRESS_REFUSED',
    });
    expect(heard).to.have.length(2);
  });

  it('are encrypted anew with the first key, each once, and open afterwards without the old one', async () => {
    const who = await owner();
    const ids = [(await add(who)).id, (await add(who)).id, (await add(who, { ...SERVER, secret: null })).id];
    const both = depsOf(`${NEW},${OLD}`);
    const by = operator('ops');
    const alone = await rotateSettings(test.db, createSecretBox(NEW), by);
    expect([alone.resealed, alone.unknown['old']]).to.satisfy(
      ([done, left]: number[]) => done === 0 && (left ?? 0) >= 2,
    );
    const rotated = await rotateSettings(test.db, both.box, by);
    expect(rotated).to.deep.include({ keyId: 'new', unknown: {} });
    expect(rotated.resealed).to.be.greaterThan(1);
    expect(await rotateSettings(test.db, both.box, by)).to.deep.equal({
      keyId: 'new',
      resealed: 0,
      unknown: {},
    });
    // A change that leaves the secret out reads it with the new key alone; one that sends the same secret changes nothing.
    const fresh = depsOf(NEW);
    const before = await readLicenseServer(test.db, who, ids[0] ?? '');
    expect(
      await changeLicenseServer(fresh, who, ids[0] ?? '', { body: SERVER, address: ADDRESS }),
    ).to.deep.equal(before);
    const entries: Entry[] = await test.db.query(
      `select action, author_kind, address, subject, before, after from audit_log where action = 'settings.rotated'`,
    );
    expect(entries.map(({ subject, author_kind: kind }) => [subject, kind])).to.deep.equal([
      ['new', 'operator'],
    ]);
    expect(entries[0]?.after).to.deep.equal({ secrets: rotated.resealed });
  });

  it('are encrypted anew together with the secrets of second factors', async () => {
    const { userId } = await owner();
    const place = totpPlace(userId);
    const sealed = sealText(createSecretBox(OLD), place, SECRET);
    await test.db.query('update users set totp_secret = $2 where id = $1', [userId, sealed]);
    const left = await rotateSettings(test.db, createSecretBox(NEW), operator('ops'));
    expect(left.unknown['old']).to.be.at.least(1);
    expect(
      (await rotateSettings(test.db, depsOf(`${NEW},${OLD}`).box, operator('ops'))).unknown,
    ).to.deep.equal({});
    const [user] = await test.db.query<{ totp_secret: string }[]>(
      'select totp_secret from users where id = $1',
      [userId],
    );
    expect(openText(createSecretBox(NEW), place, user?.totp_secret ?? '')).to.equal(SECRET);
  });
});

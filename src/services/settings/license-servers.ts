/**
 * Licence servers of accounts. Owners keep them. A secret comes in and never goes out again: answers say only that there is one.
 * A secret stays with the place that it was given for, because whoever could move a stored secret to a host of their own could
 * read it there. Each change and its entry in the audit log are one transaction.
 */
import { createHmac } from 'node:crypto';

import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { Account } from '../../../entities/accounts.ts';
import { LicenseServerEntity } from '../../../entities/settings.ts';
import type { LicenseServer } from '../../../entities/settings.ts';
import type { OutboundGuard } from '../../adapters/outbound/guard.ts';
import type { SessionActor } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { MOST_LICENSE_SERVERS } from '../../domain/license-servers.ts';
import type { LicenseServerRequest } from '../../domain/license-servers.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { LICENSE_SERVER, presentLicenseServer } from './license-server-rows.ts';
import type { LicenseServerRow } from './license-server-rows.ts';
import type { SealedSecret, SecretBox } from '../secret-box.ts';
import { bound } from '../bound.ts';
import type { Answers } from '../../domain/answers.ts';

type LicenseServerListResponse = Pick<Answers['listLicenseServers'], 'licenseServers'>;
type LicenseServerRecord = Answers['getLicenseServer'];
type LicenseServerTest = Answers['testLicenseServer'];

export interface LicenseServerDependencies {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly guard: OutboundGuard;
  /** The installation's secrets in hex, the present one first. */
  readonly secrets: readonly string[];
}

/** A request that makes a licence server. */
export interface LicenseServerCommand {
  readonly body: LicenseServerRequest;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** The address that the request came from. */
  readonly address: string;
}

/** The name space of ids that derive from idempotency keys. */
const SERVER_IDS = '5d0c7c1e-2f3b-5a4d-8c96-0f7b6e1a9d42';

/** The licence servers of the account, oldest first. */
export async function listLicenseServers(
  db: DataSource,
  actor: SessionActor,
): Promise<LicenseServerListResponse> {
  const rows = await db.query<LicenseServerRow[]>(
    `select ${LICENSE_SERVER} from license_servers s
     where s.account_id = $1 and s.removed_at is null order by s.created_at, s.id`,
    [actor.accountId],
  );
  return { licenseServers: rows.map(presentLicenseServer) };
}

/** One licence server. @throws NOT_FOUND. */
export async function readLicenseServer(
  db: DataSource,
  actor: SessionActor,
  id: string,
): Promise<LicenseServerRecord> {
  return presentLicenseServer(await find(db, actor, id));
}

/**
 * Adds a licence server; a repeat answers the one that was added.
 * @throws DESTINATION_REFUSED, LICENSE_SERVER_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function addLicenseServer(
  deps: LicenseServerDependencies,
  actor: SessionActor,
  command: LicenseServerCommand,
): Promise<LicenseServerRecord> {
  const { accountId, userId } = actor;
  const { body, address } = command;
  refuseDestination(deps.guard, body);
  const id = idOf(actor, command);
  const macs = deps.secrets.map((secret) => macOf(secret, command.fingerprint));
  const [requestMac = ''] = macs;
  return inTransaction(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const made = await tx
      .getRepository(LicenseServerEntity)
      .findOne({ select: { id: true, requestMac: true }, where: { id } });
    if (made !== null) {
      if (!macs.includes(made.requestMac)) throw keyReused();
      return presentLicenseServer(await findAny(tx, id));
    }
    await refuseMore(tx, accountId);
    const { secret = null, ...told } = body;
    const sealed = secret === null ? null : deps.box.seal(placeOf(accountId, id), secret);
    await tx
      .getRepository(LicenseServerEntity)
      .insert({ id, accountId, ...told, ...columnsOf(sealed), requestMac, createdBy: userId });
    const record = presentLicenseServer(await findAny(tx, id));
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'license-server.added',
      subject: id,
      after: tellable(record),
    });
    return record;
  });
}

/**
 * Changes a licence server to what is sent. A secret that is left out stays, if the place stays; a repeat changes nothing.
 * @throws NOT_FOUND, DESTINATION_REFUSED, LICENSE_SECRET_REQUIRED.
 */
export async function changeLicenseServer(
  deps: LicenseServerDependencies,
  actor: SessionActor,
  id: string,
  { body, address }: Pick<LicenseServerCommand, 'body' | 'address'>,
): Promise<LicenseServerRecord> {
  const { accountId } = actor;
  refuseDestination(deps.guard, body);
  return inTransaction(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const row = await find(tx, actor, id);
    const before = presentLicenseServer(row);
    const { secret, ...told } = body;
    refuseMovedSecret(before, body);
    const isSecretChanged = secret !== undefined && secret !== openSecret(deps.box, accountId, row);
    const sealed = isSecretChanged && secret !== null ? deps.box.seal(placeOf(accountId, id), secret) : null;
    if (!isSecretChanged && isSame(before, told)) return before;
    await tx.query(
      `update license_servers set name = $2, software = $3, protocol = $4, host = $5, port = $6, updated_at = clock_timestamp(),
         secret_key_id = case when $7 then $8 else secret_key_id end,
         sealed_secret = case when $7 then $9::bytea else sealed_secret end
       where id = $1`,
      [
        id,
        told.name,
        told.software,
        told.protocol,
        told.host,
        told.port,
        isSecretChanged,
        sealed?.keyId ?? null,
        sealed?.bytes ?? null,
      ],
    );
    const after = presentLicenseServer(await findAny(tx, id));
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'license-server.changed',
      subject: id,
      before: tellable(before),
      after: { ...tellable(after), isSecretChanged },
    });
    return after;
  });
}

/** Removes a licence server and its secret; a repeat changes nothing. @throws NOT_FOUND. */
export async function removeLicenseServer(
  db: DataSource,
  actor: SessionActor,
  id: string,
  address: string,
): Promise<void> {
  const { accountId } = actor;
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const servers = tx.getRepository(LicenseServerEntity);
    const known = await servers.findOne({ select: { id: true, removedAt: true }, where: { id, accountId } });
    if (known === null) throw unknownServer();
    if (known.removedAt !== null) return;
    const before = presentLicenseServer(await findAny(tx, id));
    await tx.query(
      'update license_servers set removed_at = clock_timestamp(), secret_key_id = null, sealed_secret = null where id = $1',
      [id],
    );
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'license-server.removed',
      subject: id,
      before: tellable(before),
    });
  });
}

/** Connects to a licence server once, and says how that went. @throws NOT_FOUND. */
export async function testLicenseServer(
  { db, box, guard }: Pick<LicenseServerDependencies, 'db' | 'box' | 'guard'>,
  actor: SessionActor,
  id: string,
): Promise<LicenseServerTest> {
  const row = await find(db, actor, id);
  const { protocol, host, port } = presentLicenseServer(row);
  const code = await guard.reach({ protocol, host, port }, openSecret(box, actor.accountId, row));
  return { ok: code === null, code };
}

/** Names the row that a secret is sealed for, so that the sealed bytes open in no other row. */
export function placeOf(accountId: string, id: string): string {
  return `license-server/${accountId}/${id}`;
}

function openSecret(box: SecretBox, accountId: string, row: LicenseServerRow): string | null {
  const { id, secret_key_id: keyId, sealed_secret: bytes } = row;
  return keyId === null || bytes === null ? null : box.open(placeOf(accountId, id), { keyId, bytes });
}

function columnsOf(sealed: SealedSecret | null): Pick<LicenseServer, 'secretKeyId' | 'sealedSecret'> {
  return { secretKeyId: sealed?.keyId ?? null, sealedSecret: sealed?.bytes ?? null };
}

function idOf(actor: SessionActor, { idempotencyKey }: LicenseServerCommand): string {
  return idempotencyKey === null ? uuidv7() : uuidv5(`${actor.accountId}/${idempotencyKey}`, SERVER_IDS);
}

/** A digest that nobody can compute who only reads the database: the request has a secret in it. */
function macOf(secretHex: string, fingerprint: string): string {
  const key = createHmac('sha256', Buffer.from(secretHex, 'hex')).update('license-server requests').digest();
  return createHmac('sha256', key).update(fingerprint).digest('hex');
}

/** Takes the lock under which settings of the account change, so that none comes into being beside its end. */
async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  const [account] = await tx.query<Row<Account, 'state'>[]>(
    'select state from accounts where id = $1 for no key update',
    [accountId],
  );
  if (account === undefined) throw inactiveAccount('CLOSED');
  if (account.state !== 'ACTIVE') throw inactiveAccount(account.state);
}

async function find(db: Queryable, actor: SessionActor, id: string): Promise<LicenseServerRow> {
  const [row] = await db.query<LicenseServerRow[]>(
    `select ${LICENSE_SERVER} from license_servers s where s.id = $1 and s.account_id = $2 and s.removed_at is null`,
    [id, actor.accountId],
  );
  if (row === undefined) throw unknownServer();
  return row;
}

/** The row of an id that is known to be of the account, removed or not. */
async function findAny(tx: Tx, id: string): Promise<LicenseServerRow> {
  const [row] = await tx.query<LicenseServerRow[]>(
    `select ${LICENSE_SERVER} from license_servers s where s.id = $1`,
    [id],
  );
  if (row === undefined) throw unknownServer();
  return row;
}

async function refuseMore(tx: Tx, accountId: string): Promise<void> {
  const [open] = await tx.query<{ readonly servers: number }[]>(
    'select count(*)::int as servers from license_servers where account_id = $1 and removed_at is null',
    [accountId],
  );
  if (open === undefined || open.servers < MOST_LICENSE_SERVERS) return;
  throw new AppError(
    'LICENSE_SERVER_LIMIT_REACHED',
    `The account has ${open.servers} licence servers, and no more are possible. Remove one first.`,
  );
}

const REFUSALS = {
  HOST_INVALID: 'is neither a name nor an address in its usual form',
  PORT_REFUSED: 'may not be connected to at this port: 80, 443 and those from 1024 on are possible',
  ADDRESS_REFUSED: 'is no address of the public internet',
} as const;

/** Refuses what can be refused without a look-up; the test refuses where the name leads. */
function refuseDestination(guard: OutboundGuard, { host, port }: LicenseServerRequest): void {
  const fault = guard.faultOf({ host, port });
  if (fault !== null) throw new AppError('DESTINATION_REFUSED', `The host ${host} ${REFUSALS[fault]}.`);
}

function refuseMovedSecret(before: LicenseServerRecord, body: LicenseServerRequest): void {
  const isMoved = before.protocol !== body.protocol || before.host !== body.host || before.port !== body.port;
  if (isMoved && before.hasSecret && body.secret === undefined)
    throw new AppError(
      'LICENSE_SECRET_REQUIRED',
      'The stored secret belongs to the protocol, host and port that it was given for. Send the secret again, or null for none.',
    );
}

function isSame(before: LicenseServerRecord, told: Omit<LicenseServerRequest, 'secret'>): boolean {
  const { name, software, protocol, host, port } = told;
  return (
    before.name === name &&
    before.software === software &&
    before.protocol === protocol &&
    before.host === host &&
    before.port === port
  );
}

/** Picks the facts of a licence server that the audit log may have. */
function tellable(record: LicenseServerRecord): Readonly<Record<string, unknown>> {
  const { name, software, protocol, host, port, hasSecret } = record;
  return { name, software, protocol, host, port, hasSecret };
}

function unknownServer(): AppError {
  return new AppError('NOT_FOUND', 'There is no such licence server in this account.');
}

/** Makes the operations on licence servers, for the API. */
export function createLicenseServers(deps: LicenseServerDependencies) {
  const [of, read] = [bound(deps), bound(deps.db)];
  return {
    list: read(listLicenseServers),
    add: of(addLicenseServer),
    read: read(readLicenseServer),
    change: of(changeLicenseServer),
    remove: read(removeLicenseServer),
    test: of(testLicenseServer),
  };
}

/**
 * No secret that an answer or a mail has shown is in the database, in any table, although every request has an Idempotency-Key:
 * neither in the answers that are kept for repeats nor anywhere else. Secrets are there by digest or sealed, and addresses with a signature are made anew.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';

const FILE = { filename: 'x.pdb', contentType: 'chemical/x-pdb', size: 7 };
const SERVER = {
  name: 'Render',
  software: 'houdini',
  protocol: 'https',
  host: 'licences.example.org',
  port: 5053,
};

describe('secrets that were shown', function () {
  this.timeout(120_000);
  let api: TestApi;
  let key: string;
  let person: Readonly<Record<string, string>>;
  const shown = new Map<string, string>();
  before(async () => {
    api = await testApi();
    const owner = await api.account();
    key = owner.liveKey;
    person = (await sessionOf(api, owner.accountId)).headers;
    shown.set('the key of the account', key);
    shown.set('the cookie of the session', secretOf(person['cookie'] ?? ''));
  });

  /** The random part of the value of a cookie, which the database may have by digest alone. */
  const secretOf = (cookie: string): string => {
    const [, claims = ''] = (cookie.split('=')[1] ?? '').split('.');
    return JSON.parse(Buffer.from(claims, 'base64url').toString()).secret;
  };
  const write = async (as: string | null, path: string, body?: unknown): Promise<Answer> => {
    const headers = { ...(as === null ? person : {}), 'idempotency-key': randomUUID() };
    const answer = await api.call(as, 'POST', path, body, { headers });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.below(300);
    return answer;
  };
  const note = (what: string, secret: unknown): void => {
    expect(String(secret).length, what).to.be.greaterThan(15);
    shown.set(what, String(secret));
  };
  const signatureOf = (url: string): string | null => new URL(url).searchParams.get('X-Amz-Signature');
  const codeTo = async (email: string): Promise<string> => {
    const folder = join(api.stack.home, 'mail');
    let code: string | undefined;
    await until(`a mail to ${email}`, async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        const text = (await readFile(join(folder, name), 'utf8'))
          .replaceAll('\r\n', '\n')
          .replaceAll('=\n', '');
        if (text.includes(`To: ${email}`)) code ??= /^ {4}(\S{43})$/m.exec(text)?.[1];
      }
      return code !== undefined;
    });
    return code ?? '';
  };
  const showKeysAndFactors = async (): Promise<void> => {
    const made = (await write(null, 'keys', { name: 'CI', scopes: ['jobs:read'] })).body;
    note('a new key', made.key);
    note('a rotated key', (await write(null, `keys/${made.id}/rotate`, { overlapSeconds: 60 })).body.key);
    const { secret } = (await write(null, 'auth/totp')).body;
    note('the secret of a second factor', secret);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recoveryCodes } = (await write(null, 'auth/totp/confirm', { code })).body;
    for (const each of recoveryCodes) note(`the recovery code ${each}`, each);
  };
  const showCodes = async (): Promise<void> => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const { code } = (await write(null, 'auth/cli/approve', { challenge })).body;
    const begun = await write(null, 'auth/cli/session', { code, verifier });
    note('the code of a command line', code);
    note('the secret of a command line', verifier);
    note(
      'the session of a command line',
      secretOf((begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''),
    );
    const [email, guest] = [`${randomUUID()}@example.org`, `${randomUUID()}@example.org`];
    await write(null, 'invitations', { email: guest, role: 'member' });
    note('the code of an invitation', await codeTo(guest));
    const password = `a password ${randomUUID()}`;
    await write(null, 'auth/sign-up', { email, password });
    note('a password', password);
    note('the code of a sign-up', await codeTo(email));
  };
  const showAddresses = async (): Promise<void> => {
    const secret = `licence-${randomUUID()}`;
    await write(null, 'settings/license-servers', { ...SERVER, secret });
    note('the secret of a licence server', secret);
    const single = (await write(key, 'jobs/upload-url', FILE)).body;
    note('the signature of an upload', signatureOf(single.uploadUrl));
    const { uploadId } = (await write(key, 'uploads', FILE)).body;
    const parts = (await write(key, `uploads/${uploadId}/parts`, { parts: [{ partNumber: 1 }] })).body;
    note('the signature of a part', signatureOf(JSON.stringify(parts).match(/https?:[^"]+/)?.[0] ?? ''));
  };

  it('are nowhere in the database', async () => {
    await showKeysAndFactors();
    await showCodes();
    await showAddresses();
    const tables = await api.db.query<{ name: string }[]>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).to.be.greaterThan(40);
    for (const { name } of tables) {
      const [{ text } = { text: '' }] = await api.db.query<{ text: string }[]>(
        `select coalesce(string_agg(t::text, E'\\n'), '') as text from "${name}" t`,
      );
      for (const [what, secret] of shown)
        for (const form of [
          secret,
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('base64'),
        ])
          expect(text.includes(form), `${what} in ${name}`).to.equal(false);
      if (name === 'idempotency_keys') expect(text, 'answers are kept').to.contain(FILE.filename);
    }
  });
});

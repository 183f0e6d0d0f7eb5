/** Files of TLS and API keys that cannot serve are refused by the name of their setting, before anything is connected. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { openApiKey, plainAccess, readTls } from '../../../src/adapters/temporal/access.ts';
import type { TemporalAccess } from '../../../src/adapters/temporal/access.ts';
import { TemporalSettingsError } from '../../../src/adapters/temporal/settings-error.ts';
import { describeConfig, loadPart } from '../../../src/config.ts';
import { makeAuthority } from '../../support/certificate.ts';
import type { TestAuthority } from '../../support/certificate.ts';
import { until } from '../../support/until.ts';

describe('access to Temporal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-access-'));
  let authority: TestAuthority;
  let tls: TemporalAccess;
  before(async () => {
    authority = await makeAuthority();
    const { certFile, keyFile } = await authority.issue('dockyard-client');
    tls = {
      ...{ ...plainAccess('temporal.test:7233'), temporalTls: true, temporalServerName: 'temporal.test' },
      ...{ temporalCaFile: authority.caFile, temporalCertFile: certFile, temporalKeyFile: keyFile },
    };
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await authority.remove();
  });
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const refusalOf = (work: () => unknown): TemporalSettingsError => {
    try {
      work();
    } catch (error) {
      if (error instanceof TemporalSettingsError) return error;
      throw error;
    }
    throw new Error('Nothing was refused.');
  };

  it('reads authority, certificate and key, and nothing where TLS is off', () => {
    const found = readTls(tls);
    expect(found?.ca?.toString()).to.contain('BEGIN CERTIFICATE');
    expect(found?.pair?.key.toString()).to.contain('PRIVATE KEY');
    expect(found?.serverName).to.equal('temporal.test');
    expect(readTls({ ...tls, temporalTls: false })).to.equal(null);
  });

  it('refuses each file that cannot serve by the name of its setting', async () => {
    const [other, expired] = await Promise.all([
      authority.issue('other'),
      authority.issue('dockyard-client', { expired: true }),
    ]);
    const torn = fileOf('torn.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const wrong: readonly (readonly [Partial<TemporalAccess>, string])[] = [
      [{ temporalCaFile: join(folder, 'none.pem') }, 'DOCKYARD_TEMPORAL_CA_FILE'],
      [{ temporalCaFile: fileOf('text.pem', 'no certificate') }, 'DOCKYARD_TEMPORAL_CA_FILE'],
      [{ temporalCaFile: torn }, 'DOCKYARD_TEMPORAL_CA_FILE'],
      [{ temporalCertFile: torn }, 'DOCKYARD_TEMPORAL_CERT_FILE'],
      [
        { temporalCertFile: expired.certFile, temporalKeyFile: expired.keyFile },
        'DOCKYARD_TEMPORAL_CERT_FILE',
      ],
      [{ temporalKeyFile: other.keyFile }, 'DOCKYARD_TEMPORAL_KEY_FILE'],
      [{ temporalKeyFile: other.certFile }, 'DOCKYARD_TEMPORAL_KEY_FILE'],
    ];
    const known = describeConfig().map(({ name }) => name);
    for (const [change, variable] of wrong) {
      const { message, variable: named } = refusalOf(() => readTls({ ...tls, ...change }));
      expect(named, message).to.equal(variable);
      expect(message).to.match(new RegExp(`^${variable}: .+\\.$`));
      expect(known).to.include(variable);
    }
  });

  it('follows the file of the API key, and keeps the key while the file is being written', async () => {
    const file = fileOf('key', 'first\n');
    const key = openApiKey({ ...tls, temporalApiKeyFile: file });
    expect(key?.current()).to.equal('first');
    fileOf('key', '');
    await until('the key is read again', async () => {
      expect(key?.current()).to.equal('first');
      fileOf('key', 'second\n');
      return true;
    });
    await until('the new key is sent', () => key?.current() === 'second');
    const none = refusalOf(() => openApiKey({ ...tls, temporalApiKeyFile: fileOf('two', 'a b') }));
    expect(none.variable).to.equal('DOCKYARD_TEMPORAL_API_KEY_FILE');
    expect(openApiKey(tls)).to.equal(null);
  });

  it('is refused by the configuration where a key would be sent, or an authority ignored, without TLS', () => {
    const base = { DOCKYARD_TEMPORAL_ADDRESS: 'h:1' };
    const keys = [
      ...(['temporalAddress', 'temporalTls', 'temporalCaFile', 'temporalCertFile'] as const),
      ...(['temporalKeyFile', 'temporalServerName', 'temporalApiKeyFile'] as const),
    ] as const;
    const load = (env: Readonly<Record<string, string>>) => loadPart('gateway', keys, env);
    for (const name of ['CA_FILE', 'CERT_FILE', 'SERVER_NAME', 'API_KEY_FILE'].map(
      (one) => `DOCKYARD_TEMPORAL_${one}`,
    ))
      expect(() => load({ ...base, [name]: 'some' })).to.throw(`"${name}" needs DOCKYARD_TEMPORAL_TLS=true`);
    const on = { ...base, DOCKYARD_TEMPORAL_TLS: 'true' };
    expect(() => load({ ...on, DOCKYARD_TEMPORAL_CERT_FILE: 'c' })).to.throw(
      '"DOCKYARD_TEMPORAL_KEY_FILE" is required with DOCKYARD_TEMPORAL_CERT_FILE',
    );
    expect(() => load({ ...on, DOCKYARD_TEMPORAL_KEY_FILE: 'k' })).to.throw(
      '"DOCKYARD_TEMPORAL_KEY_FILE" goes with DOCKYARD_TEMPORAL_CERT_FILE',
    );
    const { temporalTls, temporalCaFile } = load({ ...on, DOCKYARD_TEMPORAL_CA_FILE: 'ca' });
    expect({ temporalTls, temporalCaFile }).to.deep.equal({ temporalTls: true, temporalCaFile: 'ca' });
  });
});

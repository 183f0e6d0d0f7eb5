/**
 * Licence servers at the door: secrets go in and come out nowhere. That the endpoints are for owners who have signed in is in
 * the table of `test/api/doors-matrix.test.ts`.
 */
import { expect } from 'chai';

import { check } from '../../../api/http/validation.ts';
import { settingsEndpoints } from '../../../api/settings/routes.ts';
import { licenseServerBody } from '../../../api/settings/schemas.ts';
import { JOB_ID } from './fake-services.ts';
import type { Reply } from './test-app.ts';
import { TestApp } from './test-app.ts';

const BODY = {
  ...{ name: 'Render', software: 'houdini', protocol: 'https', host: 'licences.example.org', port: 443 },
  secret: 'hunter2',
};

describe('settings at the door', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await new TestApp().start();
  });
  afterEach(() => app.stop());

  const reach = ({ method, path, body }: (typeof settingsEndpoints)[number]): Promise<Reply> => {
    const headers = { cookie: '__Host-dockyard-session=person_owner', 'sec-fetch-site': 'same-origin' };
    return app.call(method, `/api/v1${path.replace(':licenseServerId', JOB_ID)}`, {
      ...{ key: null, headers },
      ...(body === undefined ? {} : { body: BODY }),
    });
  };

  it('answer an owner what they declare', async () => {
    expect(settingsEndpoints).to.have.length(6);
    for (const endpoint of settingsEndpoints) {
      const { status } = await reach(endpoint);
      expect(Object.keys(endpoint.answers), endpoint.operationId).to.include(String(status));
    }
  });

  it('answer no secret, and declare none', async () => {
    for (const endpoint of settingsEndpoints) {
      expect((await reach(endpoint)).text).to.not.contain('hunter2');
      for (const { schema } of Object.values(endpoint.answers))
        expect(JSON.stringify(schema?.describe() ?? {})).to.not.contain('"secret"');
    }
    expect(JSON.stringify(app.logged)).to.not.contain('hunter2');
  });

  it('take what a header can carry as a secret, and what a host looks like', () => {
    const isTaken = (more: object): boolean => check(licenseServerBody, { ...BODY, ...more }, false).ok;
    for (const secret of [null, undefined, 'x', '~'.repeat(4_096)])
      expect(isTaken({ secret })).to.equal(true);
    for (const secret of ['', 'a b', 'a\r\nX: y', 'ä', '~'.repeat(4_097)])
      expect(isTaken({ secret })).to.equal(false);
    const missed = check(licenseServerBody, { ...BODY, secret: 'hunter2 with a space' }, false);
    expect(missed.ok ? '' : missed.message)
      .to.contain('"secret" fails to match')
      .and.not.contain('hunter2');
    for (const host of ['', 'a b', 'a/b', 'user@host', 'a\n', '[::1]'])
      expect(isTaken({ host })).to.equal(false);
    for (const port of [0, 65_536, 1.5, '443']) expect(isTaken({ port })).to.equal(false);
    expect(isTaken({ protocol: 'ftp' })).to.equal(false);
    expect(isTaken({ secretKeyId: 'k' })).to.equal(false);
  });
});

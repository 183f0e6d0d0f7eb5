import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { apiUrlOf, findApiUrl, findLogin, loginFile, writeLogin } from '../../../src/cli/customer/profile.ts';

describe('the login of a customer', () => {
  let [folder, env] = ['', {} as Record<string, string>];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-login-'));
    env = { HOME: folder, DOCKYARD_HOME: join(folder, 'stack') };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const stack = (apiUrl: string): void => {
    mkdirSync(join(folder, 'stack'));
    writeFileSync(join(folder, 'stack', 'endpoints.json'), JSON.stringify({ apiUrl }));
  };

  it('is kept where XDG says, for nobody else to read, also when the file was open before', () => {
    expect(loginFile({ HOME: '/h' })).to.equal('/h/.config/dockyard/login.json');
    expect(loginFile({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).to.equal('/x/dockyard/login.json');
    expect(loginFile({ HOME: '/h', XDG_CONFIG_HOME: 'relative' })).to.equal('/h/.config/dockyard/login.json');
    const login = { apiUrl: 'https://a.example', apiKey: 'svc_live_1' };
    mkdirSync(join(folder, '.config', 'dockyard'), { recursive: true });
    writeFileSync(loginFile(env), 'open to all', { mode: 0o644 });
    const file = writeLogin(env, login);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal(login);
    expect(findLogin(env, folder)).to.deep.equal(login);
  });

  it('gives way to the environment, and its key goes to no other service', () => {
    writeLogin(env, { apiUrl: 'https://a.example', apiKey: 'svc_live_1' });
    const other = { ...env, DOCKYARD_API_URL: 'https://b.example/api/v1/' };
    expect(() => findLogin(other, folder))
      .to.throw('no key for https://b.example')
      .with.property('exitCode', 2);
    expect(findLogin({ ...other, DOCKYARD_API_KEY: 'k' }, folder)).to.deep.equal({
      apiUrl: 'https://b.example',
      apiKey: 'k',
    });
    expect(findLogin({ ...env, DOCKYARD_API_KEY: 'k' }, folder)).to.deep.equal({
      apiUrl: 'https://a.example',
      apiKey: 'k',
    });
    expect(findLogin({ ...env, DOCKYARD_API_URL: 'https://a.example' }, folder).apiKey).to.equal(
      'svc_live_1',
    );
  });

  it('has the address of a stack on this machine when nothing else names one', () => {
    expect(findApiUrl(env, folder)).to.equal(null);
    expect(() => findLogin(env, folder))
      .to.throw('dockyard login')
      .with.property('code', 'NOT_LOGGED_IN');
    stack('http://127.0.0.1:8080');
    expect(findApiUrl(env, folder)).to.equal('http://127.0.0.1:8080');
    writeLogin(env, { apiUrl: 'https://a.example', apiKey: 'k' });
    expect(findApiUrl(env, folder)).to.equal('https://a.example');
  });

  it('takes addresses as people write them, and refuses what is none', () => {
    for (const text of [
      'https://a.example',
      'https://a.example/',
      'https://a.example/api/v1',
      'https://a.example/api/v1/',
    ])
      expect(apiUrlOf(text)).to.equal('https://a.example');
    expect(apiUrlOf('https://a.example/dock')).to.equal('https://a.example/dock');
    for (const text of [
      '',
      'a.example',
      'ftp://a.example',
      'https://user:pw@a.example',
      'https://a.example?x=1',
    ])
      expect(() => apiUrlOf(text), text).to.throw('no address');
  });
});

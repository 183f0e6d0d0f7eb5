import { expect } from 'chai';
import { uvSettings } from '../../../scripts/lib/uv.mjs';

describe('what uv is told of the configuration of pip', () => {
  const ALWAYS = ['--system-certs', '--index-strategy', 'unsafe-best-match'];

  it('is where the indexes are, whom to believe, and how long to wait', () => {
    const listed = [
      ":env:.default-timeout='180'",
      "global.cert='/etc/ssl/own.pem'",
      "global.extra-index-url='\\nhttps://a.example.org/simple\\nhttps://b.example.org/simple'",
      "global.index-url='https://mirror.example.org/simple'",
      "global.no-index='false'",
      "install.find-links='/opt/wheels'",
    ].join('\n');
    const { options, variables } = uvSettings(listed);
    expect(options.slice(0, ALWAYS.length)).to.deep.equal(ALWAYS);
    expect(options.slice(ALWAYS.length)).to.have.members([
      ...['--default-index', 'https://mirror.example.org/simple', '--find-links', '/opt/wheels'],
      ...['--index', 'https://a.example.org/simple', '--index', 'https://b.example.org/simple'],
    ]);
    expect(variables).to.deep.equal({ SSL_CERT_FILE: '/etc/ssl/own.pem', UV_HTTP_TIMEOUT: '180' });
  });

  it('is what the environment says before what files say, and nothing where there is nothing', () => {
    const listed = "global.index-url='https://file.example.org'\n:env:.index-url='https://env.example.org'\n";
    expect(uvSettings(listed).options.slice(ALWAYS.length)).to.deep.equal([
      '--default-index',
      'https://env.example.org',
    ]);
    expect(uvSettings('')).to.deep.equal({ options: ALWAYS, variables: {} });
  });
});

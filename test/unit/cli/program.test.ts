import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { runCommandLine } from '../../../src/cli/program.ts';
import { isUnreachable, reportOf } from '../../../src/cli/problems.ts';
import { findSettings } from '../../../src/cli/settings.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { VERSION } from '../../../src/version.ts';

interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('the command line', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-cli-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (argv: readonly string[], env: Record<string, string> = {}): Promise<Ending> => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(argv, {
      env: { DOCKYARD_HOME: join(folder, 'nothing'), ...env },
      folder,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  };
  const commands = [
    'admin account create',
    'admin credits grant',
    'admin jobs list',
    'admin jobs pause',
    'admin instances',
    'admin sweep',
    'ledger verify',
    'migrate',
  ];

  it('has help with examples and --json at every command, and help at every group', async () => {
    for (const command of commands) {
      const { code, out, err } = await run([...command.split(' '), '--help']);
      expect({ code, err }, command).to.deep.equal({ code: 0, err: '' });
      expect(out).to.contain('--json').and.to.contain(`$ dockyard ${command}`);
    }
    for (const group of ['', 'admin', 'admin account', 'admin credits', 'admin jobs', 'ledger']) {
      const { code, out } = await run([...group.split(' ').filter(Boolean), '--help']);
      expect(code, group).to.equal(0);
      expect(out).to.contain('Usage: dockyard');
    }
  });

  it('says its version', async () => {
    expect(await run(['--version'])).to.deep.equal({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  it('ends with 2 when it is not understood, and prints nothing on standard output', async () => {
    const wrong = [
      [],
      ['admin'],
      ['nonsense'],
      ['admin', 'nonsense'],
      ['ledger', 'verify', '--nonsense'],
      ['ledger', 'verify', 'nonsense'],
      ['admin', 'account', 'create'],
      ['admin', 'account', 'create', '--email', 'a@example.org', '--credits-pence', '-1'],
      ['admin', 'credits', 'grant', '--account', 'a@example.org', '--pence', '0'],
      ['admin', 'jobs', 'list', '--status', 'DONE'],
      ['admin', 'jobs', 'list', '--limit', '0'],
      ['admin', 'jobs', 'pause'],
      ['admin', 'jobs', 'pause', '7'],
    ];
    for (const argv of wrong) {
      const { code, out, err } = await run(argv);
      expect({ code, out }, argv.join(' ')).to.deep.equal({ code: 2, out: '' });
      expect(err).not.to.equal('');
      const machine = await run([...argv, '--json']);
      expect(machine.code).to.equal(2);
      expect(JSON.parse(machine.err)).to.include({ code: 'USAGE' });
    }
  });

  it('ends with 6 and says what to start when there is no stack', async () => {
    for (const argv of [['ledger', 'verify'], ['admin', 'jobs', 'list'], ['migrate'], ['admin', 'sweep']]) {
      const { code, out, err } = await run(argv);
      expect({ code, out }).to.deep.equal({ code: 6, out: '' });
      expect(err).to.contain('npm start').and.to.contain(folder);
      expect(err.split('\n')).to.have.length(2);
    }
  });

  it('ends with 6 when the database does not answer, without its password and without a trace', async () => {
    const away = { DOCKYARD_DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/books' };
    for (const argv of [['ledger', 'verify'], ['migrate']]) {
      const { code, err } = await run(argv, away);
      expect(code).to.equal(6);
      expect(err).to.contain('127.0.0.1:1/books').and.not.to.contain('secret');
      expect(err.split('\n')).to.have.length(2);
      const machine = await run([...argv, '--json'], away);
      expect(JSON.parse(machine.err)).to.include({ code: 'SERVICE_UNAVAILABLE' });
    }
    const debug = await run(['migrate'], { ...away, DOCKYARD_LOG_LEVEL: 'debug' });
    expect(debug.err).to.contain('    at ').and.not.to.contain('secret');
  });

  it('asks only for the settings that the command needs', async () => {
    const { code, err } = await run(['admin', 'sweep'], {
      DOCKYARD_DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/books',
    });
    expect(code).to.equal(2);
    expect(err).to.contain('DOCKYARD_COMPUTE_TOKEN').and.not.to.contain('DOCKYARD_SECRET');
  });

  it('takes the stack of the named folder, else of the working folder, unless a database is named', () => {
    const stack = (url: string): string =>
      JSON.stringify({ environment: { DOCKYARD_DATABASE_URL: url, DOCKYARD_TEMPORAL_ADDRESS: 'stack:1' } });
    const home = mkdtempSync(join(folder, 'home-'));
    writeFileSync(join(home, 'stack.json'), stack('postgres://stack/one'));
    const url = (env: Record<string, string>): string =>
      findSettings(env, home).read('databaseUrl').databaseUrl;
    expect(url({ DOCKYARD_HOME: home })).to.equal('postgres://stack/one');
    expect(url({ DOCKYARD_HOME: '.' })).to.equal('postgres://stack/one');
    const both = { DOCKYARD_HOME: home, DOCKYARD_DATABASE_URL: 'postgres://named/two' };
    expect(url(both)).to.equal('postgres://named/two');
    expect(() => findSettings(both, home).read('temporalAddress')).to.throw('DOCKYARD_TEMPORAL_ADDRESS');
  });

  it('tells refusals, outages and faults apart', () => {
    const exitOf = (error: unknown): number | undefined => reportOf(error)?.exitCode;
    const coded = (code: string): Error => Object.assign(new Error('x'), { code });
    expect(exitOf(new AppError('NOT_FOUND', 'x'))).to.equal(2);
    expect(exitOf(new AppError('SERVICE_UNAVAILABLE', 'x'))).to.equal(6);
    expect(exitOf(coded('42P01'))).to.equal(2);
    expect(reportOf(coded('42P01'))?.message).to.contain('dockyard migrate');
    expect(exitOf(new Error('x'))).to.equal(1);
    for (const code of ['ECONNREFUSED', '57P01', '08006', 'UND_ERR_CONNECT_TIMEOUT'])
      expect(exitOf(coded(code)), code).to.equal(6);
    expect(
      isUnreachable(new Error('outer', { cause: new AggregateError([coded('ECONNREFUSED')], '') })),
    ).to.equal(true);
    expect(reportOf(new AggregateError([coded('ECONNREFUSED')], ''))?.message).to.equal('x');
  });
});

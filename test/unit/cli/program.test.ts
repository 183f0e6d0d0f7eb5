import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { exitCodeOf } from '../../../src/cli/customer/job-text.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { reportOf } from '../../../src/cli/problems.ts';
import { findSettings } from '../../../src/cli/settings.ts';
import { ClientError } from '../../../src/client/index.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { PRO_ALLOWANCE_PENCE } from '../../../src/domain/plans.ts';
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
  /** Names of the commands that a help lists. */
  const listed = (help: string): string[] =>
    [...(help.split('\nCommands:\n')[1]?.matchAll(/^ {2}([a-z][\w-]*)/gm) ?? [])].map(
      ([, name]) => name ?? '',
    );
  /** The commands below a group, each with its help; the groups on the way have help, too. */
  const commandsBelow = async (group: readonly string[]): Promise<(readonly [string, string])[]> => {
    const { code, out, err } = await run([...group, '--help']);
    expect({ code, err }, group.join(' ')).to.deep.equal({ code: 0, err: '' });
    expect(out).to.contain('Usage: dockyard');
    const names = listed(out);
    if (names.length === 0) return [[group.join(' '), out]];
    return (await Promise.all(names.map((name) => commandsBelow([...group, name])))).flat();
  };

  it('has help with examples and --json at every command, and help at every group', async () => {
    const commands = await commandsBelow([]);
    expect(commands.length).to.be.above(80);
    for (const [command, help] of commands) {
      expect(help, command).to.contain('--json');
      // Each example is a line that runs as it stands.
      const examples = help.split('\nExamples:\n')[1]?.match(/^ {2}\$ .*/gm) ?? [];
      expect(examples, command).to.not.deep.equal([]);
      for (const example of examples) expect(`${example} `).to.contain(`$ dockyard ${command} `);
    }
  });

  it('is told whole in the README', async () => {
    const told = readFileSync(join(repositoryRoot, 'README.md'), 'utf8').matchAll(
      /`(?:\.\/dockyard )?([a-z][\w-]*)/g,
    );
    const words = new Set([...told].map(([, word]) => word));
    const { out } = await run(['--help']);
    expect(listed(out).filter((name) => !words.has(name))).to.deep.equal([]);
  });

  it('loads no database, no engine and no tool for the list of its commands', () => {
    const listing = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      process.on('exit', () => console.error(loaded.join('\\n')));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(listing)}`,
        join(repositoryRoot, 'src/bin/dockyard.ts'),
        '--help',
      ],
      { encoding: 'utf8', env: { ...process.env, DOCKYARD_HOME: folder } },
    );
    for (const command of ['dock', 'admin', 'ledger', 'migrate', 'tools'])
      expect(stdout).to.match(new RegExp(`^  ${command} `, 'm'));
    expect(stderr).to.contain('src/cli/program.ts');
    // The commands that tools bring are listed without the tools: what plans, prices, runs and verifies stays unread.
    const heavy =
      /node_modules\/(?:typeorm|pg|joi|undici|@temporalio|@grpc)\/|\/src\/services\/|\/src\/tools\/(?:.+\/)?(?:index|tool|registry|catalogue|plan|price|session|verify|found|live-view)\.ts$/;
    const isCommand = (url: string): boolean =>
      url.endsWith('/command/index.ts') || url.endsWith('/ligands/index.ts');
    expect(stderr.split('\n').filter((url) => heavy.test(url) && !isCommand(url))).to.deep.equal([]);
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
      ['status'],
      ['watch', '7'],
      ['outputs', 'x'],
      ['dock'],
      ['dock', '--receptor', '1A28', '--ligands', 'a.smi', '--center', '1,2'],
      ['submit', 'a.json', '--max-price', 'much'],
      ['submit', 'a.json', '--idempotency-key', 'short'],
      ['explain'],
      ['project', 'export', '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11', '--version', '1'],
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

  const away = { DOCKYARD_DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/books' };

  it('grants, adjusts, refunds and sets plans only with a key and a reason, and above £100 only with --yes', async () => {
    const credits = (what: string) => ['admin', 'credits', what];
    const account = ['--account', 'ada@example.org'];
    const topup = '01890a5d-ac96-774b-bcce-b302099a8057';
    const why = ['--key', 'k', '--reason', 'A gift'];
    for (const command of [
      [...credits('grant'), ...account],
      [...credits('adjust'), ...account],
      [...credits('refund'), topup],
    ]) {
      const ends = async (...more: string[]) => (await run([...command, ...more], away)).code;
      const name = command.join(' ');
      expect(await ends('--pence', '5', '--key', 'k'), `${name} without a reason`).to.equal(2);
      expect(await ends('--pence', '5', '--reason', 'r'), `${name} without a key`).to.equal(2);
      expect(await ends('--pence', '10001', ...why), `${name} unasked`).to.equal(2);
      // What makes sense comes as far as the database.
      expect(await ends('--pence', '10000', ...why), `${name} of £100`).to.equal(6);
      expect(await ends('--pence', '10001', ...why, '--yes'), `${name} meant`).to.equal(6);
    }
    const plan = async (...more: string[]) =>
      (await run(['admin', 'plan', 'set', 'ada@example.org', '--plan', 'pro', ...more], away)).code;
    expect([await plan('--key', 'k'), await plan('--reason', 'r'), await plan(...why)]).to.deep.equal([
      ...[2, 2, 6],
    ]);
    const create = async (pence: string, ...more: string[]) =>
      (
        await run(
          [
            ...['admin', 'account', 'create', '--email', 'ada@example.org'],
            ...['--credits-pence', pence, ...more],
          ],
          away,
        )
      ).code;
    const gift = ['--credits-key', 'k', '--credits-reason', 'A trial'];
    expect(await create('5'), 'credits of an account without key and reason').to.equal(2);
    expect(await create('5', '--credits-key', 'k'), 'credits without a reason').to.equal(2);
    expect(await create('5', '--credits-reason', 'r'), 'credits without a key').to.equal(2);
    expect(await create('0', ...gift), 'a reason of nothing').to.equal(2);
    expect(await create('10001', ...gift), 'credits unasked').to.equal(2);
    expect(await create('10000', ...gift)).to.equal(6);
    expect(await create('10001', ...gift, '--yes')).to.equal(6);
    expect(await create('0')).to.equal(6);
    // A plan asks for no second word: what it grants in a month is less than what is asked for.
    expect(PRO_ALLOWANCE_PENCE).to.be.at.most(10_000);
  });

  it('corrects credits up and down by whole pence, and limits keys by both options', async () => {
    const adjust = (pence: string, ...more: readonly string[]) =>
      run(['admin', 'credits', 'adjust', '--account', 'ada@example.org', '--pence', pence, ...more], away);
    const why = ['--key', 'k', '--reason', 'Charged twice'];
    for (const [pence, ...more] of [
      ['0', ...why],
      ['-0', ...why],
      ['1.5', ...why],
      ['x', ...why],
      ['-10001', ...why],
    ])
      expect((await adjust(pence ?? '', ...more)).code, `${pence} ${more.join(' ')}`).to.equal(2);
    // What makes sense comes as far as the database.
    for (const [pence, ...more] of [
      ['-5', ...why],
      ['-10001', ...why, '--yes'],
    ])
      expect((await adjust(pence ?? '', ...more)).code, `${pence} ${more.join(' ')}`).to.equal(6);
    const limits = ['admin', 'limits', '--account', 'ada@example.org'];
    const key = ['--key', '01890a5d-ac96-774b-bcce-b302099a8057'];
    for (const wrong of [
      key,
      ['--key-month-pence', '5'],
      ['--job-pence', '-1'],
      ['--month-pence', '100000001'],
    ])
      expect((await run([...limits, ...wrong], away)).code, wrong.join(' ')).to.equal(2);
    for (const right of [[], ['--job-pence', 'none'], [...key, '--key-month-pence', '5']])
      expect((await run([...limits, ...right], away)).code, right.join(' ')).to.equal(6);
  });

  it('ends with 2 before it talks to the service when what a customer gives makes no sense', async () => {
    writeFileSync(join(folder, 'a.smi'), 'C methane');
    writeFileSync(join(folder, 'bad.json'), '{');
    writeFileSync(join(folder, 'list.json'), '[]');
    writeFileSync(join(folder, 'twice.json'), '{"jobType": "noop", "metadata": {"a": 1, "a": 2}}');
    writeFileSync(join(folder, 'huge.json'), '{"jobType": "noop", "metadata": {"a": 1e400}}');
    const away = { DOCKYARD_API_URL: 'http://127.0.0.1:1', DOCKYARD_API_KEY: 'svc_live_x' };
    const dock = ['dock', '--receptor', '1A28', '--ligands', 'a.smi'];
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [dock, 'USAGE_BOX'],
      [[...dock, '--center', '1,2,3'], 'USAGE_BOX'],
      [[...dock, '--center', '1,2,3', '--size', '20', '--box-from-ligand', 'STR'], 'USAGE_BOX'],
      [['dock', '--receptor', '1A28', '--box-from-ligand', 'STR'], 'USAGE_LIGANDS'],
      [[...dock, '--box-from-ligand', 'STR', '--require-control', '2.0'], 'VALIDATION_ERROR'],
      [['dock', '--receptor', 'no.pdb', '--ligands', 'a.smi', '--box-from-ligand', 'STR'], 'USAGE_INPUT'],
      [['dock', '--receptor', '1A28', '--ligands', 'no.smi', '--box-from-ligand', 'STR'], 'USAGE_INPUT'],
      [['submit', 'no.json'], 'USAGE_REQUEST'],
      [['submit', 'bad.json'], 'USAGE_REQUEST'],
      [['estimate', 'list.json'], 'USAGE_REQUEST'],
      [['submit', 'twice.json'], 'USAGE_REQUEST'],
      [['submit', 'huge.json'], 'USAGE_REQUEST'],
      [['explain', 'qwertyuiop'], 'USAGE_UNKNOWN_WORD'],
      [['login', '--url', 'nowhere', '--key', 'k'], 'USAGE_URL'],
      [['login', '--key', ''], 'USAGE_MISSING'],
    ];
    for (const [argv, code] of wrong) {
      const ending = await run([...argv, '--json'], {
        ...away,
        DOCKYARD_API_KEY: argv[0] === 'login' ? '' : 'k',
      });
      expect({ code: ending.code, out: ending.out }, argv.join(' ')).to.deep.equal({ code: 2, out: '' });
      expect(JSON.parse(ending.err)).to.include({ code });
    }
    const nobody = await run(['balance', '--json'], { HOME: folder });
    expect([nobody.code, JSON.parse(nobody.err).code]).to.deep.equal([2, 'NOT_LOGGED_IN']);
  });

  it('ends with 6 when the service does not answer', async () => {
    const { code, out, err } = await run(['balance'], {
      DOCKYARD_API_URL: 'http://127.0.0.1:1',
      DOCKYARD_API_KEY: 'svc_live_x',
    });
    expect({ code, out }).to.deep.equal({ code: 6, out: '' });
    expect(err).to.contain('http://127.0.0.1:1').and.not.to.contain('svc_live_x');
  });

  it('explains without a service', async () => {
    const { code, out } = await run(['explain', 'exhaustiveness']);
    expect(code).to.equal(0);
    expect(out).to.contain('Bound     1 to 128');
    const listed = await run(['explain', '--list', '--json']);
    expect(listed.code).to.equal(0);
    expect(JSON.parse(listed.out).codes.map((each: { code: string }) => each.code)).to.include.members([
      ...['NOT_FOUND', 'LIGAND_PARSE_FAILED', 'BOX_LARGE', 'RECOVERING', 'CONNECTION_LOST'],
    ]);
  });

  it('asks only for the settings that the command needs', async () => {
    const { code, err } = await run(['admin', 'sweep'], {
      DOCKYARD_DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/books',
    });
    expect(code).to.equal(2);
    expect(err).to.contain('DOCKYARD_COMPUTE_TOKEN').and.not.to.contain('DOCKYARD_SECRET');
  });

  it('takes the stack of the named folder, else of the working folder, unless a database is named', async () => {
    const stack = (url: string): string =>
      JSON.stringify({ environment: { DOCKYARD_DATABASE_URL: url, DOCKYARD_TEMPORAL_ADDRESS: 'stack:1' } });
    const home = mkdtempSync(join(folder, 'home-'));
    writeFileSync(join(home, 'stack.json'), stack('postgres://stack/one'));
    const url = async (env: Record<string, string>): Promise<string> =>
      (await findSettings(env, home).read('databaseUrl')).databaseUrl;
    expect(await url({ DOCKYARD_HOME: home })).to.equal('postgres://stack/one');
    expect(await url({ DOCKYARD_HOME: '.' })).to.equal('postgres://stack/one');
    const both = { DOCKYARD_HOME: home, DOCKYARD_DATABASE_URL: 'postgres://named/two' };
    expect(await url(both)).to.equal('postgres://named/two');
    const refused = await findSettings(both, home)
      .read('temporalAddress')
      .catch((error: unknown) => String(error));
    expect(refused).to.contain('DOCKYARD_TEMPORAL_ADDRESS');
  });

  it('tells refusals, outages and faults apart', () => {
    const exitOf = (error: unknown): number | undefined => reportOf(error)?.exitCode;
    const coded = (code: string): Error => Object.assign(new Error('x'), { code });
    expect(exitOf(new AppError('NOT_FOUND', 'x'))).to.equal(2);
    expect(exitOf(new AppError('SERVICE_UNAVAILABLE', 'x'))).to.equal(6);
    const answered = (status: number, code = 'X'): number | undefined =>
      exitOf(new ClientError('x', { status, code }));
    expect([0, 502, 503, 504].map((status) => answered(status, 'CONNECTION_LOST'))).to.deep.equal([
      6, 6, 6, 6,
    ]);
    expect([400, 402, 403, 404, 422, 429].map((status) => answered(status))).to.deep.equal([
      2, 2, 2, 2, 2, 2,
    ]);
    expect([500, 200].map((status) => answered(status))).to.deep.equal([1, 1]);
    expect([answered(503, 'PAYMENTS_NOT_CONFIGURED'), answered(503, 'MAINTENANCE')]).to.deep.equal([2, 6]);
    const unfit = ['FILE_UNREADABLE', 'FILE_EMPTY', 'PACKAGE_INVALID'];
    expect(unfit.map((code) => answered(0, code))).to.deep.equal([2, 2, 2]);
    expect(answered(0, 'STATE_UNUSABLE')).to.equal(1);
    const ends = ['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED', 'RUNNING', 'PAUSED'] as const;
    expect(ends.map(exitCodeOf)).to.deep.equal([0, 3, 4, 5, 0, 0]);
    expect(exitOf(coded('42P01'))).to.equal(2);
    expect(reportOf(coded('42P01'))?.message).to.contain('dockyard migrate');
    expect(exitOf(new Error('x'))).to.equal(1);
    for (const code of ['ECONNREFUSED', '57P01', '08006', 'UND_ERR_CONNECT_TIMEOUT'])
      expect(exitOf(coded(code)), code).to.equal(6);
    expect(reportOf(new AggregateError([coded('ECONNREFUSED')], ''))?.message).to.equal('x');
  });
});

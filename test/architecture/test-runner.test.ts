// The guarantees of the test runner: a test that fails, crashes or leaves processes behind is counted, and a run
// without tests is no success.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runCheck, runCounted, runSuite } from '../../scripts/test-process.ts';
import type { Outcome } from '../../scripts/test-process.ts';
import { listChecks, repositoryRoot, stageNames, suiteOf } from '../../scripts/test-plan.ts';
import type { Company } from '../../scripts/test-plan.ts';

const folder = join(repositoryRoot, '.cache', `runner-${String(process.pid)}`);

async function outcomeOf(name: string, source: string, company: Company = 'steady'): Promise<Outcome> {
  const path = join(folder, `${name}.test.ts`);
  writeFileSync(path, source);
  const suite = { ...suiteOf([relative(repositoryRoot, path)]), name: `runner-${name}`, company };
  return runSuite(suite, undefined, false);
}

describe('test runner', () => {
  before(() => {
    mkdirSync(folder, { recursive: true });
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('counts what passed, failed and was skipped, and names the file with its time', async () => {
    const outcome = await outcomeOf(
      'mixed',
      `it('good', () => {}); it('bad', () => { throw new Error('no luck'); }); it.skip('later', () => {});`,
    );
    expect(outcome).to.include({ passed: 1, failed: 1, skipped: 1 });
    expect(outcome.output)
      .to.match(/\d\.\d\d s {2}\S*mixed\.test\.ts/)
      .and.include('no luck');
  });

  it('counts the processor time of a file with that of the processes that it starts', async function () {
    if (process.platform !== 'linux') this.skip();
    const spin =
      'const end = Date.now() + 60000; while (process.cpuUsage().user < 300000 && Date.now() < end);';
    const outcome = await outcomeOf(
      'spinning',
      `import { spawnSync } from 'node:child_process';
       describe('a file', () => {
         it('waits for a busy child', () => void spawnSync(process.execPath, ['-e', ${JSON.stringify(spin)}]));
       });`,
    );
    expect(outcome.processorSeconds).to.be.at.least(0.3);
    const [, ofFile] = /\d s +(\d+\.\d+) s {2}\S*spinning\.test\.ts/.exec(outcome.output) ?? [];
    expect(Number(ofFile), outcome.output).to.be.within(0.3, outcome.processorSeconds ?? 0);
  });

  it('lets others go before a suite that times nothing, and before what the suite starts in sessions of their own', async () => {
    const outcome = await outcomeOf(
      'yielding',
      `import { spawn } from 'node:child_process';
       import { existsSync, readFileSync } from 'node:fs';
       import { getPriority } from 'node:os';
       import { until } from ${JSON.stringify(join(repositoryRoot, 'test/support/until.ts'))};
       it('is behind', async () => {
         const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
         const group = \`/proc/\${child.pid}/autogroup\`;
         try {
           await until('the priority is low', () => getPriority() >= 10 && getPriority(child.pid) >= 10);
           if (!existsSync(group)) return;
           await until('the session is behind', () => readFileSync(group, 'utf8').includes('nice 10'));
         } finally {
           child.kill('SIGKILL');
         }
       });`,
      'any',
    );
    expect(outcome, outcome.output).to.include({ passed: 1, failed: 0 });
  });

  it('lets everybody go before a check, which only computes', async () => {
    const script = join(folder, 'last.mjs');
    // The priority is lowered once the process has started.
    writeFileSync(
      script,
      `import { getPriority } from 'node:os'; import { setTimeout as sleep } from 'node:timers/promises';
       for (let left = 200; left > 0 && getPriority() < 19; left -= 1) await sleep(50);
       process.exitCode = getPriority() === 19 ? 0 : 1;`,
    );
    const outcome = await runCheck({ name: 'last', arguments: [script] });
    expect(outcome, outcome.output).to.include({ passed: 1, failed: 0 });
  });

  it('counts a file that cannot be loaded as a failure', async () => {
    const outcome = await outcomeOf('broken', `import { nothing } from './not-there.ts'; nothing();`);
    expect(outcome).to.include({ passed: 0, failed: 1 });
  });

  it('counts a process that dies in its tests as a failure', async () => {
    const outcome = await outcomeOf('dying', `it('dies', () => { process.kill(process.pid, 'SIGKILL'); });`);
    expect(outcome.failed).to.equal(1);
    expect(outcome.output).to.include('SIGKILL');
  });

  it('refuses a forgotten .only', async () => {
    const outcome = await outcomeOf('only', `it.only('one', () => {}); it('two', () => {});`);
    expect(outcome.failed).to.equal(1);
  });

  it('ends processes that a suite leaves behind, and counts them against it', async () => {
    const outcome = await outcomeOf(
      'littering',
      `import { spawn } from 'node:child_process';
       it('leaves a sleeper', () => { spawn('sleep', ['600'], { stdio: 'ignore' }).unref(); });`,
    );
    expect(outcome).to.include({ passed: 1, failed: 1 });
    expect(outcome.output).to.include('left processes running');
  });

  it('shows what a failing check printed', async () => {
    const script = join(folder, 'check.mjs');
    writeFileSync(script, `console.log('line 7 is wrong'); process.exitCode = 1;`);
    const outcome = await runCheck({ name: 'sample', arguments: [script] });
    expect(outcome).to.include({ passed: 0, failed: 1 });
    expect(outcome.output).to.include('line 7 is wrong');
  });

  it('counts the cases of a program that reports them, and its end without a report as a failure', async () => {
    const script = join(folder, 'counted.mjs');
    const report = join(folder, 'report.xml');
    const suite = '<testsuites><testsuite name="py" errors="1" failures="1" skipped="1" tests="7" />';
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(suite)}); console.log('two are bad'); process.exitCode = 1;`,
    );
    const counted = await runCounted({ name: 'py', arguments: [script] }, report, 60);
    expect(counted).to.include({ passed: 4, failed: 2, skipped: 1 });
    expect(counted.output).to.include('two are bad');
    const silent = join(folder, 'silent.mjs');
    writeFileSync(silent, 'process.exitCode = 4;');
    const broken = await runCounted({ name: 'py', arguments: [silent] }, report, 60);
    expect(broken).to.include({ passed: 0, failed: 1 });
  });

  it('has one check for what the compiler says and what the lint rules say of types', async function () {
    this.timeout(120_000);
    // The linter leaves out what lies in .cache.
    const tree = mkdtempSync(join(tmpdir(), 'dockyard-test-types-'));
    const options = {
      extends: join(repositoryRoot, 'tsconfig.json'),
      include: ['*.ts'],
      compilerOptions: { types: [] },
    };
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify(options));
    writeFileSync(join(tree, 'bad.ts'), `const work = async (): Promise<number> => 'one';\nwork();\n`);
    const check = listChecks().find(({ name }) => name === 'types and lint');
    const named = ['--config', '.oxlintrc.json', tree];
    const outcome = await runCheck({ name: 'tree', arguments: [...(check?.arguments ?? []), ...named] });
    rmSync(tree, { recursive: true });
    expect(outcome).to.include({ passed: 0, failed: 1 });
    expect(outcome.output).to.include('TS2322').and.include('no-floating-promises');
  });

  it('fails when nothing ran, and still ends with the counts', async () => {
    const run = promisify(execFile)(
      process.execPath,
      ['scripts/test.ts', '--only', 'replay', '--grep', 'no test has this name'],
      { cwd: repositoryRoot },
    );
    const error = await run.then(
      () => expect.fail('the run of nothing succeeded'),
      (failure: unknown) => failure as { code: number; stdout: string },
    );
    expect(error.code).to.equal(1);
    expect(error.stdout.trimEnd().split('\n').at(-1)).to.equal('0 passed, 0 failed');
  });

  it('has every check of package.json', () => {
    const names = listChecks().flatMap(({ name }) => name.split(' and '));
    expect(names).to.include.members(['lint', 'format', 'boundaries']);
    expect(stageNames).to.include('science');
  });
});

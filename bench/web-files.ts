/** Files of the web app and of its users: what serving it costs, a large file from the browser beside `dockyard upload`, and the bundle. */
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../src/config.ts';
import { createS3Store } from '../src/adapters/storage/s3.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { weighApp } from '../test/support/app-weight.ts';
import { fillFile, runCommand } from './commands.ts';
import { loadOver } from './http-load.ts';
import type { Row } from './report.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';
import type { BenchBrowser } from './web-browser.ts';

/** How much of the files is measured. */
export interface WebFilesSize {
  readonly uploads: number;
  readonly fileBytes: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly builds: number;
}

const CONNECTIONS = 50;
const GOALS = {
  files: 0.5,
  upload: 0.7,
  memoryBytes: 15e6,
  buildSeconds: 30,
  scripts: 200e3,
  styles: 20e3,
} as const;
const MOST_MS = 300_000;

/** Files of the app a second, against a bare server with the same file. */
export async function measureFiles({ stack }: BenchStack, { rounds, seconds }: WebFilesSize): Promise<Row> {
  const document = await (await fetch(stack.apiUrl)).text();
  const [, path = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(document) ?? [];
  const bare = fork(
    new URL('bare-file.ts', import.meta.url),
    [join(projectRoot, 'web', 'dist', `${path}.br`)],
    { execArgv: [] },
  );
  const port = await new Promise<unknown>((resolve) => bare.once('message', resolve));
  const headers = { 'accept-encoding': 'br' };
  const [ours, plain]: [number[], number[]] = [[], []];
  try {
    // A first round is not counted.
    for (let round = -1; round < rounds; round += 1) {
      const other = await rateOf(`http://127.0.0.1:${String(port)}/`, headers, seconds);
      const own = await rateOf(`${stack.apiUrl}${path}`, headers, seconds);
      if (round < 0) continue;
      ours.push(own);
      plain.push(other);
    }
  } finally {
    bare.disconnect();
  }
  const ratio = spreadOf(ratiosOf(ours, plain)).median;
  return {
    item: `files of the app over ${CONNECTIONS} connections, against bare Koa`,
    measured: describeSpread(spreadOf(ours), '/s', 0),
    baseline: describeSpread(spreadOf(plain), '/s', 0),
    ...{ ratio: ratio.toFixed(2), goal: `≥ ${GOALS.files}`, ok: ratio >= GOALS.files },
    figures: { ours, plain, path },
  };
}

async function rateOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<number> {
  const { perSecond, statuses } = await loadOver(CONNECTIONS, seconds, () => ({ url, headers }));
  if (statuses.size !== 1 || !statuses.has(200))
    throw new Error(`${url} answered ${[...statuses.keys()].join(', ')}.`);
  return perSecond;
}

/** Measures the memory that the app takes of the process that serves it. */
export async function measureMemory({ rounds }: WebFilesSize): Promise<Row> {
  const bytes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = fork(new URL('app-memory.ts', import.meta.url), [], { execArgv: ['--expose-gc'] });
    bytes.push(Number(await new Promise<unknown>((resolve) => child.once('message', resolve))));
  }
  const { median } = spreadOf(bytes);
  return {
    item: 'memory of serving the app',
    measured: `+${(median / 1e6).toFixed(1)} MB`,
    ...{ baseline: '', ratio: '', goal: `< ${GOALS.memoryBytes / 1e6} MB` },
    ok: median < GOALS.memoryBytes,
    figures: { bytes },
  };
}

/** A large file from the page of files, against `dockyard upload` of it, in turns. */
export async function measureUploads(
  bench: BenchStack,
  browser: BenchBrowser,
  account: BenchAccount,
  { uploads, fileBytes }: WebFilesSize,
): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-file-'));
  const store = createS3Store(loadConfig('cli', bench.stack.env));
  const [ours, theirs]: [number[], number[]] = [[], []];
  const rate = (seconds: number): number => fileBytes / seconds / 1e6;
  const file = join(folder, 'density.bin');
  const fromPage = async (): Promise<number> => {
    const visit = await browser.visit(account);
    // The command runs on this processor as it is, and so does the page.
    await visit.devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await visit.page.goto('/files');
    const field = visit.page.locator('input[type=file][multiple]');
    await field.waitFor({ state: 'attached' });
    const startedAt = performance.now();
    await field.setInputFiles(file);
    await visit.page.getByText('1 of 1 done').waitFor({ timeout: MOST_MS });
    const seconds = (performance.now() - startedAt) / 1000;
    await visit.close();
    return seconds;
  };
  const byCommand = async (): Promise<number> => {
    const script = join(projectRoot, 'src', 'bin', 'dockyard.ts');
    const options = ['--max-semi-space-size=4', script, 'upload', file, '--checksum', '--again'];
    const ran = await runCommand(process.execPath, options, {
      DOCKYARD_API_URL: bench.stack.apiUrl,
      DOCKYARD_API_KEY: account.liveKey,
      XDG_STATE_HOME: folder,
      NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'node-compile'),
    });
    return ran.seconds;
  };
  try {
    await fillFile(file, fileBytes);
    // A first round is not counted, because it fills caches that later rounds find full.
    for (let round = -1; round < uploads; round += 1) {
      const own = rate(await fromPage());
      const other = rate(await byCommand());
      await store.remove(await keysOf(bench, account));
      if (round < 0) continue;
      ours.push(own);
      theirs.push(other);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = spreadOf(ratiosOf(ours, theirs)).median;
  return {
    item: `${fileBytes / 1024 ** 2} MiB from the browser, against dockyard upload --checksum`,
    measured: describeSpread(spreadOf(ours), 'MB/s', 0),
    baseline: describeSpread(spreadOf(theirs), 'MB/s', 0),
    ...{ ratio: ratio.toFixed(2), goal: `≥ ${GOALS.upload}`, ok: ratio >= GOALS.upload },
    figures: { ours, theirs },
  };
}

/** The keys of the files that an account has stored last. */
async function keysOf({ db }: BenchStack, { accountId }: BenchAccount): Promise<string[]> {
  const rows = await db.query<{ key: string }[]>(
    `select storage_key as key from uploads where account_id = $1 and state = 'COMPLETED'`,
    [accountId],
  );
  return rows.map(({ key }) => key);
}

/** How long the build of the app takes, and what a browser loads of it. */
export async function measureBuild({ builds }: WebFilesSize): Promise<Row[]> {
  const seconds: number[] = [];
  for (let n = 0; n < builds; n += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-build-'));
    const script = join(projectRoot, 'web', 'build', 'build.ts');
    // In the language of tests the app goes elsewhere than to where it is served from.
    const ran = await runCommand(process.execPath, [script, '--pseudo', folder], {}).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    );
    seconds.push(ran.seconds);
  }
  const build = spreadOf(seconds);
  const { pages, styles } = weighApp();
  const [heaviest = '', scripts = NaN] = [...pages].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const all = readFileSync(join(projectRoot, 'web', 'dist', 'files.json'), 'utf8').split('"path"').length - 1;
  const size = (item: string, bytes: number, goal: number): Row => ({
    ...{ item, measured: `${(bytes / 1e3).toFixed(0)} kB`, baseline: '', ratio: '' },
    ...{ goal: `≤ ${goal / 1e3} kB`, ok: bytes <= goal, figures: { bytes, heaviest, files: all } },
  });
  return [
    {
      ...{ item: 'build of the app', measured: describeSpread(build, 's'), baseline: '', ratio: '' },
      ...{ goal: `< ${GOALS.buildSeconds} s`, ok: build.median < GOALS.buildSeconds },
      figures: { seconds },
    },
    size('scripts of its heaviest page, gzip', scripts, GOALS.scripts),
    size('all its styles, gzip', styles, GOALS.styles),
  ];
}

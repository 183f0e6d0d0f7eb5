/** `dockyard-client` as a user of the package gets it: packed, installed without a network, typed strictly, used. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

const CONSUMER = `
import { ClientError, createClient } from 'dockyard-client';
import { verifyWebhook } from 'dockyard-client/verify-webhook';
import type { CreditBalanceResponse, DownloadUrlResponse, SubmitJobRequest, UploadedFile } from 'dockyard-client';

const [apiUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ apiUrl, apiKey });
const balance: CreditBalanceResponse = await client.balance();
const file: UploadedFile = await client.upload({ path: import.meta.filename, contentType: 'text/plain' });
const request: SubmitJobRequest = { jobType: 'render', sceneFile: file.storageKey, frameStart: 1, frameEnd: 2 };
const refused = await client
  .status('01890a5d-ac96-774b-bcce-b302099a8057')
  .then(() => '', (error: unknown) => (error instanceof ClientError ? error.code : String(error)));
const hidden = await client.artifactDownloadUrl('01890a5d-ac96-774b-bcce-b302099a8057').then(
  (address: DownloadUrlResponse) => address.url,
  (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
);
const unsigned = await verifyWebhook({ body: '{}', headers: {} }, 'whsec_c2VjcmV0').then(
  (event) => event.type,
  (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
);
// @ts-expect-error the state of a job is one of a few
const wrong: Parameters<typeof client.submit>[0] = { jobType: 'dance' };
console.log(JSON.stringify({ pence: balance.available_cents, key: request.sceneFile, refused, hidden, unsigned, wrong: wrong.jobType }));
`;

describe('the package dockyard-client', function () {
  this.timeout(120_000);
  let folder = '';
  let api: TestApi;

  before(async () => {
    api = await testApi();
    folder = await mkdtemp(join(tmpdir(), 'dockyard-package-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('installs by itself, types strictly and works against the service', async () => {
    const [source, consumer] = [join(folder, 'package'), join(folder, 'consumer')];
    await Promise.all([mkdir(source), mkdir(consumer)]);
    await run(process.execPath, ['scripts/client-build.ts', '--out', source], { cwd: root });
    const npm = (cwd: string, ...args: string[]): Promise<unknown> => run('npm', args, { cwd });
    await npm(source, 'pack', '--pack-destination', folder);
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
    expect(tarball).to.match(/^dockyard-client-\d+\.\d+\.\d+\.tgz$/);

    await writeFile(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
    await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball));
    expect(await readdir(join(consumer, 'node_modules'))).to.have.members([
      '.package-lock.json',
      'dockyard-client',
    ]);
    const files = await readdir(join(consumer, 'node_modules', 'dockyard-client', 'dist'));
    expect(files).to.include.members(['index.js', 'index.d.ts', 'LICENSE']);

    await writeFile(join(consumer, 'use.ts'), CONSUMER);
    await writeFile(join(consumer, 'readme.ts'), await firstExample());
    await typecheck(consumer);
    const { liveKey } = await api.account(1_234);
    const used = await run(process.execPath, [join(consumer, 'use.ts'), api.stack.apiUrl, liveKey]);
    const told = JSON.parse(used.stdout);
    expect(told).to.include({ pence: 1_234, refused: 'NOT_FOUND', hidden: 'NOT_FOUND', wrong: 'dance' });
    expect(told.unsigned).to.equal('WEBHOOK_UNREADABLE');
    expect(told.key).to.match(/^accounts\/.*\/use\.ts$/);
  });

  it('has beside it the command line, which installs in an empty folder without a network and works there', async () => {
    const [packed, empty] = [join(folder, 'packed'), join(folder, 'empty')];
    await mkdir(empty);
    const { stdout: tarball } = await run(process.execPath, ['scripts/cli-pack.ts', '--out', packed], {
      cwd: root,
    });
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.trim()], { cwd: empty });
    expect(await readdir(join(empty, 'node_modules'))).to.have.members([
      ...['.bin', '.package-lock.json', 'dockyard-cli'],
    ]);
    const command = join(empty, 'node_modules', '.bin', 'dockyard');
    const { liveKey } = await api.account(1_234);
    const env = {
      ...{ PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: empty },
      ...{ DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: liveKey },
    };
    const dockyard = (...args: string[]) => run(command, args, { cwd: empty, env });
    const [balance, field, dock] = await Promise.all([
      dockyard('balance', '--json'),
      dockyard('explain', 'exhaustiveness'),
      dockyard('dock', '--help'),
    ]);
    expect(JSON.parse(balance.stdout)).to.include({ available_cents: 1_234 });
    expect(field.stdout).to.contain('Number of independent searches');
    expect(dock.stdout).to.contain('--box-from-ligand');
  });

  it('imports nothing but Node and itself', async () => {
    for (const name of await readdir(join(root, 'src', 'client'), { recursive: true })) {
      if (!/\.m?[jt]s$/.test(name) || name.startsWith('dist')) continue;
      const text = await readFile(join(root, 'src', 'client', name), 'utf8');
      const outside = [...text.matchAll(/from '([^']+)'/g)].filter(
        ([, from = '']) => !/^(node:|\.)/.test(from),
      );
      expect(
        outside.map(([line]) => line),
        name,
      ).to.deep.equal([]);
    }
  });
});

/** The first program of the package's own README. */
async function firstExample(): Promise<string> {
  const readme = await readFile(join(root, 'src', 'client', 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(program).to.include("from 'dockyard-client'").and.to.include('client.submit(');
  return program;
}

async function typecheck(consumer: string): Promise<void> {
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext', noEmit: true, strict: true },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules', '@types')], lib: ['es2024'] },
  };
  await writeFile(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['use.ts', 'readme.ts'] }),
  );
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', consumer]).catch(
    (error: unknown) => {
      throw new Error((error as { stdout?: string }).stdout ?? 'tsc failed');
    },
  );
}

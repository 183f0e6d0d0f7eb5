/** A job over the public API: its receipt, the keys that anybody may read, and the command line that proves it without the service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { verifyReceipt } from '../../src/services/receipts/verify.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { until } from '../support/until.ts';

describe('the receipt of a job', function () {
  this.timeout(180_000);
  let api: TestApi;
  let owner: NewAccount;
  let folder = '';
  let jobId = '';
  before(async () => {
    api = await testApi();
    owner = await api.account();
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-receipts-'));
    jobId = (await api.submit(owner.liveKey, noopJob(3))).body.jobId;
    await api.ends(owner.liveKey, jobId, 60);
    await until('the receipt', async () => (await receipt()).status === 200);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const receipt = () => api.call(owner.liveKey, 'GET', `/api/v1/jobs/${jobId}/receipt`);
  const dockyard = (apiUrl: string, ...args: string[]): Promise<CommandEnding> => {
    const env = { HOME: folder, DOCKYARD_API_URL: apiUrl, DOCKYARD_API_KEY: owner.liveKey };
    return runCommand(args, env, folder);
  };

  it('is proven with the keys at the address that is well known, which asks for no key', async () => {
    const answer = await fetch(`${api.stack.apiUrl}/.well-known/dockyard-receipt-keys.json`);
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=300');
    const { keys } = (await answer.json()) as { keys: [] };
    expect((await api.call(null, 'GET', '/api/v1/receipt-keys')).body.keys).to.deep.equal(keys);
    const { body } = await receipt();
    expect(verifyReceipt(body, { keys })).to.include({ ok: true });
    expect(body.receipt).to.deep.include({ jobId, outcome: 'SUCCEEDED' });
    expect((await receipt()).body, 'again').to.deep.equal(body);
  });

  it('and its files are proven offline, and the first difference is named', async () => {
    expect(await dockyard(api.stack.apiUrl, 'receipt', 'get', jobId, '--out', 'r.json')).to.include({
      code: 0,
    });
    await dockyard(api.stack.apiUrl, 'outputs', jobId, '--download', 'files');
    // Nothing answers there, and the key was learned when the receipt was fetched.
    const verify = (...args: string[]) => dockyard('http://127.0.0.1:9', 'receipt', 'verify', ...args);
    const proven = await verify('r.json', 'files');
    expect(proven.out)
      .to.include('The receipt is genuine')
      .and.to.match(/All \d+ files are as the receipt says/);
    expect(proven.code).to.equal(0);

    const { body } = await receipt();
    const last = body.receipt.outputs.at(-1);
    const path = join(folder, 'files', 'tasks', String(last.taskIndex), last.name);
    const bytes = readFileSync(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const changed = await verify('r.json', 'files');
    expect(changed.out).to.include(`${last.name} has the SHA-256 `);
    expect(changed.code).to.equal(1);
    rmSync(path);
    expect((await verify('r.json', 'files')).out).to.equal(`${last.name} is missing.\n`);

    const receiptText = readFileSync(join(folder, 'r.json'), 'utf8');
    writeFileSync(join(folder, 'r.json'), receiptText.replace('"SUCCEEDED"', '"SUCCEEDEE"'));
    const forged = await verify('r.json');
    expect(forged.out).to.include('was changed after it was signed');
    expect(forged.code).to.equal(1);
  });
});

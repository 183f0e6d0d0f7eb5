/** The whole service on Azure Blob Storage: no code outside the adapter may need S3. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createDatabase } from '../../src/adapters/database.ts';
import { createClient } from '../../src/client/index.ts';
import type { Client, OutputItem } from '../../src/client/index.ts';
import { storageBucket } from '../../src/stack/storage.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { openAzureTestStore } from '../support/azurite.ts';
import type { TestStore } from '../support/object-store.ts';
import { endTestStack, startTestStack } from '../support/stack.ts';
import { digestOf, gather } from '../support/stores.ts';
import { tuned } from '../support/tuning.ts';

const MIB = 1024 ** 2;

describe('the service on Azure Blob Storage', () => {
  let azure: TestStore;
  let stack: Stack;
  let client: Client;
  let accountId: string;
  let folder: string;

  before(async () => {
    azure = await openAzureTestStore();
    stack = await startTestStack({
      settings: {
        ...azure.environment,
        DOCKYARD_VALIDATE_ANSWERS: 'true',
        ...tuned({ commitDelayMs: 50 }),
        DOCKYARD_PROVIDER: 'inprocess',
        DOCKYARD_COMPUTE_MODE: 'inprocess',
      },
    });
    const db = await createDatabase(stack.env['DOCKYARD_DATABASE_URL'] ?? '', { poolSize: 1 });
    const account = await createAccount(db, { email: 'azure@example.com', creditsPence: 10_000 });
    await db.destroy();
    accountId = account.accountId;
    client = createClient({ apiUrl: stack.apiUrl, apiKey: account.liveKey });
    folder = await mkdtemp(join(tmpdir(), 'dockyard-test-azure-'));
  });
  after(async () => {
    await endTestStack(stack);
    await azure.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fileOf = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };
  const jobWith = async (storageKey: string): Promise<string> => {
    const request = {
      jobType: 'simulation',
      simulator: 'noop',
      taskCount: 3,
      sceneFile: storageKey,
      metadata: { noop: { seconds: 0, outputBytes: 1000 } },
    };
    // The test tool is in no document, so the types of the client do not have it.
    return (await client.submit(request as unknown as Parameters<Client['submit']>[0])).jobId;
  };

  it('takes a small file by one PUT, runs a job on it, and its outputs are downloaded whole', async () => {
    const bytes = Buffer.from('ATOM');
    const path = await fileOf('ünusual name+%.pdb', bytes);
    const uploaded = await client.upload({ path }, { stateFolder: null });
    expect(uploaded.sha256).to.equal(digestOf(bytes));
    expect(await azure.store.hash(uploaded.storageKey)).to.deep.equal({
      byteSize: 4,
      sha256: digestOf(bytes),
    });
    const jobId = await jobWith(uploaded.storageKey);
    expect(await client.waitForEnd(jobId)).to.include({ status: 'SUCCEEDED', outputsAvailable: true });
    const outputs: OutputItem[] = [];
    for await (const output of client.outputs(jobId)) outputs.push(output);
    expect(outputs.filter((output) => output.taskIndex !== null)).to.have.length.at.least(3);
    for (const output of outputs) {
      await client.download(output, join(folder, 'output'));
      expect(await azure.store.hash(output.storageKey)).to.include({ sha256: output.sha256 });
      const answer = await fetch(output.url, { headers: { range: 'bytes=0-0' } });
      expect(answer.status).to.equal(206);
      expect(answer.headers.get('content-disposition')).to.contain('attachment; filename=');
    }
  });

  it('takes a large file in parts, proves its digest, and a job pins it', async () => {
    const bytes = randomBytes(12 * MIB + 5);
    const path = await fileOf('large.bin', bytes);
    const uploaded = await client.upload({ path }, { stateFolder: null, partSize: 5 * MIB });
    expect(uploaded).to.include({ byteSize: bytes.byteLength, sha256: digestOf(bytes) });
    expect(await azure.store.hash(uploaded.storageKey)).to.include({ sha256: digestOf(bytes) });
    expect(await gather(azure.store.listMultiparts('')), 'nothing stays open').to.deep.equal([]);
    expect(await client.waitForEnd(await jobWith(uploaded.storageKey))).to.include({ status: 'SUCCEEDED' });
  });

  it('tells that no part is checked by the store, and refuses a whole that has another digest', async () => {
    const started = await client.initMultipartUpload({
      filename: 'wrong.bin',
      contentType: 'application/octet-stream',
      size: 4,
      checksumAlgorithm: 'sha256',
      sha256: digestOf('what'),
    });
    expect(started).to.include({ provider: 'azure', checksumAlgorithm: null });
    const [part] = started.parts;
    const answer = await fetch(part?.url ?? '', { method: 'PUT', body: 'that', headers: started.headers });
    expect(answer.status).to.equal(201);
    const refusal = await client
      .completeMultipartUpload(started.uploadId, { parts: [{ partNumber: 1 }] })
      .catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'CHECKSUM_MISMATCH');
    expect(await azure.store.head(started.key)).to.equal(null);
  });

  it('believes no digest that the store did not check', async () => {
    const announced = await client.createUploadUrl({
      filename: 'lie.pdb',
      contentType: 'chemical/x-pdb',
      size: 4,
      sha256: digestOf('true'),
    });
    expect(announced.provider).to.equal('azure-blob');
    const answer = await fetch(announced.uploadUrl, {
      method: 'PUT',
      body: 'lies',
      headers: announced.headers ?? {},
    });
    expect(answer.status).to.equal(201);
    const refusal = await client
      .registerArtifact({ storageKey: announced.s3Key, format: 'pdb' })
      .catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'CHECKSUM_MISMATCH');
    const jobId = await jobWith(announced.s3Key);
    expect(await client.waitForEnd(jobId)).to.include({ status: 'FAILED' });
    const { failures } = await client.status(jobId);
    expect(failures[0]).to.have.property('code', 'INPUT_CHANGED');
  });

  it('keeps nothing anywhere else', async () => {
    const other = await readdir(join(stack.home, 'storage', storageBucket), { recursive: true });
    expect(other.filter((name) => name.includes(accountId))).to.deep.equal([]);
    const ours = await gather(azure.store.list(`accounts/${accountId}/`));
    expect(ours).to.have.length.above(6);
  });
});

/** Azure has no record of open uploads: a repetition repairs what a process leaves that dies between two calls. */
import { expect } from 'chai';

import { blobNameOf, openContainer } from '../../src/adapters/storage/azure-client.ts';
import type { Container } from '../../src/adapters/storage/azure-client.ts';
import { blockIdOf } from '../../src/adapters/storage/azure-signer.ts';
import { PartMismatchError } from '../../src/adapters/storage/storage.ts';
import { openAzureTestStore } from '../support/azurite.ts';
import type { TestStore } from '../support/object-store.ts';
import { digestOf, gather, send } from '../support/stores.ts';

const NAMED = [{ partNumber: 1, etag: null, checksumSha256: null }];

describe('a death between two calls to Azure', () => {
  let test: TestStore;
  let container: Container;
  before(async () => {
    test = await openAzureTestStore();
    const { environment } = test;
    container = openContainer({
      storageEndpoint: test.url,
      storageAccount: environment['DOCKYARD_STORAGE_ACCOUNT'] ?? '',
      storageAccountKey: environment['DOCKYARD_STORAGE_ACCOUNT_KEY'] ?? '',
      storageContainer: environment['DOCKYARD_STORAGE_CONTAINER'] ?? '',
    });
  });
  after(() => test.close());

  const begin = async (key: string): Promise<string> => {
    const uploadId = await test.store.createMultipart(key, { contentType: 'text/plain', checksum: null });
    expect(await send(await test.store.signPart(key, uploadId, 1, { expiresInSeconds: 60 }), 'x')).to.equal(
      201,
    );
    return uploadId;
  };
  const blobOf = (key: string) => container.client.getBlockBlobClient(blobNameOf(key));

  it('after the parts were put together: the completion is repeated, and an abort removes no object', async () => {
    for (const end of ['complete', 'abort'] as const) {
      const key = `died/${end}`;
      const uploadId = await begin(key);
      await blobOf(key).commitBlockList([blockIdOf(1)]);
      expect(await gather(test.store.listMultiparts(key)), 'still open').to.have.length(1);
      if (end === 'complete') await test.store.completeMultipart(key, uploadId, NAMED);
      else await test.store.abortMultipart(key, uploadId);
      expect(await gather(test.store.listMultiparts(key))).to.deep.equal([]);
      expect((await test.store.hash(key))?.sha256).to.equal(digestOf('x'));
    }
  });

  it('after an abort has discarded the parts: no completion takes the empty blob for the file', async () => {
    const uploadId = await begin('died/aborted');
    await blobOf('died/aborted').commitBlockList([], { metadata: { dockyardaborted: '1' } });
    const failure = await test.store
      .completeMultipart('died/aborted', uploadId, NAMED)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(PartMismatchError);
    await test.store.abortMultipart('died/aborted', uploadId);
    expect(await test.store.head('died/aborted')).to.equal(null);
    expect(await gather(test.store.listMultiparts('died/aborted'))).to.deep.equal([]);
  });

  it('after an abort: a part that comes late never becomes an object', async () => {
    const uploadId = await begin('died/late');
    const late = await test.store.signPart('died/late', uploadId, 2, { expiresInSeconds: 60 });
    await test.store.abortMultipart('died/late', uploadId);
    expect(await send(late, 'late')).to.equal(201);
    expect(await test.store.listParts('died/late', uploadId)).to.equal(null);
    expect(await test.store.head('died/late')).to.equal(null);
    expect(await gather(test.store.list('died/late'))).to.deep.equal([]);
  });
});

import { expect } from 'chai';

import type { GatewayClient } from '../../../src/instance/gateway-client.ts';
import { RefusedError } from '../../../src/instance/repeat.ts';
import { UploadDesk } from '../../../src/instance/upload-desk.ts';
import type { UploadUrlsRequest, UploadUrlsResponse } from '../../../src/contracts/instance.ts';

const fileOf = (ordinal: number, name = 'a') => ({ ordinal, name, byteSize: 1, sha256: 'f'.repeat(64) });

function deskOver(answer: (request: UploadUrlsRequest) => Promise<UploadUrlsResponse>) {
  const calls: UploadUrlsRequest[] = [];
  const gateway: Pick<GatewayClient, 'uploadUrls'> = {
    uploadUrls: (request) => {
      calls.push(request);
      return answer(request);
    },
  };
  return { calls, desk: new UploadDesk(gateway, new AbortController().signal) };
}

const answerAll = async ({ files }: UploadUrlsRequest): Promise<UploadUrlsResponse> => ({
  uploads: files.map(({ ordinal, name }) => ({ url: `${ordinal}/${name}`, headers: {} })),
});
const urls = (uploads: UploadUrlsResponse['uploads']) => uploads.map(({ url }) => url);

describe('asking for upload URLs', () => {
  it('gathers tasks until one is urgent, and gives each its own', async () => {
    const { calls, desk } = deskOver(answerAll);
    const first = desk.ask('task', [fileOf(0, 'a'), fileOf(0, 'b')], false);
    const second = desk.ask('task', [fileOf(1)], true);
    expect(urls(await first)).to.deep.equal(['0/a', '0/b']);
    expect(urls(await second)).to.deep.equal(['1/a']);
    expect(calls).to.have.length(1);
  });

  it('does not wait long for company, and gathers while a call is under way', async () => {
    const { calls, desk } = deskOver(answerAll);
    expect(urls(await desk.ask('task', [fileOf(0)], false))).to.deep.equal(['0/a']);
    // These requests come while the first call is ending.
    const asked = [1, 2, 3].map((ordinal) => desk.ask('task', [fileOf(ordinal)], true));
    await Promise.all(asked);
    expect(calls.map(({ files }) => files.length)).to.deep.equal([1, 3]);
  });

  it('never mixes kinds in one call, and stays within the size of a call', async () => {
    const { calls, desk } = deskOver(answerAll);
    const large = Array.from({ length: 1500 }, (_, index) => fileOf(2, `f${index}`));
    const asked = [
      desk.ask('task', [fileOf(0)], false),
      desk.ask('prepare', [fileOf(1)], false),
      desk.ask('task', large, true),
    ];
    expect((await Promise.all(asked)).map(({ length }) => length)).to.deep.equal([1, 1, 1500]);
    expect(calls.every(({ files }) => files.length <= 1000)).to.equal(true);
  });

  it('a task that is refused takes no other with it', async () => {
    const { desk } = deskOver((request) =>
      request.files.some(({ ordinal }) => ordinal === 1)
        ? Promise.reject(new RefusedError('404'))
        : answerAll(request),
    );
    const asked = [0, 1, 2].map((ordinal) => desk.ask('task', [fileOf(ordinal)], ordinal === 2));
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
  });
});

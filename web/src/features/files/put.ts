/** One PUT to the store by XMLHttpRequest, because fetch tells no progress. */
import { CLIENT_CODES, localError, TransferRefusal } from 'dockyard-client/browser';
import type { PagePut } from 'dockyard-client/browser';

export const put: PagePut = (target, body, signal, onBytes) => {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const request = new XMLHttpRequest();
  let sent = 0;
  const count = (loaded: number): void => {
    onBytes(loaded - sent);
    sent = loaded;
  };
  const fail = (error: unknown): void => {
    count(0);
    reject(error);
  };
  const abort = (): void => request.abort();
  request.upload.addEventListener('progress', ({ loaded }) => count(Math.min(loaded, body.size)));
  request.addEventListener('load', () => {
    const { status } = request;
    if (status >= 200 && status < 300) {
      count(body.size);
      resolve(request.getResponseHeader('etag'));
      return;
    }
    const [, reason = null] = /<Code>(\w+)<\/Code>/.exec(request.responseText) ?? [];
    fail(new TransferRefusal(status, reason, null));
  });
  const lost = (): void =>
    fail(localError(CLIENT_CODES.connectionLost, 'The connection to the object store was lost.'));
  request.addEventListener('error', lost);
  request.addEventListener('abort', () => fail(signal.reason));
  request.open('PUT', target.url);
  for (const [name, value] of Object.entries(target.headers)) request.setRequestHeader(name, value);
  signal.addEventListener('abort', abort);
  request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
  signal.throwIfAborted();
  request.send(body);
  return promise;
};

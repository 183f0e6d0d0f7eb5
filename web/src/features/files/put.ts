/** One PUT to the store by XMLHttpRequest, because fetch tells no progress. A connection on which nothing moves is given up. */
import { CLIENT_CODES, localError, TransferRefusal } from 'dockyard-client/browser';
import type { PagePut } from 'dockyard-client/browser';

/** As long as the client of programs waits. */
const IDLE_MS = 60_000;

export const put: PagePut = (target, body, signal, onBytes) => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const request = new XMLHttpRequest();
  let [sent, idle] = [0, 0];
  const count = (loaded: number): void => {
    clearTimeout(idle);
    idle = setTimeout(giveUp, IDLE_MS);
    onBytes(loaded - sent);
    sent = loaded;
  };
  const fail = (error: unknown): void => {
    count(0);
    reject(error);
  };
  const lost = (): void =>
    fail(localError(CLIENT_CODES.connectionLost, 'The connection to the object store was lost.'));
  const abort = (): void => request.abort();
  const giveUp = (): void => {
    lost();
    abort();
  };
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
  request.addEventListener('error', lost);
  request.addEventListener('abort', () => fail(signal.reason));
  request.addEventListener('loadend', () => {
    clearTimeout(idle);
    signal.removeEventListener('abort', abort);
  });
  request.open('PUT', target.url);
  for (const [name, value] of Object.entries(target.headers)) request.setRequestHeader(name, value);
  signal.addEventListener('abort', abort);
  request.send(body);
  count(0);
  return promise;
};

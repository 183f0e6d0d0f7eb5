/** Calls in bytes of a frontend of Temporal that a test plays: many held calls, callers who leave, and a frontend that goes away. */
import { constants, createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { expect } from 'chai';

import { plainAccess } from '../../../src/adapters/temporal/access.ts';
import { FrontendError, openFrontend, WORKFLOW_SERVICE } from '../../../src/adapters/temporal/frontend.ts';
import type { Frontend } from '../../../src/adapters/temporal/frontend.ts';
import { until } from '../../support/until.ts';

type Handle = (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => void;
const asIs = (bytes: Buffer): Buffer => bytes;

async function serve(
  port: number,
  handle: Handle,
): Promise<{ readonly port: number; readonly server: Server }> {
  const server = new Server();
  const method = {
    ...{ path: `${WORKFLOW_SERVICE}Call`, requestStream: false, responseStream: false },
    ...{
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  };
  server.addService({ Call: method }, { Call: handle });
  const bound = Promise.withResolvers<number>();
  server.bindAsync(`127.0.0.1:${String(port)}`, ServerCredentials.createInsecure(), (error, found) =>
    error === null ? bound.resolve(found) : bound.reject(error),
  );
  return { port: await bound.promise, server };
}

describe('calls of Temporal in bytes', () => {
  const open: { close(): void }[] = [];
  const servers: Server[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
    for (const server of servers.splice(0)) server.forceShutdown();
  });
  const started = async (handle: Handle, port = 0): Promise<number> => {
    const serving = await serve(port, handle);
    servers.push(serving.server);
    return serving.port;
  };
  const frontendAt = (port: number): Frontend => {
    const frontend = openFrontend({ ...plainAccess(`127.0.0.1:${String(port)}`), temporalNamespace: 'ours' });
    open.push(frontend);
    return frontend;
  };
  const call = (frontend: Frontend, text = 'x', withinMs = 20_000) =>
    frontend.call({
      ...{ method: 'Call', request: Buffer.from(text), headers: { 'client-name': 'w' } },
      deadline: Date.now() + withinMs,
    });
  const failing = (response: Promise<Buffer>): Promise<unknown> =>
    response.then(
      () => expect.fail('The call was answered.'),
      (error: unknown) => error,
    );

  it('carry bytes and headers, name the namespace of the installation, and tell the details of errors', async () => {
    const details = Buffer.from('details');
    const port = await started(({ request, metadata }, answer) => {
      const heard = ['temporal-namespace', 'client-name'].map((name) => metadata.get(name)[0]);
      if (request.toString() !== 'fail') {
        answer(null, Buffer.from(`${heard.join()} ${request.toString()}`));
        return;
      }
      const told = new Metadata();
      told.set('grpc-status-details-bin', details);
      answer({ code: status.NOT_FOUND, details: 'gone', metadata: told });
    });
    const frontend = frontendAt(port);
    expect((await call(frontend, 'hello').response).toString()).to.equal('ours,w hello');
    const error = await failing(call(frontend, 'fail').response);
    expect(error).to.be.instanceOf(FrontendError).and.to.include({ code: status.NOT_FOUND, details: 'gone' });
    expect((error as FrontendError).statusDetails).to.deep.equal(details);
  });

  it('are held by the hundred, over as many connections as that takes, and are given up with their callers', async () => {
    const held = new Set<ServerUnaryCall<Buffer, Buffer>>();
    const port = await started((held_) => {
      held.add(held_);
      held_.on('cancelled', () => held.delete(held_));
    });
    const frontend = frontendAt(port);
    const calls = Array.from({ length: 250 }, () => call(frontend));
    for (const { response } of calls) response.catch(() => undefined);
    await until('every call is held', () => held.size === calls.length);
    expect(frontend.connections).to.equal(3);
    for (const each of calls.slice(0, 100)) each.cancel();
    await until('the calls of those who left are given up', () => held.size === 150);
    expect(await failing(calls[0]?.response ?? expect.fail())).to.include({ code: status.CANCELLED });
    const soon = await failing(call(frontend, 'x', 200).response);
    expect(soon).to.include({ code: status.DEADLINE_EXCEEDED });
  });

  it('are unavailable while there is no Temporal, and go on when there is one', async () => {
    const echo: Handle = ({ request }, answer) => answer(null, request);
    const port = await started(echo);
    const frontend = frontendAt(port);
    await call(frontend).response;
    servers.splice(0).forEach((server) => server.forceShutdown());
    await until('the connection has ended', async () => {
      const error = await call(frontend).response.catch((failure: unknown) => failure);
      return error instanceof FrontendError && error.code === (status.UNAVAILABLE as number);
    });
    await started(echo, port);
    await until('calls are answered again', () =>
      call(frontend).response.then(
        () => true,
        () => false,
      ),
    );
  });

  it('carry answers of megabytes and empty ones, each whole', async () => {
    const port = await started(({ request }, answer) =>
      answer(null, Buffer.alloc(Number(request.toString()), 'ligand')),
    );
    const frontend = frontendAt(port);
    for (const bytes of [0, 1, 65_536, 4_000_000]) {
      const response = await call(frontend, String(bytes)).response;
      expect(response.equals(Buffer.alloc(bytes, 'ligand')), `${String(bytes)} bytes`).to.equal(true);
    }
  });

  it('keep the words of errors as they were, and end at once when they are late before they are sent', async () => {
    const port = await started((_, answer) =>
      answer({ code: status.INVALID_ARGUMENT, details: 'Größe: 100 % über dem Maß,\nzu groß' }),
    );
    const frontend = frontendAt(port);
    const error = await failing(call(frontend).response);
    expect(error).to.include({
      ...{ code: status.INVALID_ARGUMENT, details: 'Größe: 100 % über dem Maß,\nzu groß' },
      statusDetails: null,
    });
    const late = await failing(call(frontend, 'x', -1).response);
    expect(late).to.include({ code: status.DEADLINE_EXCEEDED });
  });

  describe('of something in between that is no Temporal', () => {
    const http: Http2Server[] = [];
    afterEach(() => {
      for (const server of http.splice(0)) server.close();
    });
    const answered = async (answer: (stream: ServerHttp2Stream) => void): Promise<unknown> => {
      const server = createServer();
      server.on('stream', (stream) => {
        stream.on('error', () => undefined);
        answer(stream);
      });
      http.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const frontend = frontendAt((server.address() as AddressInfo).port);
      const error = await failing(call(frontend).response);
      frontend.close();
      return error;
    };
    const ok = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '0' };

    it('are unavailable, so that the caller comes again', async () => {
      const answers: ((stream: ServerHttp2Stream) => void)[] = [
        // A balancer whose servers are away.
        (stream) => {
          stream.respond({ ':status': 503, 'content-type': 'text/html' });
          stream.end('<h1>none</h1>');
        },
        // One that ends streams before they are read, and connections.
        (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
        (stream) => stream.session?.destroy(),
        // An error without a meaning.
        (stream) => stream.respond({ ...ok, 'grpc-status': '2' }, { endStream: true }),
      ];
      for (const [index, answer] of answers.entries())
        expect(await answered(answer), `answer ${String(index)}`).to.include({ code: status.UNAVAILABLE });
    });

    it('fail with a code where the answer is not one message, or is too large', async () => {
      const withBytes = (bytes: Buffer) => (stream: ServerHttp2Stream) => {
        stream.respond(ok);
        stream.end(bytes);
      };
      const of = (length: number, flag = 0): Buffer => {
        const prefix = Buffer.alloc(5);
        prefix.writeUInt8(flag);
        prefix.writeUInt32BE(length, 1);
        return prefix;
      };
      const broken = [Buffer.alloc(0), Buffer.alloc(4), of(1), of(0, 1), Buffer.concat([of(0), of(0)])];
      for (const [index, bytes] of broken.entries())
        expect(await answered(withBytes(bytes)), `answer ${String(index)}`)
          .to.have.property('code')
          .that.is.oneOf([status.INTERNAL, status.UNIMPLEMENTED, status.UNAVAILABLE]);
      const tooLarge = 8 * 1024 * 1024 + 1;
      const bytes = Buffer.concat([of(tooLarge), Buffer.alloc(tooLarge)]);
      expect(await answered(withBytes(bytes))).to.include({ code: status.RESOURCE_EXHAUSTED });
    });
  });
});

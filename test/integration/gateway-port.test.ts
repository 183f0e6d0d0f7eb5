/** The one port of a gateway: both protocols, with TLS and without, in whatever pieces they come, and the end of both. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { status } from '@grpc/grpc-js';
import { expect } from 'chai';

import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { FrontendError, openFrontend } from '../../src/adapters/temporal/frontend.ts';
import { connectThroughGateway } from '../../src/adapters/temporal/native.ts';
import type { CertificateFiles } from '../../src/gateway/certificate.ts';
import type { PassedTo } from '../../src/gateway/pass-through/frontend.ts';
import { startGateway } from '../../src/gateway/server.ts';
import type { RunningGateway } from '../../src/gateway/server.ts';
import { createGatewayService } from '../../src/services/execution/gateway.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { makeAuthority } from '../support/certificate.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { ComputeWorld } from '../support/compute-world.ts';
import { RawWorker } from '../support/faults/raw-worker.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

/** A Temporal that answers everything with nothing, and holds polls. */
const EMPTY: PassedTo = {
  call({ method }) {
    const held = Promise.withResolvers<Buffer>();
    if (method !== 'PollActivityTaskQueue') held.resolve(Buffer.alloc(0));
    return {
      response: held.promise,
      cancel: () => held.reject(new FrontendError(status.CANCELLED, 'given up', null)),
    };
  },
};

describe('the one port of a gateway', () => {
  let world: ComputeWorld;
  const gateways: RunningGateway[] = [];
  before(async () => {
    quietRuntime();
    world = await openComputeWorld();
  });
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await world.close();
  });
  const start = async (
    frontend: PassedTo,
    certificate: CertificateFiles | null = null,
  ): Promise<RunningGateway> => {
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    const service = createGatewayService({
      ...{ db: world.database.db, store: world.store.store, secret: TEST_SECRET },
      ...{ findTool: (id) => tools.find(id), urlSeconds: 900, taskTimeoutSeconds: 3600, legSeconds: 3600 },
    });
    const passThrough = { frontend, namespace: 'default', onFault: console.error };
    const address = { host: '127.0.0.1', port: 0, certificate, passThrough };
    const gateway = await startGateway(service, address, ({ error }) => console.error(error));
    gateways.push(gateway);
    return gateway;
  };
  /** What a server says first to bytes that come in pieces. */
  const said = (port: number, pieces: readonly string[]): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(port, '127.0.0.1', () => send(0));
      const send = (index: number): void => {
        const piece = pieces[index];
        if (piece === undefined) return;
        socket.write(piece, () => setTimeout(() => send(index + 1), 20));
      };
      socket.setNoDelay(true);
      socket.once('data', (bytes: Buffer) => {
        socket.destroy();
        resolve(bytes);
      });
      socket.on('error', reject);
    });

  it('tells the protocols apart, also where the first words come letter by letter', async () => {
    const { port } = await start(EMPTY);
    const request = 'PROPFIND /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const pieces of [[request], Array.from(request)])
      expect((await said(port, pieces)).toString()).to.match(/^HTTP\/1\.1 \d{3}/);
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';
    for (const pieces of [[preface], Array.from(preface)]) {
      const frame = await said(port, pieces);
      // The first frame of a server of HTTP/2 is that of its settings, whose type is 4.
      expect(frame.readUInt8(3)).to.equal(4);
    }
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).to.equal(200);
  });

  it("shows its certificate to the worker's connection, too, which believes what Node believes", async () => {
    const authority = await makeAuthority();
    const { port } = await start(EMPTY, await authority.issue('127.0.0.1'));
    const { token } = await world.seedJob();
    const url = `https://127.0.0.1:${String(port)}`;
    const before = getCACertificates('default');
    const stranger = await connectThroughGateway(url, token).catch((error: unknown) => error);
    expect(stranger).to.be.an('error');
    try {
      setDefaultCACertificates([...before, readFileSync(authority.caFile, 'utf8')]);
      const connection = await connectThroughGateway(url, token);
      const answer = await connection.workflowService.describeNamespace({ namespace: 'compute' });
      expect(answer.namespaceInfo?.name).to.equal('compute');
      await connection.close();
    } finally {
      setDefaultCACertificates(before);
      await authority.remove();
    }
  });

  it('ends with the polls that it holds, whose workers are told to ask again', async () => {
    const gateway = await start(EMPTY);
    const { token, launch } = await world.seedJob();
    const worker = new RawWorker(`http://127.0.0.1:${String(gateway.port)}`, token);
    const poll = worker.send('PollActivityTaskQueue', worker.poll(launch.taskQueue), 60_000);
    // The answer to a later call says that the poll is there.
    expect(await worker.code('GetSystemInfo', Buffer.alloc(0))).to.equal(null);
    await gateway.close();
    const error: unknown = await poll.answer.catch((failure: unknown) => failure);
    expect(error).to.include({ code: status.UNAVAILABLE });
    worker.close();
  });

  it('says that it is unavailable while Temporal is away, and bounds the polls of one instance', async () => {
    const away = openFrontend(plainAccess('127.0.0.1:1'));
    const { port } = await start(away);
    const { token, launch } = await world.seedJob();
    const worker = new RawWorker(`http://127.0.0.1:${String(port)}`, token);
    expect(await worker.code('PollActivityTaskQueue', worker.poll(launch.taskQueue))).to.equal(
      status.UNAVAILABLE,
    );
    worker.close();
    away.close();
    const { port: holding } = await start(EMPTY);
    const greedy = new RawWorker(`http://127.0.0.1:${String(holding)}`, token);
    const polls = Array.from(
      { length: 20 },
      () => greedy.send('PollActivityTaskQueue', greedy.poll(launch.taskQueue), 60_000).answer,
    );
    const refused = await Promise.any(
      polls.map((answer) => answer.then(() => null).catch((error: unknown) => error)),
    );
    expect(refused).to.include({ code: status.RESOURCE_EXHAUSTED });
    greedy.close();
  });
});

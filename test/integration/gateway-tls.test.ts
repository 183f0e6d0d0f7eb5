/** The gateway with a certificate of its own: it serves over TLS alone, takes a renewed certificate, and keeps the one it has. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:tls';

import { expect } from 'chai';

import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import { readCertificate } from '../../src/gateway/certificate.ts';
import { startGateway } from '../../src/gateway/server.ts';
import type { RunningGateway } from '../../src/gateway/server.ts';
import { createGatewayService } from '../../src/services/execution/gateway.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { makeCertificate } from '../support/certificate.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { ComputeWorld } from '../support/compute-world.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';

type Made = Awaited<ReturnType<typeof makeCertificate>>;

describe('the compute gateway with a certificate', () => {
  let world: ComputeWorld;
  let first: Made;
  let second: Made;
  let gateway: RunningGateway;
  let firstPem: Buffer;
  const faults: unknown[] = [];
  before(async () => {
    [world, first, second] = await Promise.all([openComputeWorld(), makeCertificate(), makeCertificate()]);
    firstPem = readFileSync(first.certFile);
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    gateway = await startGateway(
      createGatewayService({
        ...{ db: world.database.db, store: world.store.store, secret: TEST_SECRET },
        ...{ findTool: (id) => tools.find(id), urlSeconds: 900, taskTimeoutSeconds: 3600, legSeconds: 3600 },
      }),
      {
        ...{ host: '127.0.0.1', port: 0, certificate: first },
        onCertificateFault: (error) => faults.push(error),
      },
      ({ error }) => console.error(error),
    );
  });
  after(async () => {
    await gateway.close();
    await Promise.all([world.close(), first.remove(), second.remove()]);
  });

  /** What an instance with this authority is answered. */
  const contact = (token: string, ca: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const call = request(
        `https://127.0.0.1:${gateway.port}/v1/contact`,
        {
          ...{ method: 'POST', ca, agent: false },
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
          },
        },
        (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode ?? 0));
        },
      );
      call.on('error', reject);
      call.end(JSON.stringify({ running: [] }));
    });
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: gateway.port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.on('error', reject);
    });

  it('serves instances over TLS, and nobody without', async () => {
    const { token } = await world.seedJob();
    expect(await contact(token, firstPem)).to.equal(200);
    const stranger = await contact(token, readFileSync(second.certFile)).catch((error: unknown) => error);
    expect(stranger).to.be.an('error');
    const plain = await fetch(`http://127.0.0.1:${gateway.port}/healthz`).catch((error: unknown) => error);
    expect(plain).to.be.an('error');
  });

  it('keeps its certificate while the files do not fit, and shows the new one when they do', async () => {
    const before = await shown();
    copyFileSync(second.certFile, first.certFile);
    await until('the fault is told', () => faults.length > 0);
    expect(await shown()).to.equal(before);
    copyFileSync(second.keyFile, first.keyFile);
    await until('the new certificate is shown', async () => (await shown()) !== before);
    const { token } = await world.seedJob();
    expect(await contact(token, readFileSync(second.certFile))).to.equal(200);
    expect(faults).to.have.length(1);
  });

  it('does not start with files that cannot serve, and names the setting', () => {
    const text = `${second.certFile}.text`;
    writeFileSync(text, 'no certificate');
    const { certFile, keyFile } = second;
    expect(() => readCertificate({ certFile: text, keyFile })).to.throw(/^DOCKYARD_GATEWAY_CERT_FILE: /);
    expect(() => readCertificate({ certFile, keyFile: text })).to.throw(/^DOCKYARD_GATEWAY_KEY_FILE: /);
    expect(() => readCertificate({ certFile, keyFile: `${keyFile}.none` })).to.throw(
      /^DOCKYARD_GATEWAY_KEY_FILE: /,
    );
  });
});

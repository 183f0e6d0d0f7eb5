/** Where the ends of certificates are read: from files and servers that have one, whatever becomes of the others. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:tls';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';
import { Registry } from 'prom-client';

import { registerCertificateMetrics } from '../../../src/bin/process/certificate-metrics.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { parseExposition } from '../../support/promql/scrapes.ts';

const DAY_SECONDS = 86_400;

describe('the ends of certificates', () => {
  it('are those of files and of servers with TLS, also after the end, and stay known while a place cannot be read', async () => {
    const [own, ended] = await Promise.all([makeCertificate(10), makeCertificate(-1)]);
    const server = createServer({ cert: readFileSync(ended.certFile), key: readFileSync(ended.keyFile) });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { readonly port: number };
    const faults: string[] = [];
    const registry = new Registry();
    const places = {
      api: `https://127.0.0.1:${String(port)}`,
      gateway: 'http://127.0.0.1:1',
      temporal: pathToFileURL(own.certFile).href,
    };
    registerCertificateMetrics(registry, places, (place) => faults.push(place), 0);
    const days = async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        parseExposition(await registry.metrics()).map(({ labels, value }) => [
          labels['place'],
          Math.round(value / DAY_SECONDS),
        ]),
      );
    expect(await days()).to.deep.equal({ api: -1, temporal: 10 });
    expect(faults).to.deep.equal([]);
    server.close();
    await once(server, 'close');
    rmSync(own.certFile);
    expect(await days()).to.deep.equal({ api: -1, temporal: 10 });
    expect(faults).to.have.members(['api', 'temporal']);
    await Promise.all([own.remove(), ended.remove()]);
  });
});

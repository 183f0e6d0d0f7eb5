/**
 * When the certificates end that this deployment lives by, for Prometheus. They are read where they are used: from the servers, as
 * whoever calls them is shown them, so a renewed file that no server has taken does not count.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

import { Gauge, type Registry } from 'prom-client';

import { atMostEvery } from '../../services/at-most-every.ts';

const LOOK_MS = 3_600_000;
const PATIENCE_MS = 3_000;

/**
 * Registers the metric, once per registry. A place is an address: `https:` is asked for the certificate that it shows, `file:` is a
 * certificate in PEM, and any other has none. A place that cannot be read keeps what was read before.
 */
export function registerCertificateMetrics(
  registry: Registry,
  places: Readonly<Record<string, string>>,
  onFault: (place: string, error: unknown) => void,
  lookMs = LOOK_MS,
): void {
  const ends = new Map<string, number>();
  const lookAt = async (place: string, address: string): Promise<void> => {
    try {
      const end = await endOf(new URL(address));
      if (end !== null) ends.set(place, Date.parse(end));
    } catch (error) {
      onFault(place, error);
    }
  };
  const look = atMostEvery(lookMs, () =>
    Promise.all(Object.entries(places).map(([place, address]) => lookAt(place, address))),
  );
  new Gauge({
    name: 'dockyard_certificate_remaining_seconds',
    help: 'Seconds until the certificate of a place ends, below zero after its end.',
    labelNames: ['place'],
    registers: [registry],
    async collect() {
      await look();
      for (const [place, end] of ends) this.set({ place }, (end - Date.now()) / 1000);
    },
  });
}

async function endOf(address: URL): Promise<string | null> {
  if (address.protocol === 'https:') return endShownBy(address);
  return address.protocol === 'file:' ? new X509Certificate(await readFile(address)).validTo : null;
}

function endShownBy({ hostname, port }: URL): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  return new Promise((resolve, reject) => {
    // Whether the certificate is believed is not the question: one that has ended is read, too, and nothing is sent.
    const options = { host, port: Number(port || 443), servername, rejectUnauthorized: false };
    const socket = connect({ ...options, timeout: PATIENCE_MS }, () => {
      resolve(socket.getPeerCertificate().valid_to);
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
  });
}

/**
 * Connections of workers, made from the same settings as those of clients (`connection.ts`). Instances know nothing of
 * Temporal: their connections go to the gateway.
 */
import { getCACertificates } from 'node:tls';

import { NativeConnection } from '@temporalio/worker';

import { openApiKey, readTls, sdkTls } from './access.ts';
import type { TemporalAccess } from './access.ts';
import { checkTemporal } from './check.ts';

const KEY_MS = 1_000;

/**
 * Connects a worker to Temporal; the API key of the connection follows its file.
 * @throws TemporalSettingsError naming a setting that is not accepted; another error when Temporal does not answer.
 */
export async function connectNative(access: TemporalAccess): Promise<NativeConnection> {
  await checkTemporal(access);
  const tls = sdkTls(readTls(access));
  const apiKey = openApiKey(access);
  let sent = apiKey?.current() ?? null;
  const connection = await NativeConnection.connect({
    address: access.temporalAddress,
    ...(tls === null ? {} : { tls }),
    ...(sent === null ? {} : { apiKey: sent }),
  });
  if (apiKey === null) return connection;
  const timer = setInterval(() => {
    const key = apiKey.current();
    if (key === sent) return;
    sent = key;
    // A connection that has been closed takes no key, and needs none.
    connection.setApiKey(key).catch(() => clearInterval(timer));
  }, KEY_MS);
  timer.unref();
  const close = connection.close.bind(connection);
  connection.close = () => {
    clearInterval(timer);
    return close();
  };
  return connection;
}

/**
 * Connects the worker of an instance to the gateway, which passes its calls on. The gateway's certificate is believed as Node believes
 * it, so one setting names the authorities for all calls of an instance.
 */
export async function connectThroughGateway(gatewayUrl: string, bearer: string): Promise<NativeConnection> {
  const { protocol, hostname, port } = new URL(gatewayUrl);
  const isSecure = protocol === 'https:';
  const defaultPort = isSecure ? '443' : '80';
  return NativeConnection.connect({
    address: `${hostname}:${port === '' ? defaultPort : port}`,
    metadata: { authorization: `Bearer ${bearer}` },
    // The messages are small, since large data goes through storage, and the gateway would unpack those of all instances.
    grpcCompression: { codec: 'none' },
    tls: isSecure ? { serverRootCACertificate: Buffer.from(getCACertificates('default').join('\n')) } : false,
  });
}

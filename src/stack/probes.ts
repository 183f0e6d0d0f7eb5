import { connect as connectHttp2 } from 'node:http2';
import pg from 'pg';
import { askForNamespace } from '../adapters/temporal/check.ts';

const probeTimeoutMs = 2_000;

/** Whether an HTTP address answers 200. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
  await response.body?.cancel();
  return response.status === 200;
}

/** Whether an object store of ours answers at its own path of health, by the word that it has for that. */
export async function answersHealth(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
  return (await response.text()) === 'OK' && response.status === 200;
}

/** Whether a PostgreSQL takes our password and a query, and is the cluster of this name. */
export async function answersSql(databaseUrl: string, clusterName: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: probeTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>("SELECT current_setting('cluster_name') AS name");
    return rows[0]?.name === clusterName;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a Temporal answers that has this namespace. By hand: a gRPC client takes half a second to load. */
export function hasNamespace(address: string, namespace: string): Promise<boolean> {
  const session = connectHttp2(`http://${address}`);
  return new Promise<boolean>((resolve, reject) => {
    session.setTimeout(probeTimeoutMs, () => resolve(false));
    session.on('error', reject);
    askForNamespace(session, namespace, null).then((status) => resolve(status === 0), reject);
  }).finally(() => session.destroy());
}

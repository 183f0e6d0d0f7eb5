import { connect as connectHttp2 } from 'node:http2';
import pg from 'pg';

const probeTimeoutMs = 2_000;

/** Whether an HTTP address answers 200. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
  await response.body?.cancel();
  return response.status === 200;
}

/** Whether PostgreSQL takes a query. */
export async function answersSql(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: probeTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The request of gRPC's standard health check for Temporal's frontend: five bytes of frame, one string field. */
function healthRequest(): Buffer {
  const service = Buffer.from('temporal.api.workflowservice.v1.WorkflowService');
  const message = Buffer.concat([Buffer.from([0x0a, service.length]), service]);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

/** Whether Temporal's frontend says that it serves. By hand: a gRPC client takes half a second to load. */
export function answersGrpcHealth(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2(`http://${address}`);
    const chunks: Buffer[] = [];
    const end = (): void => {
      clearTimeout(timer);
      session.destroy();
      // Field 1 (status) with value 1 (SERVING), after the frame.
      resolve(
        Buffer.concat(chunks)
          .subarray(5)
          .equals(Buffer.from([0x08, 0x01])),
      );
    };
    const timer = setTimeout(end, probeTimeoutMs);
    session.once('error', end);
    const request = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('error', end);
    request.once('end', end);
    request.end(healthRequest());
  });
}

/** A collector of traces on this machine, which takes OTLP as JSON over HTTP, and which can be made to hang. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came in, with what its process says of itself. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

/** The collector. */
export interface Collector {
  readonly url: string;
  /** Everything that came in, as it came. */
  readonly texts: readonly string[];
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  spans(): CollectedSpan[];
  /** From now on no call is answered. */
  hang(): void;
  close(): Promise<void>;
}

const ERROR_STATUS = 2;

// The form of OTLP is looked into as it is.
/* oxlint-disable typescript/no-explicit-any */
function attributesOf(list: readonly any[] = []): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
}

function spansIn(text: string): CollectedSpan[] {
  return JSON.parse(text).resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        service: String(attributesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map((link: any) => link.traceId),
        isFailed: span.status?.code === ERROR_STATUS,
      })),
    ),
  );
}
/* oxlint-enable typescript/no-explicit-any */

/** Opens a collector on a free port. */
export async function openCollector(): Promise<Collector> {
  const texts: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  let isHanging = false;
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (isHanging) return;
      headers.push(request.headers);
      texts.push(Buffer.concat(chunks).toString('utf8'));
      answer.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' });
      answer.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    texts,
    headers,
    spans: () => texts.flatMap(spansIn),
    hang: () => void (isHanging = true),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A way to moto's server on which a test answers some calls itself. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer to a call in the place of moto. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A way to moto. */
export interface Way {
  readonly url: string;
  calls(): string[];
  close(): Promise<void>;
}

/** The answer of EC2 that refuses a call. */
export function failure(code: string, status: number): Answer {
  const error = `<Error><Code>${code}</Code><Message>the why of it</Message></Error>`;
  return { status, body: `<Response><Errors>${error}</Errors><RequestID>r</RequestID></Response>` };
}

/** A way that only counts the calls. */
export const watchedWay = (to: string): Promise<Way> => answeringWay(() => null, to);

/** A way to moto on which some calls are answered otherwise, or lose their answer after the effect. */
export async function answeringWay(
  answerTo: (action: string) => Answer | null,
  to = '',
  loses: (action: string) => boolean = () => false,
  saw: (body: string) => unknown = () => undefined,
): Promise<Way> {
  const calls: string[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await new Response(request as never).text();
      saw(body);
      const action = new URLSearchParams(body).get('Action') ?? String(request.headers['x-amz-target'] ?? '');
      calls.push(action);
      const own = answerTo(action);
      if (own !== null) {
        response.writeHead(own.status, { 'content-type': 'text/xml' }).end(own.body);
        return;
      }
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const passed = await fetch(`${to}${request.url ?? '/'}`, {
        method: 'POST',
        body,
        headers: headers as never,
      });
      const text = await passed.text();
      if (loses(action)) response.destroy();
      else
        response
          .writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/xml' })
          .end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls.filter((action) => !/DescribeS|GetParameter/.test(action)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

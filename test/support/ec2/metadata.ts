/**
 * The metadata service of every simulated machine, on loopback: version 2 alone, so a question without a token is refused. The
 * address of a machine's service ends with the machine's id. A machine powers itself off by the same address.
 *
 * Questions that EC2 and the firewall of the machine keep from a container get no answer here either: those from more hops away
 * than the launch allows, and all that the firewall drops.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { hopsOf, isContainerDropped } from './network.ts';
import { portOfServer } from './wire.ts';

/** Answers of a machine's service. */
export interface MachineFacts {
  readonly userData: string;
  /** The notice that the machine is taken away; null without one. */
  readonly notice: string | null;
  /** The leader of the machine's processes; null before the boot. */
  readonly group: number | null;
  /** Over how many hops the answer with a token reaches. */
  readonly hopLimit: number;
  /** The rules that the machine has added to its firewall. */
  readonly firewall: string;
}

/** The services of all machines. */
export interface MetadataServer {
  addressOf(id: string): string;
  close(): Promise<void>;
}

/** Opens the server; `factsOf` answers null for a machine that is gone. */
export async function openMetadata(
  factsOf: (id: string) => MachineFacts | null,
  powerOff: (id: string) => void,
): Promise<MetadataServer> {
  const tokens = new Set<string>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const [, id = '', ...rest] = (request.url ?? '').split('/');
    const path = rest.join('/');
    const facts = factsOf(id);
    const end = (status: number, text = ''): void => void response.writeHead(status).end(text);
    if (facts === null) {
      end(404);
      return;
    }
    const isToken = request.method === 'PUT' && path === 'latest/api/token';
    const hops = hopsOf(request.socket, facts.group);
    // Nobody answers: the packets are gone.
    if (hops > 1 && isContainerDropped(facts.firewall)) return;
    if (isToken && hops > facts.hopLimit) return;
    if (request.method === 'POST' && path === 'power-off') {
      end(204);
      powerOff(id);
    } else if (isToken) {
      const token = randomUUID();
      tokens.add(token);
      end(200, token);
    } else if (!tokens.has(String(request.headers['x-aws-ec2-metadata-token']))) end(401);
    else if (path === 'latest/meta-data/spot/instance-action' && facts.notice !== null)
      end(200, facts.notice);
    else if (path === 'latest/meta-data/instance-id') end(200, id);
    else if (path === 'latest/user-data') end(200, facts.userData);
    else end(404);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    addressOf: (id) => `http://127.0.0.1:${portOfServer(server)}/${id}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

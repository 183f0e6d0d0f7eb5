/**
 * A compute worker that the test plays: it has the token of a real instance and sends the gateway what the test wants.
 */
import { randomUUID } from 'node:crypto';

import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../../src/contracts/instance.ts';
import type {
  BootstrapResponse,
  InstanceClaims,
  UploadUrlsResponse,
} from '../../../src/contracts/instance.ts';
import type { WorkKind } from '../../../src/contracts/job.ts';
import { signInstanceToken } from '../../../src/services/execution/instances/token.ts';
import type { FaultWorld } from './world.ts';

/** The status and the error code of the gateway's answer. */
export interface GatewayAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly body: unknown;
}

/** A worker without tools and without a host. */
export interface Guest {
  post(path: string, body: unknown): Promise<GatewayAnswer>;
  /** Asks for an address at which a file of a task is staged that runs under this generation. */
  uploadUrl(
    ordinal: number,
    file: { readonly name: string; readonly byteSize: number; readonly sha256: string },
    kind?: WorkKind,
  ): Promise<UploadUrlsResponse['uploads'][number]>;
}

/** The first call of an instance, with the credential of its launch. */
export async function bootstrap(
  gatewayUrl: string,
  credential: string,
  nonce: string = randomUUID(),
): Promise<GatewayAnswer> {
  return answerOf(
    await fetch(`${gatewayUrl}/v1/bootstrap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL) },
      body: JSON.stringify({ credential, nonce }),
    }),
  );
}

/** The bearer that a credential is given. */
export async function bearerFor(gatewayUrl: string, credential: string): Promise<string> {
  const { status, body } = await bootstrap(gatewayUrl, credential);
  if (status !== 200) throw new Error(`The gateway answered ${status}.`);
  return (body as BootstrapResponse).token;
}

async function answerOf(answer: Response): Promise<GatewayAnswer> {
  const text = await answer.text();
  const value: unknown = text === '' ? null : JSON.parse(text);
  const code: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'code') : null;
  return { status: answer.status, code: typeof code === 'string' ? code : null, body: value };
}

/** Takes the place of one generation of an instance. */
export function guestOf(world: FaultWorld, claims: Omit<InstanceClaims, 'expiresAt'>): Guest {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const token = signInstanceToken(world.stack.env['DOCKYARD_SECRET'] ?? '', { ...claims, expiresAt });
  const post: Guest['post'] = async (path, body) => {
    const isLog = path.includes('/log');
    const answer = await fetch(`${world.stack.gatewayUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isLog ? 'application/octet-stream' : 'application/json',
        [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
      },
      body: isLog ? String(body) : JSON.stringify(body),
    });
    return answerOf(answer);
  };
  return {
    post,
    async uploadUrl(ordinal, file, kind = 'task') {
      const answer = await post('/v1/tasks/upload-urls', { kind, files: [{ ordinal, ...file }] });
      const [upload] = (answer.body as UploadUrlsResponse).uploads;
      if (upload === undefined) throw new Error(`The gateway answered ${answer.status}.`);
      return upload;
    },
  };
}

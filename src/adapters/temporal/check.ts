/**
 * A look at Temporal over TLS before the first connection of the SDK. The SDK says of every failure that Temporal does not answer;
 * this look tells which of our settings Temporal, or our side, does not accept. Temporal that is away is no fault of a setting, so
 * such a look ends without an error.
 */
import http2 from 'node:http2';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

import { VARIABLES, openApiKey, readTls } from './access.ts';
import type { TemporalAccess, TemporalTls } from './access.ts';
import { TemporalSettingsError } from './settings-error.ts';

const LOOK_MS = 5_000;
const DEFAULT_PORT = 7233;
const CALL = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';
const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNAUTHENTICATED = 16;

/** The codes of Node's TLS for a certificate of Temporal that our side does not believe. */
const NOT_BELIEVED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

/** How far a look came when it ended. */
type Stage = 'connecting' | 'secured' | 'speaking';

/**
 * Looks whether Temporal and this process accept each other. Without TLS there is nothing to look at.
 * @throws TemporalSettingsError naming the setting that is not accepted.
 */
export async function checkTemporal(access: TemporalAccess): Promise<void> {
  const tls = readTls(access);
  const apiKey = openApiKey(access)?.current() ?? null;
  if (tls === null) return;
  const status = await look(access, tls, apiKey);
  if (status !== GRPC_UNAUTHENTICATED && status !== GRPC_PERMISSION_DENIED) return;
  const { temporalAddress: address, temporalNamespace: namespace } = access;
  throw apiKey === null
    ? new TemporalSettingsError(
        VARIABLES.apiKey,
        `Temporal at ${address} does not let this process into the namespace ${namespace}, and no API key is set.`,
      )
    : new TemporalSettingsError(
        VARIABLES.apiKey,
        `Temporal at ${address} does not accept the API key in ${access.temporalApiKeyFile} for the namespace ${namespace}.`,
      );
}

/** The status of one call; null when Temporal is away. */
async function look(access: TemporalAccess, tls: TemporalTls, apiKey: string | null): Promise<number | null> {
  const { host, port } = placeOf(access.temporalAddress);
  const servername = tls.serverName ?? (isIP(host) === 0 ? host : null);
  // The socket is made here, because a session of HTTP/2 does not tell why its socket failed.
  const socket = connect({
    host,
    port,
    ALPNProtocols: ['h2'],
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.pair === null ? {} : { cert: tls.pair.cert, key: tls.pair.key }),
    ...(servername === null ? {} : { servername }),
  });
  let stage: Stage = 'connecting';
  try {
    return await new Promise<number | null>((resolve, reject) => {
      const end = (error: unknown): void => {
        const refusal = refusalOf(error, stage, access, tls);
        if (refusal === null) resolve(null);
        else reject(refusal);
      };
      socket.setTimeout(LOOK_MS, () => resolve(null));
      socket.once('error', end);
      socket.once('close', () => end(null));
      socket.once('secureConnect', () => {
        stage = 'secured';
        const session = http2.connect(`https://${access.temporalAddress}`, {
          createConnection: () => socket,
        });
        session.on('error', end);
        session.once('remoteSettings', () => {
          stage = 'speaking';
          askForNamespace(session, access.temporalNamespace, apiKey).then(resolve, end);
        });
      });
    });
  } finally {
    socket.on('error', () => undefined);
    socket.destroy();
  }
}

/** Asks Temporal for a namespace; answers gRPC's status. By hand, because a gRPC client hides why its connection failed. */
export function askForNamespace(
  session: http2.ClientHttp2Session,
  namespace: string,
  apiKey: string | null,
): Promise<number> {
  const stream = session.request({
    ':method': 'POST',
    ':path': CALL,
    'content-type': 'application/grpc',
    te: 'trailers',
    'temporal-namespace': namespace,
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  });
  return new Promise((resolve, reject) => {
    const note = (headers: Readonly<Record<string, unknown>>): void => {
      const status = headers['grpc-status'];
      if (status !== undefined) resolve(Number(status));
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('error', reject);
    stream.on('close', () => reject(new Error('Temporal closed the call.')));
    stream.resume();
    stream.end(describeRequest(namespace));
  });
}

/** gRPC's frame around DescribeNamespaceRequest, whose first field is the namespace. */
function describeRequest(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const length: number[] = [];
  for (let rest = name.length; ; rest >>>= 7) {
    if (rest < 128) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  const message = Buffer.concat([Buffer.from([0x0a, ...length]), name]);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

/** Finds the setting that an error speaks against; null for errors that settings have no part in. */
function refusalOf(error: unknown, stage: Stage, access: TemporalAccess, tls: TemporalTls): Error | null {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { temporalAddress: address, temporalServerName: name } = access;
  const refuse = (variable: string, problem: string): Error =>
    new TemporalSettingsError(variable, problem, error);
  if (NOT_BELIEVED.has(code))
    return refuse(
      VARIABLES.ca,
      tls.ca === null
        ? `the certificate of Temporal at ${address} is of no known authority (${code}); name the file of its authority.`
        : `the certificate of Temporal at ${address} is not of the authorities in ${access.temporalCaFile} (${code}).`,
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return refuse(
      VARIABLES.serverName,
      `the certificate of Temporal at ${address} is not for ${name === '' ? 'the host of this address' : name}.`,
    );
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return refuse(VARIABLES.ca, `the certificate of Temporal at ${address} is not valid now (${code}).`);
  if (code.includes('UNRECOGNIZED_NAME'))
    return refuse(VARIABLES.serverName, `Temporal at ${address} does not know the name ${name}.`);
  if (code.startsWith('ERR_SSL_') && !code.includes('ALERT'))
    return refuse(VARIABLES.tls, `what answers at ${address} does not speak TLS (${code}).`);
  // With TLS 1.3 a server refuses a certificate after our side has taken the connection for secured.
  if (!code.includes('ALERT') && stage !== 'secured') return null;
  return refuse(
    VARIABLES.cert,
    tls.pair === null
      ? `Temporal at ${address} ends the connection, as servers do that ask for a certificate; none is set.`
      : `Temporal at ${address} does not accept the certificate in ${access.temporalCertFile}.`,
  );
}

function placeOf(address: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(address) ?? [];
  return { host: bracketed ?? plain ?? address, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

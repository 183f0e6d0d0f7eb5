/**
 * Whether an error passes: something that the service depends on does not answer now, or has no room now. A service that is away
 * shows by codes (of the network, of PostgreSQL, of gRPC, of an HTTP answer of a store), which stand on the error itself, on one
 * of its causes, or on an error that it gathers.
 */

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  // Of the client of Azure, for a request that came to no answer.
  'REQUEST_SEND_ERROR',
]);
/**
 * PostgreSQL: connection exceptions (08), no room for connections, memory or disk (53), a statement or a lock that took too long
 * (57014, 55P03, 25P03), shutting down or starting (57P0), work that was to be repeated and still is (40001, 40P01), and a
 * server that only reads, such as one that has just been replaced (25006).
 */
const DATABASE_CODES = /^(08...|53...|57014|57P0[1-5]|55P03|25P03|25006|40001|40P01)$/;
/** gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE. */
const GRPC_CODES = new Set([4, 8, 10, 14]);
const TOO_MANY_REQUESTS = 429;
const SERVER_FAULT = 500;
const DEEPEST_CAUSE = 5;

/** Whether an error says that the other side does not answer, or has no room. */
export function isAway(error: unknown): boolean {
  return partsOf(error).some(
    (part) =>
      codeOf(part, (code) => NETWORK_CODES.has(code) || DATABASE_CODES.test(code)) ||
      // The error of an answer that did not come in time has a name and no code.
      part.name === 'TimeoutError' ||
      isAwayByNumber(part),
  );
}

/** Whether an error, one of its causes or one that it gathers has a code that a test takes. */
export function hasCode(error: unknown, takes: (code: string) => boolean): boolean {
  return partsOf(error).some((part) => codeOf(part, takes));
}

function codeOf(error: Error, takes: (code: string) => boolean): boolean {
  return 'code' in error && typeof error.code === 'string' && takes(error.code);
}

/** Status codes of gRPC, which come with details, and of HTTP, as the clients of the stores tell them. */
function isAwayByNumber(error: Error): boolean {
  if ('code' in error && typeof error.code === 'number' && 'details' in error)
    return GRPC_CODES.has(error.code);
  const status = statusOf(error);
  return status !== null && (status >= SERVER_FAULT || status === TOO_MANY_REQUESTS);
}

function statusOf(error: Error): number | null {
  const metadata: unknown = Reflect.get(error, '$metadata');
  if (typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata)
    return Number(metadata.httpStatusCode);
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
}

/** The error, its causes, and the errors that it gathers. */
function partsOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return [];
  const gathered: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...gathered, error.cause].flatMap((inner) => partsOf(inner, depth + 1))];
}

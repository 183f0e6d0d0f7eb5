/** Reads the files that the service makes of scenes. */
import type { CallOptions, Query, Transport } from './transport.ts';

/** A package holds up to half a gigabyte. */
const EXPORT_SECONDS = 600;

/** Reads a file, which is made anew for each read. */
export async function readExport(
  transport: Transport,
  path: string,
  query: Query,
  { signal }: CallOptions,
): Promise<Uint8Array> {
  const timeoutSeconds = EXPORT_SECONDS;
  const { bytes } = await transport.send({
    method: 'GET',
    path,
    query,
    timeoutSeconds,
    repeatable: true,
    signal,
  });
  return bytes;
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './child.ts';
import type { StackSecrets } from './state.ts';

/** The region the embedded object store answers for. */
export const storageRegion = 'us-east-1';
/** The bucket of the embedded object store. */
export const storageBucket = 'dockyard';

/** How versitygw is run over a folder. `sidecar` keeps metadata in files where there are no extended attributes. */
export function storageCommand(
  program: string,
  home: string,
  port: number,
  options: {
    readonly secrets: StackSecrets;
    readonly sidecar: boolean;
    readonly environment: Readonly<Record<string, string>>;
  },
): Command {
  const folder = join(home, 'storage');
  const sidecar = join(home, 'storage-metadata');
  mkdirSync(folder, { recursive: true });
  if (options.sidecar) mkdirSync(sidecar, { recursive: true });
  const address = [
    '--port',
    `127.0.0.1:${port}`,
    '--region',
    storageRegion,
    '--health',
    '/healthz',
    '--quiet',
  ];
  return {
    file: program,
    arguments: [...address, 'posix', ...(options.sidecar ? ['--sidecar', sidecar] : []), folder],
    environment: {
      ...options.environment,
      ROOT_ACCESS_KEY: options.secrets.storageAccessKeyId,
      ROOT_SECRET_KEY: options.secrets.storageSecretAccessKey,
    },
    folder: home,
    channel: false,
  };
}

/** Whether versitygw ended because the file system keeps no extended attributes. */
export function lacksExtendedAttributes(logTail: string): boolean {
  return /xattr|extended attribute/i.test(logTail);
}

/** Makes the stack's bucket when it is not there. */
export async function createStackBucket(endpoint: string, secrets: StackSecrets): Promise<void> {
  // Loaded here, while the servers start: the SDK takes a third of a second to load.
  const { createBucket } = await import('../adapters/storage/bucket.ts');
  await createBucket({
    endpoint,
    region: storageRegion,
    bucket: storageBucket,
    accessKeyId: secrets.storageAccessKeyId,
    secretAccessKey: secrets.storageSecretAccessKey,
  });
}

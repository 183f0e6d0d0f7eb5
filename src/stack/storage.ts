import { globSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from './child.ts';
import type { StackSecrets } from './state.ts';

/** The region the embedded object store answers for. */
export const storageRegion = 'us-east-1';
/** The bucket of the embedded object store. */
export const storageBucket = 'dockyard';

/** Folders of multipart uploads that versitygw is putting together: `{upload}.{etag}.inprogress` below the hash of the key. */
const BEING_MADE = '*/.sgwtmp/multipart/*/*.inprogress';

/** Makes the command of versitygw over a folder. `sidecar` keeps metadata in files where there are no extended attributes. */
export function storageCommand(
  program: string,
  home: string,
  port: number,
  options: {
    readonly secrets: StackSecrets;
    readonly sidecar: boolean;
    /** Path at which it answers that it is healthy; another server does not know the path. */
    readonly healthPath: string;
    readonly environment: Readonly<Record<string, string>>;
  },
): Command {
  const folder = join(home, 'storage');
  const sidecar = join(home, 'storage-metadata');
  mkdirSync(folder, { recursive: true });
  if (options.sidecar) mkdirSync(sidecar, { recursive: true });
  for (const place of [folder, sidecar]) reviveUploads(place);
  const address = [
    '--port',
    `127.0.0.1:${port}`,
    '--region',
    storageRegion,
    '--health',
    options.healthPath,
    '--quiet',
    '--keep-alive',
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

/**
 * Gives the uploads that a killed versitygw was putting together their names back, before it starts again: it lists no upload under
 * the other name, so that their parts could be neither put together nor removed. It copies parts and keeps them until the object is there.
 */
function reviveUploads(folder: string): void {
  for (const place of globSync(BEING_MADE, { cwd: folder })) {
    const [uploadId = ''] = basename(place).split('.');
    renameSync(join(folder, place), join(folder, dirname(place), uploadId));
  }
}

/** Whether versitygw ended because the file system keeps no extended attributes. */
export function lacksExtendedAttributes(logTail: string): boolean {
  return /xattr|extended attribute/i.test(logTail);
}

/** Makes the stack's bucket when it is not there, and lets the pages of the stack's API through to it. */
export async function createStackBucket(
  endpoint: string,
  secrets: StackSecrets,
  publicUrl: string,
): Promise<void> {
  // Loaded here, while the servers start: the SDK takes a third of a second to load.
  const { createBucket } = await import('../adapters/storage/bucket.ts');
  await createBucket({
    endpoint,
    region: storageRegion,
    bucket: storageBucket,
    accessKeyId: secrets.storageAccessKeyId,
    secretAccessKey: secrets.storageSecretAccessKey,
    pageOrigin: new URL(publicUrl).origin,
  });
}

/** The object store that the configuration names. */
import type { AzureSettings } from './azure.ts';
import type { S3Settings } from './s3.ts';
import type { ObjectStore } from './storage.ts';

/** Kind of store that a process uses, with the settings of both kinds; the names are those of the configuration. */
export type StoreSettings = S3Settings & AzureSettings & { readonly storageProvider: 's3' | 'azure' };

/** Opens the store; nothing is sent before the first call. Only the SDK of the chosen store is loaded. */
export async function openObjectStore(settings: StoreSettings): Promise<ObjectStore> {
  switch (settings.storageProvider) {
    case 's3':
      return (await import('./s3.ts')).createS3Store(settings);
    case 'azure':
      return (await import('./azure.ts')).createAzureStore(settings);
  }
}

/** The object store that the configuration names. */
import { createAzureStore } from './azure.ts';
import type { AzureSettings } from './azure.ts';
import { createS3Store } from './s3.ts';
import type { S3Settings } from './s3.ts';
import type { ObjectStore } from './storage.ts';

/** Which store, and what either needs; the names are those of the configuration. */
export type StoreSettings = S3Settings & AzureSettings & { readonly storageProvider: 's3' | 'azure' };

/** Opens the store; nothing is sent before the first call. */
export function openObjectStore(settings: StoreSettings): ObjectStore {
  switch (settings.storageProvider) {
    case 's3':
      return createS3Store(settings);
    case 'azure':
      return createAzureStore(settings);
  }
}

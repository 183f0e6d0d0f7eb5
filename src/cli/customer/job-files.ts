/**
 * Files of a command's job, stored at the service. Every step has an idempotency key made from the key of the job, so that
 * the whole command may be repeated and ends with the same stored files and the same job.
 */
import { createHash } from 'node:crypto';

import type { Client } from '../../client/index.ts';
import type { JobFiles } from '../../tools/command.ts';

/** Stores the files of the job with this key. */
export function createJobFiles(
  client: Pick<Client, 'upload' | 'registerArtifact'>,
  key: string,
  progress: (line: string) => void,
): JobFiles {
  const upload: JobFiles['upload'] = async ({ path, contentType, purpose }) => {
    const file = { path, contentType };
    const { storageKey } = await client.upload(file, { idempotencyKey: keyOf(key, purpose, 'upload') });
    return storageKey;
  };
  return {
    progress,
    upload,
    async register({ format, label, ...file }) {
      const storageKey = await upload(file);
      const { artifact } = await client.registerArtifact(
        { storageKey, format, label },
        { idempotencyKey: keyOf(key, file.purpose, 'artifact') },
      );
      return artifact;
    },
  };
}

/** An idempotency key of fixed length, however long the parts are that it is made from. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 48);
}

/**
 * Files of a command's job, stored at the service. Every step has an idempotency key made from the key of the job, so that
 * the whole command may be repeated and ends with the same stored files and the same job.
 */
import { createHash } from 'node:crypto';

import type { Client } from '../../client/index.ts';
import type { JobFiles } from '../../tools/command.ts';

/** Stores the files of the job with this key. */
export function createJobFiles(
  client: Pick<Client, 'upload' | 'uploadFolder' | 'registerArtifact'>,
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
    async uploadFolder({ path, purpose }) {
      const { files, leftOut } = await client.uploadFolder({ path, projectId: projectOf(key, purpose) });
      for (const { path: left, reason } of leftOut) progress(`Not taken along: ${left} (${reason})`);
      return files.map(({ logicalPath, storageKey }) => ({ logicalPath, storageKey }));
    },
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

/** The id of a package: the same for the same command, so that what is stored already is not sent again. */
function projectOf(...parts: readonly string[]): string {
  const hex = keyOf(...parts, 'project');
  // Version 8 of UUIDs: what is in it is its maker's matter.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An idempotency key of fixed length, however long the parts are that it is made from. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 48);
}

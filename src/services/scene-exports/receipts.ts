/** The signed receipts of the jobs that made the data of a scene. */
import type { DataSource } from 'typeorm';

import type { Artifact } from '../../../entities/storage.ts';
import type { StoredReceipt } from '../../../entities/receipts.ts';
import type { Actor } from '../../domain/access.ts';
import { PACKAGE } from '../../domain/scene-exports.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import { sha256 } from '../../tools/canonical.ts';
import type { Row } from '../row.ts';

/** The jobs that made data of a scene. */
export async function jobsThatMade(
  db: DataSource,
  { accountId }: Actor,
  sources: readonly SceneSource[],
): Promise<readonly string[]> {
  const rows = await db.query<Row<Artifact, 'jobId'>[]>(
    'select distinct job_id from artifacts where account_id = $1 and id = any($2) and job_id is not null order by job_id',
    [accountId, sources.flatMap((source) => (source.kind === 'asset' ? source.artifactId : []))],
  );
  return rows.flatMap(({ job_id: jobId }) => jobId ?? []);
}

/** The receipts of jobs, all or those of the digests, as files of a package by their names; the text of each is as it was signed. */
export async function jobReceipts(
  db: DataSource,
  { accountId }: Actor,
  jobIds: readonly string[],
  digests: ReadonlySet<string> | null = null,
): Promise<Readonly<Record<string, string>>> {
  const rows = await db.query<
    Row<StoredReceipt, 'jobId' | 'execution' | 'keyId' | 'signature' | 'document'>[]
  >(
    `select r.job_id, r.execution, r.key_id, r.signature, r.document from receipts r join jobs j on j.id = r.job_id
     where j.account_id = $1 and r.job_id = any($2) order by r.job_id, r.execution`,
    [accountId, jobIds],
  );
  return Object.fromEntries(
    rows.flatMap(({ job_id: jobId, execution, key_id: keyId, signature: value, document }) => {
      if (digests !== null && !digests.has(sha256(document))) return [];
      const signature = JSON.stringify({ algorithm: 'Ed25519', keyId, value });
      return [
        [`${PACKAGE.jobs}${jobId}-${execution}.json`, `{"receipt":${document},"signature":${signature}}\n`],
      ];
    }),
  );
}

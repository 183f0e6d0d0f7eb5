/**
 * Receipts of revisions. A revision is saved with a row that says that its receipt is due; the sweep of the control side, which has the
 * keys, reads the facts and signs them once. A revision whose data came from a job that still waits for its own receipt waits with it.
 */
import type { DataSource } from 'typeorm';

import type { Artifact } from '../../../entities/storage.ts';
import type { Job } from '../../../entities/jobs.ts';
import type {
  MolecularContent,
  MolecularProject,
  MolecularReceipt,
  MolecularRevision,
} from '../../../entities/projects.ts';
import type { StoredReceipt } from '../../../entities/receipts.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { isRecord } from '../../domain/is-record.ts';
import { REVISION_RECEIPT_SCHEMA } from '../../domain/revision-receipts.ts';
import type {
  RevisionJob,
  RevisionReceipt,
  RevisionSource,
  RevisionStructure,
  SignedRevisionReceipt,
} from '../../domain/revision-receipts.ts';
import { readSource } from '../../scenes/sources.ts';
import { canonicalJson, sha256 } from '../../tools/canonical.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, OuterRow, Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';
import type { ReceiptDependencies } from './issue.ts';

/** How many receipts one round of the sweep makes at most. */
const ROUND = 200;

interface DueRow
  extends
    Row<
      MolecularRevision,
      'projectId' | 'version' | 'accountId' | 'contentSha256' | 'byteSize' | 'sourceVersion'
    >,
    Row<MolecularContent, 'bytes'>,
    ExactTimes<MolecularRevision, 'createdAt'> {}

/** The content's addresses as they stand in canonical JSON, which escapes none of their characters. */
const ADDRESS = /"(\/api\/v1\/molecular\/[^"]+)"/g;

/** Signs the receipts of revisions that are due, the oldest first. @returns how many. */
export async function issueRevisionReceipts({
  db,
  signer,
  issuer,
}: Pick<ReceiptDependencies, 'db' | 'signer' | 'issuer'>): Promise<number> {
  if (signer === null) return 0;
  const due = await db.query<Row<MolecularReceipt, 'projectId' | 'version'>[]>(
    `select project_id, version from molecular_receipts where document is null order by due_at limit $1`,
    [ROUND],
  );
  let issued = 0;
  for (const { project_id: projectId, version } of due)
    issued += await inTransaction(db, async (tx) => {
      const receipt = await readFacts(tx, projectId, version, issuer);
      if (receipt === null) return 0;
      const document = canonicalJson(receipt);
      const [, count] = await tx.query<[unknown[], number]>(
        `update molecular_receipts set document = $3, key_id = $4, signature = $5
         where project_id = $1 and version = $2 and document is null`,
        [projectId, version, document, signer.keyId, signer.sign(document)],
      );
      return count;
    });
  return issued;
}

async function readFacts(
  tx: Queryable,
  projectId: string,
  version: number,
  issuer: string,
): Promise<RevisionReceipt | null> {
  const [row] = await tx.query<DueRow[]>(
    `select r.project_id, r.version, r.account_id, r.content_sha256, r.byte_size, r.source_version,
       ${exactTime('r.created_at')} as created_at, c.bytes
     from molecular_revisions r join molecular_contents c on c.account_id = r.account_id and c.sha256 = r.content_sha256
     where r.project_id = $1 and r.version = $2`,
    [projectId, version],
  );
  if (row === undefined) return null;
  const { artifactIds, structures } = namedBy(row.bytes);
  const { sources, missing } = await sourcesOf(tx, row.account_id, artifactIds);
  const jobs = await jobsOf(tx, sources);
  return jobs === null
    ? null
    : {
        schema: REVISION_RECEIPT_SCHEMA,
        issuer,
        projectId,
        version,
        sourceVersion: row.source_version,
        savedAt: row.created_at,
        contentSha256: row.content_sha256,
        byteSize: row.byte_size,
        sources,
        structures,
        missing,
        jobs,
      };
}

/** The data that a content names, each once and in order. */
function namedBy(content: Buffer): {
  readonly artifactIds: readonly string[];
  readonly structures: RevisionStructure[];
} {
  const addresses = [...content.toString('utf8').matchAll(ADDRESS)].map(([, address = '']) => address);
  const named = [...new Set(addresses)].sort().flatMap((address) => readSource(address) ?? []);
  return {
    artifactIds: named.flatMap((source) => (source.kind === 'asset' ? [source.artifactId] : [])),
    structures: named.flatMap((source) =>
      source.kind === 'structure' ? [{ pdbId: source.pdbId, sha256: source.sha256 }] : [],
    ),
  };
}

async function sourcesOf(
  tx: Queryable,
  accountId: string,
  artifactIds: readonly string[],
): Promise<Pick<RevisionReceipt, 'sources' | 'missing'>> {
  const rows = await tx.query<Row<Artifact, 'id' | 'name' | 'byteSize' | 'sha256' | 'jobId'>[]>(
    'select id, name, byte_size, sha256, job_id from artifacts where account_id = $1 and id = any($2) order by id',
    [accountId, artifactIds],
  );
  const sources = rows.map((row): RevisionSource => ({
    artifactId: row.id,
    name: row.name,
    byteSize: row.byte_size,
    sha256: row.sha256,
    jobId: row.job_id,
  }));
  const known = new Set(sources.map(({ artifactId }) => artifactId));
  return { sources, missing: artifactIds.filter((id) => !known.has(id)) };
}

interface JobRow extends Row<Job, 'id' | 'fingerprint'>, OuterRow<StoredReceipt, 'execution' | 'document'> {
  readonly is_due: boolean;
}

/** The jobs that made the sources, with their receipts; null while a settled execution of one of them still gets its receipt. */
async function jobsOf(tx: Queryable, sources: readonly RevisionSource[]): Promise<RevisionJob[] | null> {
  const rows = await tx.query<JobRow[]>(
    `select j.id, j.fingerprint, r.execution, r.document,
       exists (select from job_executions e where e.job_id = j.id and e.receipt_due and e.settled_at is not null) as is_due
     from jobs j left join receipts r on r.job_id = j.id where j.id = any($1) order by j.id, r.execution`,
    [sources.flatMap(({ jobId }) => jobId ?? [])],
  );
  if (rows.some((row) => row.is_due)) return null;
  const jobs = new Map<string, RevisionJob>();
  for (const { id: jobId, fingerprint, execution, document } of rows) {
    const before = jobs.get(jobId)?.receipts ?? [];
    const own = execution === null || document === null ? [] : [{ execution, sha256: sha256(document) }];
    jobs.set(jobId, { jobId, requestSha256: fingerprint, receipts: [...before, ...own] });
  }
  return [...jobs.values()];
}

type ReceiptRow = OuterRow<MolecularReceipt, 'document' | 'keyId' | 'signature'> &
  Row<MolecularProject, 'id'>;

/** Reads the receipt of a revision. @throws NOT_FOUND, RECEIPT_NOT_READY. */
export async function readRevisionReceipt(
  db: DataSource,
  { accountId }: Actor,
  { projectId, version }: { readonly projectId: string; readonly version: number },
): Promise<SignedRevisionReceipt> {
  const [row] = await db.query<ReceiptRow[]>(
    `select p.id, r.document, r.key_id, r.signature from molecular_projects p join molecular_receipts r on r.project_id = p.id
     where p.account_id = $1 and p.id = $2 and p.deleted_at is null and r.version = $3`,
    [accountId, projectId, version],
  );
  if (row === undefined) throw new AppError('NOT_FOUND', 'The project has no such revision.');
  const { document, key_id: keyId, signature: value } = row;
  if (document === null || keyId === null || value === null)
    throw new AppError(
      'RECEIPT_NOT_READY',
      'The receipt of the revision is being made. Ask again in a minute.',
    );
  return { receipt: receiptOf(document), signature: { algorithm: 'Ed25519', keyId, value } };
}

/** Only this service wrote the document, so only its format is checked again. */
function receiptOf(document: string): RevisionReceipt {
  const value: unknown = JSON.parse(document);
  if (!isReceipt(value)) throw invariantBroken('a stored receipt of a revision is no receipt');
  return value;
}

function isReceipt(value: unknown): value is RevisionReceipt {
  return isRecord(value) && value['schema'] === REVISION_RECEIPT_SCHEMA;
}

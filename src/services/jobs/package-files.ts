/**
 * Files of a project package that a request names by their path in the package. The package is the one of the scene file:
 * all files of the account that were uploaded under the same project id, each with its path. Of several files with one path
 * the one that arrived last counts, as in the list of uploads.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { StoredObject } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Row } from '../row.ts';
import { repeatConflicts } from '../transaction.ts';
import { arrivalOf, HEADS_AT_ONCE } from '../uploads/single-arrived.ts';
import type { AwaitedFile } from '../uploads/single-arrived.ts';
import { keptLogicalPath } from '../upload-key.ts';
import { rememberVerified } from '../verified-objects.ts';

/** More files than any database of one name has. */
const MOST_FILES = 1_000;

const OF_PACKAGE = `o.account_id = $1 and o.project_id = (
    select project_id from stored_objects where account_id = $1 and storage_key = $2)
  and (o.logical_path = $3 or starts_with(o.logical_path, $3 || '.'))`;

/** Files that were stored by one PUT and were not looked at since. */
const AWAITED = `select o.storage_key, o.byte_size, o.announced_sha256 from stored_objects o
  where ${OF_PACKAGE} and o.state = 'ANNOUNCED'
  order by o.created_at desc limit ${MOST_FILES}`;

const FOUND = `select distinct on (o.logical_path) o.storage_key from stored_objects o
  where ${OF_PACKAGE} and o.state = 'VERIFIED'
  order by o.logical_path, o.verified_at desc, o.storage_key desc limit ${MOST_FILES}`;

interface PackageDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/** The request with what its tool reads of the project package among the attachments. */
export async function withPackageFiles(
  deps: PackageDependencies & { readonly tools: Pick<ToolRegistry, 'resolve'> },
  accountId: string,
  request: SubmitJobRequest,
): Promise<SubmitJobRequest> {
  const { sceneFile, attachments = [] } = request;
  const path = deps.tools.resolve(request).tool.request.packagePath?.(request) ?? null;
  if (path === null || sceneFile === undefined) return request;
  const found = await packageFiles(deps, accountId, { sceneFile, path });
  return found.length === 0 ? request : { ...request, attachments: [...attachments, ...found] };
}

/**
 * The storage keys of the package's files that have the path, or the path and an ending; none when the scene file belongs
 * to no package of the account.
 */
export async function packageFiles(
  { db, store }: PackageDependencies,
  accountId: string,
  wanted: { readonly sceneFile: string; readonly path: string },
): Promise<readonly string[]> {
  const values = [accountId, wanted.sceneFile, keptLogicalPath({ logicalPath: wanted.path })];
  const awaited = await db.query<AwaitedFile[]>(AWAITED, values);
  const limit = pLimit(HEADS_AT_ONCE);
  const seen = await Promise.all(awaited.map((file) => limit(() => arrivalOf(store, file))));
  const arrived = seen.filter((one) => one !== null);
  if (arrived.length > 0) await repeatConflicts(() => rememberVerified(db, accountId, arrived));
  const found = await db.query<Row<StoredObject, 'storageKey'>[]>(FOUND, values);
  return found.map(({ storage_key }) => storage_key);
}

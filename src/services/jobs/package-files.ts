/**
 * Files of a project package that a request names by their path in the package. The package is the one of the scene file: all
 * files of the account that were uploaded under the same project id, each with its path. Of several files with one path the one
 * that arrived last counts, as in the list of uploads. Parts of a whole, such as the volumes of a database, are never taken from
 * two uploads of that whole.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { StoredObject } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { PackageParts, WholePackage } from '../../tools/tool.ts';
import type { Row } from '../row.ts';
import { toolFor } from './offer.ts';
import { repeatConflicts } from '../transaction.ts';
import { arrivalOf, HEADS_AT_ONCE } from '../uploads/single-arrived.ts';
import type { AwaitedFile } from '../uploads/single-arrived.ts';
import { keptLogicalPath } from '../upload-key.ts';
import { rememberVerified } from '../verified-objects.ts';

/** A submit looks for this many files at most, and takes no more parts. */
const MOST_FILES = 256;

const OF_PROJECT = `o.account_id = $1 and o.project_id = (
    select project_id from stored_objects where account_id = $1 and storage_key = $2)`;
const OF_PACKAGE = `${OF_PROJECT}
  and (o.logical_path = $3
    or starts_with(o.logical_path, $3) and substr(o.logical_path, length($3) + 1) ~ $4)`;

/** Files that were stored by one PUT and were not looked at since. A file that has the path itself comes before parts. */
const AWAITED = `select o.storage_key, o.byte_size, o.announced_sha256 from stored_objects o
  where ${OF_PACKAGE} and o.state = 'ANNOUNCED'
  order by o.logical_path = $3 desc, o.created_at desc limit ${MOST_FILES + 1}`;

/**
 * The newest file of each path; the parts only where no file has the path itself. `is_left` says of a part that it was there
 * before other parts were replaced by other bytes, and was not replaced itself.
 */
const FOUND = `with versions as (
    select o.storage_key, o.logical_path, o.verified_at, o.byte_size, o.sha256,
      lag(o.byte_size) over same as old_size, lag(o.sha256) over same as old_sha256,
      row_number() over (partition by o.logical_path order by o.verified_at desc, o.storage_key desc) as age
    from stored_objects o where ${OF_PACKAGE} and o.state = 'VERIFIED'
    window same as (partition by o.logical_path order by o.verified_at, o.storage_key)),
  replaced as (
    select min(verified_at) as since from versions
    where age = 1 and (byte_size <> old_size or sha256 <> old_sha256))
  select v.storage_key, v.logical_path,
    coalesce(v.logical_path <> $3 and v.verified_at < replaced.since, false) as is_left
  from versions v cross join replaced
  where v.age = 1 and (v.logical_path = $3 or not exists (select from versions where logical_path = $3))
  order by v.logical_path limit ${MOST_FILES + 1}`;

const ALL_AWAITED = `select o.storage_key, o.byte_size, o.announced_sha256 from stored_objects o
  where ${OF_PROJECT} and o.logical_path is not null and o.state = 'ANNOUNCED' order by o.created_at desc limit $3::int`;

/** The newest file of each path of the package; one more than may be there. */
const ALL_FOUND = `select distinct on (o.logical_path) o.storage_key, o.logical_path from stored_objects o
  where ${OF_PROJECT} and o.logical_path is not null and o.state = 'VERIFIED'
  order by o.logical_path, o.verified_at desc, o.storage_key desc limit $3::int`;

interface FoundFile extends Row<StoredObject, 'storageKey' | 'logicalPath'> {
  readonly is_left: boolean;
}

interface PackageDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/**
 * The request with what its tool reads of the project package among the attachments. A request that is wrong in itself is
 * refused before the package is looked at.
 * @throws the tool's own codes, and VALIDATION_ERROR.
 */
export async function withPackageFiles(
  deps: PackageDependencies & { readonly tools: ToolRegistry },
  accountId: string,
  request: SubmitJobRequest,
): Promise<SubmitJobRequest> {
  const { sceneFile, attachments = [] } = request;
  const wish = deps.tools.resolve(request).tool.request.packageFiles?.(request) ?? null;
  if (wish === null || sceneFile === undefined) return request;
  toolFor(deps.tools, request, true);
  const found =
    'path' in wish
      ? await packageFiles(deps, accountId, { ...wish, sceneFile })
      : await wholePackage(deps, accountId, { ...wish, sceneFile });
  return found.length === 0 ? request : { ...request, attachments: [...attachments, ...found] };
}

/**
 * The storage keys of the package's files that have the path, or else the path and one of the endings; none when the scene
 * file belongs to no package of the account.
 * @throws the refusal `mixed` when some of the parts were replaced and others were not, or when the parts are too many.
 */
export async function packageFiles(
  { db, store }: PackageDependencies,
  accountId: string,
  wanted: PackageParts & { readonly sceneFile: string },
): Promise<readonly string[]> {
  const { sceneFile, path, endings, mixed } = wanted;
  const values = [accountId, sceneFile, keptLogicalPath({ logicalPath: path }), endings];
  const awaited = await db.query<AwaitedFile[]>(AWAITED, values);
  await verifyAwaited({ db, store }, accountId, awaited.slice(0, MOST_FILES));
  const isCut = awaited.length > MOST_FILES;
  const found = await db.query<FoundFile[]>(FOUND, values);
  if (found.length > MOST_FILES || (isCut && found[0]?.logical_path !== values[2])) {
    throw new AppError(
      mixed,
      `The project package has more than ${MOST_FILES} files of ${path}. Name them as attachments.`,
    );
  }
  const left = found.find(({ is_left: isLeft }) => isLeft);
  if (left !== undefined) {
    throw new AppError(
      mixed,
      `${left.logical_path} in the project package is older than other files of ${path}, which were replaced. Upload all of them again under another path, or name the right ones as attachments.`,
    );
  }
  return found.map(({ storage_key }) => storage_key);
}

/**
 * The storage keys of all files of the package of the scene file but the scene file itself, the newest of each path; none when it
 * belongs to no package of the account.
 * @throws VALIDATION_ERROR when they are too many.
 */
export async function wholePackage(
  { db, store }: PackageDependencies,
  accountId: string,
  { sceneFile, mostFiles }: WholePackage & { readonly sceneFile: string },
): Promise<readonly string[]> {
  const values = [accountId, sceneFile, mostFiles + 1];
  const awaited = await db.query<AwaitedFile[]>(ALL_AWAITED, values);
  await verifyAwaited({ db, store }, accountId, awaited);
  const found = await db.query<Row<StoredObject, 'storageKey'>[]>(ALL_FOUND, values);
  if (found.length > mostFiles) {
    throw new AppError(
      'VALIDATION_ERROR',
      `sceneFile: its project package has more than ${mostFiles} files. Upload what the scene needs as a package of its own.`,
    );
  }
  return found.map(({ storage_key: key }) => key).filter((key) => key !== sceneFile);
}

/** Verifies what has arrived of files that were stored by one PUT. */
async function verifyAwaited(
  { db, store }: PackageDependencies,
  accountId: string,
  awaited: readonly AwaitedFile[],
): Promise<void> {
  const limit = pLimit(HEADS_AT_ONCE);
  // A file that cannot be checked now is not found now; the next submit, the list and the sweep look at it again.
  const seen = await Promise.all(
    awaited.map((file) => limit(() => arrivalOf(store, file).catch(() => null))),
  );
  const arrived = seen.filter((one) => one !== null);
  if (arrived.length > 0) await repeatConflicts(() => rememberVerified(db, accountId, arrived));
}

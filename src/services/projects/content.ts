/** Contents as they are sent: what is refused, and the bytes that are stored. */
import { createHash } from 'node:crypto';

import type { MolecularRevision } from '../../../entities/projects.ts';
import { AppError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { MOST_CONTENT_BYTES } from '../../domain/molecular-projects.ts';
import { checkScene } from '../../scenes/check.ts';
import type { SceneCheck } from '../../scenes/check.ts';
import type { SceneFault } from '../../scenes/fault.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import { canonicalJson } from '../../tools/canonical.ts';
import type { Tx } from '../transaction.ts';

/** A content as it is stored. */
export type StoredContent = Pick<MolecularRevision, 'contentSha256' | 'byteSize'> & {
  readonly bytes: Buffer;
  /** Data that the scene names. */
  readonly sources: readonly SceneSource[];
};

const NO_SCENE: SceneCheck = { faults: [], sources: [] };
/** Faults of a scene that one answer names. */
const NAMED_FAULTS = 50;
/** API keys of the service, and addresses with a signature of a store: whoever reads a share could use them. */
const SECRET = /svc_(?:live|test)_[A-Za-z0-9]{20}|[?&](?:X-Amz-Signature|sig)=/i;

/** Judges a content. @throws PAYLOAD_TOO_LARGE, SCENE_INVALID, SCENE_SOURCE_REFUSED, CONTENT_HOLDS_SECRET. */
export function contentOf(content: JsonObject): StoredContent {
  const text = canonicalJson(content);
  const bytes = Buffer.from(text);
  const { byteLength: byteSize } = bytes;
  if (byteSize > MOST_CONTENT_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `A content has at most ${MOST_CONTENT_BYTES} bytes; this one has ${byteSize}.`,
    );
  if (SECRET.test(text))
    throw new AppError(
      'CONTENT_HOLDS_SECRET',
      'content: holds an API key or a signed address. Everybody who reads a revision could use it. Name the artifact instead.',
    );
  const { faults, sources } = content['scene'] === undefined ? NO_SCENE : checkScene(content['scene']);
  refuseFaults(faults);
  return { bytes, byteSize, sources, contentSha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Refuses a scene with faults, each of them named. */
function refuseFaults(faults: readonly SceneFault[]): void {
  if (faults.length === 0) return;
  const named = faults.slice(0, NAMED_FAULTS).map(({ path, message }) => {
    const dot = path === '' || path.startsWith('[') ? '' : '.';
    return `content.scene${dot}${path}: ${message}`;
  });
  const more = faults.length - named.length;
  throw new AppError(
    faults.every(({ kind }) => kind === 'source') ? 'SCENE_SOURCE_REFUSED' : 'SCENE_INVALID',
    [...named, ...(more > 0 ? [`and ${more} faults more`] : [])].join('; '),
  );
}

/**
 * Makes sure that the content is stored and stays: its row is locked, so that the sweep does not take the row away. Artifacts that the
 * scene names are the account's own; one whose file is lost may be named again, so that what else the scene shows can still be edited.
 * @throws SCENE_SOURCE_REFUSED.
 */
export async function keepContent(
  tx: Tx,
  accountId: string,
  { contentSha256, bytes, sources }: StoredContent,
): Promise<void> {
  for (;;) {
    const made = await tx.query<unknown[]>(
      'insert into molecular_contents (account_id, sha256, bytes) values ($1, $2, $3) on conflict do nothing returning 1',
      [accountId, contentSha256, bytes],
    );
    if (made.length > 0) break;
    const known = await tx.query<unknown[]>(
      'select 1 from molecular_contents where account_id = $1 and sha256 = $2 for key share',
      [accountId, contentSha256],
    );
    if (known.length > 0) return;
  }
  if (sources.length === 0) return;
  await refuseForeign(tx, accountId, sources);
  await tx.query(
    `insert into molecular_sources (account_id, content_sha256, address, artifact_id)
     select $1, $2, * from unnest($3::text[], $4::uuid[])`,
    [accountId, contentSha256, sources.map(addressOf), sources.map(artifactOf)],
  );
}

function artifactOf(source: SceneSource): string | null {
  return source.kind === 'asset' ? source.artifactId : null;
}

/** Artifacts are locked, so that no sweep takes one away before it is noted as named. */
async function refuseForeign(tx: Tx, accountId: string, sources: readonly SceneSource[]): Promise<void> {
  const artifactIds = sources.map(artifactOf);
  await tx.query(
    'select from artifacts where id = any($2::uuid[]) and account_id = $1 order by id for key share',
    [accountId, artifactIds],
  );
  const foreign = await tx.query<{ readonly address: string }[]>(
    `select named.address from unnest($2::text[], $3::uuid[], $4::text[], $5::text[]) named (address, artifact_id, pdb_id, sha256)
     where not exists (select from artifacts a where a.id = named.artifact_id and a.account_id = $1)
       and not exists (select from deposited_structures d where d.pdb_id = named.pdb_id and d.sha256 = named.sha256)
       and not exists (select from molecular_sources s where s.artifact_id = named.artifact_id and s.account_id = $1)`,
    [
      accountId,
      sources.map(addressOf),
      artifactIds,
      sources.map((source) => (source.kind === 'structure' ? source.pdbId : null)),
      sources.map((source) => (source.kind === 'structure' ? source.sha256 : null)),
    ],
  );
  if (foreign.length === 0) return;
  throw new AppError(
    'SCENE_SOURCE_REFUSED',
    `content.scene: there is no ${foreign.map(({ address }) => address).join(', ')} for this account. Upload a file and register it by POST /api/v1/molecular/docking/artifacts; import an entry by GET /api/v1/molecular/structures/{pdbId}, which answers its digest.`,
  );
}

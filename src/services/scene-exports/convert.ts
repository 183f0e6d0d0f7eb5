/** Scenes of revisions as conversions: the file of an export, which stays with the account as an artifact. Equal files are one artifact. */
import { randomBytes } from 'node:crypto';

import type { DataSource } from 'typeorm';
import { v5 as uuidv5, validate as isUuid } from 'uuid';

import { ArtifactEntity } from '../../../entities/storage.ts';
import type { Artifact } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { sceneKey } from '../../contracts/names.ts';
import type { Actor } from '../../domain/access.ts';
import type { ConversionResponse, ConvertRequest } from '../../domain/conversions.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { ARTIFACT_SCHEMA } from '../../domain/requests.ts';
import { EXPORT_FORMATS } from '../../domain/scene-exports.ts';
import { exactTime } from '../exact-time.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { noSuchPair } from '../inspections/convert.ts';
import type { createConversions } from '../inspections/convert.ts';
import type { ExactTimes, Row } from '../row.ts';
import { streamToStore } from '../stream-to-store.ts';
import type { RevisionPlace, SceneExports } from './index.ts';

type FileConversions = ReturnType<typeof createConversions>;

/** Conversions of files and of scenes. */
export interface Conversions extends Pick<FileConversions, 'get'> {
  convert(actor: Actor, request: ConvertRequest): Promise<ConversionResponse>;
}

/** Where scenes are stored. */
export interface ConvertDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly exports: Pick<SceneExports, 'ofRevision'>;
  readonly files: FileConversions;
}

interface FileRow
  extends
    Row<Artifact, 'id' | 'storageKey' | 'sha256' | 'byteSize' | 'mediaType' | 'format' | 'label'>,
    ExactTimes<Artifact, 'createdAt'> {}

const KIND = 'scene';
const IDS = '8c1f0f5f-55a5-5d53-9f0b-3a6f0d7c2b61';
const MARK_BYTES = 8;

/** Adds conversions of scenes to those of files. */
export function createAllConversions(deps: ConvertDependencies): Conversions {
  return {
    convert: (actor, { input, to }) =>
      'projectId' in input ? convertScene(deps, actor, input, to) : deps.files.convert(actor, { input, to }),
    async get(actor, id) {
      const made = isUuid(id) ? await findFile(deps.db, actor, id) : null;
      return made ?? deps.files.get(actor, id);
    },
  };
}

/** Converts the scene of a revision. @throws CONVERSION_UNSUPPORTED, and whatever an export of a revision throws. */
async function convertScene(
  { db, store, exports }: ConvertDependencies,
  actor: Actor,
  place: RevisionPlace,
  to: string,
): Promise<ConversionResponse> {
  const format = EXPORT_FORMATS.find((known) => known === to);
  if (format === undefined) throw noSuchPair('the scene of a revision', to);
  const { accountId } = actor;
  const file = await exports.ofRevision(actor, place, format);
  const { name, mediaType, digest, lost } = file;
  const id = uuidv5(`${format}/${digest}`, uuidv5(accountId, IDS));
  const known = await findFile(db, actor, id);
  if (known !== null) {
    await file.close();
    return known;
  }
  const storageKey = sceneKey(accountId, randomBytes(MARK_BYTES).toString('hex'), name);
  const stored = await streamToStore(store, { key: storageKey, contentType: mediaType }, file.read());
  const isOurs = await insertIfNew(db, ArtifactEntity, {
    id,
    accountId,
    storageKey,
    name,
    kind: KIND,
    mediaType,
    format,
    ...stored,
    label: lost.length === 0 ? null : lost.join('\n'),
  });
  if (!isOurs) await store.remove([storageKey]);
  const made = await findFile(db, actor, id);
  if (made === null) throw invariantBroken('a converted scene is not there');
  return made;
}

async function findFile(
  db: DataSource,
  { accountId }: Actor,
  id: string,
): Promise<ConversionResponse | null> {
  const [row] = await db.query<FileRow[]>(
    `select a.id, a.storage_key, a.sha256, a.byte_size, a.media_type, a.format, a.label, ${exactTime('a.created_at')} as created_at
     from artifacts a where a.id = $1 and a.account_id = $2 and a.kind = '${KIND}'`,
    [id, accountId],
  );
  const format = EXPORT_FORMATS.find((known) => known === row?.format);
  if (row === undefined || format === undefined) return null;
  const { storage_key: storageKey, byte_size: byteSize, media_type: mediaType, sha256, label } = row;
  return {
    conversionId: id,
    createdAt: row.created_at,
    status: 'SUCCEEDED',
    message: null,
    artifact: { schema: ARTIFACT_SCHEMA, artifactId: id, storageKey, sha256, byteSize, mediaType, format },
    warnings: (label ?? '')
      .split('\n')
      .flatMap((message) => (message === '' ? [] : { code: 'SOURCE_LOST', message })),
  };
}

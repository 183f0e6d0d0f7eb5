/** Scenes as files: of revisions of projects and of docking records, and as conversions. */
import pLimit from 'p-limit';

import { requireScope } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { citationText } from '../../domain/citations.ts';
import { AppError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { PACKAGE } from '../../domain/scene-exports.ts';
import type { ExportFormat } from '../../domain/scene-exports.ts';
import { checkScene } from '../../scenes/check.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import type { OpenArtifact } from '../artifacts.ts';
import { sceneOf } from '../docking/results/scene.ts';
import type { SceneOf } from '../docking/results/scene.ts';
import type { createAssets } from '../molecular/assets.ts';
import type { createStructures } from '../molecular/structures.ts';
import { citeRevision, readRevision } from '../projects/index.ts';
import { listReceiptKeys } from '../receipts/keys.ts';
import { readRevisionReceipt } from '../receipts/revisions.ts';
import { makePackage } from './package.ts';
import type { ExportedFile } from './package.ts';
import { makePublicScene } from './public.ts';
import type { PublicDependencies } from './public.ts';
import { jobReceipts, jobsThatMade } from './receipts.ts';

export type { ExportedFile };

/** The database, and whoever opens the data of scenes. */
export interface SceneExportDependencies extends PublicDependencies {
  readonly assets: Pick<ReturnType<typeof createAssets>, 'open'>;
  readonly structures: Pick<ReturnType<typeof createStructures>, 'open'>;
}

/** The revision that is exported. */
export interface RevisionPlace {
  readonly projectId: string;
  readonly version: number;
}

/** Exports; the functions behind the members say what they refuse. */
export interface SceneExports {
  ofRevision(actor: Actor, place: RevisionPlace, format: ExportFormat): Promise<ExportedFile>;
  ofDocking(actor: Actor, of: SceneOf, format: ExportFormat): Promise<ExportedFile>;
}

/** Packages that one process makes at once: each reads files of the store, and packs them. */
const AT_ONCE = 2;

/** Makes the exports. */
export function createSceneExports(deps: SceneExportDependencies): SceneExports {
  const turn = pLimit(AT_ONCE);
  return {
    ofRevision: (actor, place, format) => turn(() => exportRevision(deps, actor, place, format)),
    ofDocking: (actor, of, format) => turn(() => exportDocking(deps, actor, of, format)),
  };
}

/**
 * Exports the scene of a revision. @throws INSUFFICIENT_SCOPE, NOT_FOUND, SCENE_MISSING, RECEIPT_NOT_READY, EXPORT_NOT_PUBLIC,
 * SOURCE_TOO_LARGE, CHECKSUM_MISMATCH.
 */
async function exportRevision(
  deps: SceneExportDependencies,
  actor: Actor,
  place: RevisionPlace,
  format: ExportFormat,
): Promise<ExportedFile> {
  const { db } = deps;
  const { projectId, version } = place;
  const { content } = await readRevision(db, actor, projectId, version);
  requireScope(actor, 'projects:read');
  const text = content.toString('utf8');
  const read: unknown = JSON.parse(text);
  const scene = isRecord(read) ? read['scene'] : undefined;
  if (!isRecord(scene)) throw new AppError('SCENE_MISSING', 'The content of the revision has no scene.');
  const { sources } = checkScene(scene);
  const name = `${projectId}-v${version}`;
  if (format === 'mvsj') return makePublicScene(deps, actor, { name, scene, sources });
  const signed = await readRevisionReceipt(db, actor, place);
  const { jobs: named } = signed.receipt;
  const digests = named.flatMap(({ receipts }) => receipts.map(({ sha256 }) => sha256));
  const jobIds = named.map(({ jobId }) => jobId);
  const jobs = await jobReceipts(db, actor, jobIds, new Set(digests));
  return makePackage({
    name,
    title: citationText(await citeRevision(deps, actor, projectId, version), 'text').trim(),
    scene,
    sources,
    open: opener(deps, actor),
    beside: {
      [PACKAGE.content]: text,
      [PACKAGE.receipt]: pretty(signed),
      ...jobs,
      [PACKAGE.keys]: pretty(await listReceiptKeys(db)),
    },
  });
}

/**
 * Exports the scene of a docking record. @throws INSUFFICIENT_SCOPE, NOT_FOUND, RECEIPT_NOT_READY, EXPORT_NOT_PUBLIC, SOURCE_TOO_LARGE,
 * CHECKSUM_MISMATCH.
 */
async function exportDocking(
  deps: SceneExportDependencies,
  actor: Actor,
  of: SceneOf,
  format: ExportFormat,
): Promise<ExportedFile> {
  const { db } = deps;
  const scene = await sceneOf(db, actor, of);
  requireScope(actor, 'jobs:read');
  const { sources } = checkScene(scene);
  const name = `${of.kind}-${of.id}`;
  if (format === 'mvsj') return makePublicScene(deps, actor, { name, scene, sources });
  const jobIds = await jobsThatMade(db, actor, sources);
  const jobs = await jobReceipts(db, actor, jobIds);
  if (Object.keys(jobs).length === 0)
    throw new AppError(
      'RECEIPT_NOT_READY',
      'The receipt of the job is made when the job has ended, and goes into the package. Ask again then.',
    );
  return makePackage({
    name,
    title: String(scene.metadata['title']),
    scene,
    sources,
    open: opener(deps, actor),
    beside: { ...jobs, [PACKAGE.keys]: pretty(await listReceiptKeys(db)) },
  });
}

function opener({ assets, structures }: SceneExportDependencies, actor: Actor) {
  return (source: SceneSource): Promise<OpenArtifact> =>
    source.kind === 'asset'
      ? assets.open(actor, source.artifactId)
      : structures.open(source.pdbId, source.sha256);
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

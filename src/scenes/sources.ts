/**
 * The addresses by which scenes name their data. A scene names artifacts of its account and entries of the archive by digest, through this
 * service alone, so that it opens next year as it opens today.
 */

/** Data that a scene names. */
export type SceneSource =
  | { readonly kind: 'asset'; readonly artifactId: string }
  | { readonly kind: 'structure'; readonly pdbId: string; readonly sha256: string };

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ASSET = new RegExp(`^/api/v1/molecular/assets/(${UUID})$`);
const STRUCTURE = /^\/api\/v1\/molecular\/structures\/([0-9][a-z0-9]{3})\?sha256=([0-9a-f]{64})$/;

/** Reads an address; null for any other text. */
export function readSource(address: string): SceneSource | null {
  const [, artifactId] = ASSET.exec(address) ?? [];
  if (artifactId !== undefined) return { kind: 'asset', artifactId };
  const [, pdbId, sha256] = STRUCTURE.exec(address) ?? [];
  return pdbId === undefined || sha256 === undefined ? null : { kind: 'structure', pdbId, sha256 };
}

/** Writes the one address of data. */
export function addressOf(source: SceneSource): string {
  return source.kind === 'asset'
    ? `/api/v1/molecular/assets/${source.artifactId}`
    : `/api/v1/molecular/structures/${source.pdbId}?sha256=${source.sha256}`;
}

/** The version of Blender that draws a job: the one that the request names, else one that can read its scene. */
import { createGunzip, createZstdDecompress } from 'node:zlib';

import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { PlannableRequest, ReadBeginning, VariantChoice } from '../tool.ts';
import { BLENDER_VERSIONS } from './pack.ts';
import { BLENDER_ID, namedVersion, wrong } from './parameters.ts';

const NAMED: ReadonlyMap<string, string | null> = new Map(
  BLENDER_VERSIONS.flatMap(({ version, short, variant }) =>
    [short, version].map((name) => [`${BLENDER_ID}-${name}`, variant] as const),
  ),
);

/** The version that draws: the one that the request names, by its software or as a parameter. */
export const VERSION_CHOICE: VariantChoice = {
  field: 'metadata.software',
  of: (request) => NAMED.get(versionNameOf(request) ?? '') ?? null,
};

/** The name of the version in a request; null where it names none. */
function versionNameOf(request: PlannableRequest): string | null {
  return versionNamesOf(request)[0]?.name ?? null;
}

/** Refuses a request that names two versions, because one of them would draw without a word. @throws VALIDATION_ERROR. */
export function checkVersions(request: PlannableRequest): void {
  const [first, ...others] = versionNamesOf(request);
  const other = others.find(({ name }) => first !== undefined && NAMED.get(name) !== NAMED.get(first.name));
  if (first !== undefined && other !== undefined)
    throw wrong(
      `${first.field}: means ${first.name}, and ${other.field} means ${other.name}. Name one version.`,
    );
}

/** Every version that the request names, each with its field; the one that counts comes first. */
function versionNamesOf(
  request: PlannableRequest,
): readonly { readonly field: string; readonly name: string }[] {
  const version = namedVersion(request);
  const { software, renderer } = request.metadata ?? {};
  return [
    ['parameters.version', version === null ? null : `${BLENDER_ID}-${version}`] as const,
    ['metadata.software', software] as const,
    ['metadata.renderer', renderer] as const,
  ].flatMap(([field, said]) => {
    const name = typeof said === 'string' ? said.trim().toLowerCase().replaceAll(/[_\s]/g, '-') : '';
    return NAMED.has(name) ? [{ field, name }] : [];
  });
}

/** Enough of a packed scene for its first block. */
const LOOKED_AT_BYTES = 256 * 1024;
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Until 4.5 `BLENDER-v405`; from 5.0 on `BLENDER17-01v0500`. */
const WRITTEN_BY = /^BLENDER(?:[-_][vV](\d)(\d\d)|\d\d-\d\dv(\d\d)(\d\d))/;

/**
 * Takes, for a request that names no version, the oldest that can be run and is not older than the one that wrote the scene. Where
 * there is none, or the scene does not say, the preparation of the job tells so.
 */
export async function settleVersion(
  request: SubmitJobRequest,
  read: ReadBeginning,
  offered: readonly (string | null)[],
): Promise<SubmitJobRequest> {
  if (request.sceneFile === undefined || versionNameOf(request) !== null) return request;
  const written = await writtenBy((await read(request.sceneFile, LOOKED_AT_BYTES)).bytes);
  if (written === null) return request;
  const found = BLENDER_VERSIONS.filter(({ variant }) => offered.includes(variant))
    .toSorted((left, right) => numberOf(left.short) - numberOf(right.short))
    .find(({ short }) => numberOf(short) >= written);
  if (found === undefined || found.variant === null) return request;
  return { ...request, parameters: { ...request.parameters, version: found.short } };
}

/** The version that wrote a scene as a number that grows with it; null where its beginning does not say. */
async function writtenBy(bytes: Uint8Array): Promise<number | null> {
  const found = WRITTEN_BY.exec(Buffer.from(await unpacked(bytes)).toString('latin1', 0, 20));
  return found === null ? null : numberOf(`${found[1] ?? found[3] ?? ''}.${found[2] ?? found[4] ?? ''}`);
}

/** The beginning of a scene, which may be packed. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const starts = (mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.byteLength));
  if (!starts(ZSTD) && !starts(GZIP)) return bytes;
  const unpacking = starts(ZSTD) ? createZstdDecompress() : createGunzip();
  unpacking.end(bytes);
  try {
    for await (const piece of unpacking) if (piece instanceof Uint8Array) return piece;
  } catch {
    // The preparation finds that the scene is damaged, and says so.
  }
  return new Uint8Array();
}

function numberOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 100 + minor;
}

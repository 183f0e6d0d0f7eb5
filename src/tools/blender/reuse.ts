/**
 * The reuse key by which a frame that was drawn before is found again: a digest of all that decides its file. Every file of the package
 * counts, because a scene may use any of them.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256 } from '../canonical.ts';
import type { ReuseFacts, ToolReuse } from '../tool.ts';
import { BLENDER_VERSIONS } from './pack.ts';
import { placesOf } from './package.ts';
import { VERSION_CHOICE } from './version.ts';
import {
  deviceOf,
  formatOf,
  framesOf,
  missingAssetsOf,
  ocioOf,
  settingsOf,
  takesReused,
} from './parameters.ts';

/** The version of what a key is made of; a change of meaning gets a new one, so keys of before never match. */
const VERSION = 1;

/** Reuse of earlier frames. */
export const renderReuse: ToolReuse = { keys: reuseKeys, outputName: (name) => name };

async function reuseKeys(request: SubmitJobRequest, facts: ReuseFacts): Promise<readonly (string | null)[]> {
  const { accountId, toolchainSha256, cpuClass, build, digests } = facts;
  const { scene, files } = placesOf(request);
  const frames = framesOf(request);
  const contents = [...files].map(([path, key]) => [path, digests.get(key) ?? null] as const);
  // Two cards draw other pixels, and which one draws is not known before.
  const isOnGpu = deviceOf(request) === 'gpu';
  if (isOnGpu || !takesReused(request) || cpuClass === null || contents.some(([, digest]) => digest === null))
    return frames.map(() => null);
  const common = canonicalSha256({
    version: VERSION,
    accountId,
    toolchainSha256,
    cpuClass,
    scene,
    files: Object.fromEntries(contents),
    format: formatOf(request),
    settings: { ...settingsOf(request) },
    ocio: ocioOf(request),
    missingAssets: missingAssetsOf(request),
    ...versionPart(request),
    ...(build === null ? {} : { build }),
  });
  return Promise.resolve(frames.map((frame) => canonicalSha256({ common, frame })));
}

/** The version that draws, where it is not that of the pack, which the toolchain has. */
function versionPart(request: SubmitJobRequest): { readonly blender?: string } {
  const variant = VERSION_CHOICE.of(request);
  const version = BLENDER_VERSIONS.find((one) => one.variant === variant)?.version;
  return variant === null || version === undefined ? {} : { blender: version };
}

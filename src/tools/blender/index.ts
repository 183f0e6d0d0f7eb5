/**
 * Blender: frames of a scene, drawn by Cycles. The preparation (`science/blender`) opens and checks the scene and draws its first frame
 * small; each task draws one frame; the merge puts small pictures of all frames on a sheet. This folder says what a request means and
 * costs, and what a frame must be.
 */
import { defineTool } from '../define-tool.ts';
import { checkRender } from './checks.ts';
import { RENDER_CODES } from './codes.ts';
import { renderCommand } from './command.ts';
import { FRAME_VALUES, renderFinishFiles } from './finish.ts';
import { MOST_FILES, packageInputs, renderReads } from './inputs.ts';
import { framesView, frameSummary } from './live-view.ts';
import { blenderPack, OTHER_NAMES } from './pack.ts';
import { BLENDER_ID, framesOf } from './parameters.ts';
import { planRender, renderLimits, renderResources, withDevice } from './plan.ts';
import { PRICE_FIGURES, pricedRender, priceRender } from './price.ts';
import { renderReuse } from './reuse.ts';
import { blenderSession, ownToolchainSha256 } from './session.ts';
import { renderSessionSpec, renderTaskSpec } from './specs.ts';
import { renderStatus } from './status.ts';
import { RENDER_OUTPUT_BYTES, verifyRender } from './verify.ts';
import { settleVersion, VERSION_CHOICE } from './version.ts';

/** The tool that renders with Blender. */
export const blender = defineTool({
  about: {
    id: BLENDER_ID,
    jobType: 'render',
    aliases: OTHER_NAMES,
    title: 'Blender',
    summary: 'Renders frames of Blender scenes with Cycles.',
    licence: blenderPack.licence,
    docsPage: 'docs/tools/blender.md',
    audience: 'customers',
    unit: 'frame',
  },
  request: {
    needsSceneFile: true,
    reads: [],
    check: checkRender,
    variant: VERSION_CHOICE,
    settle: settleVersion,
    packageFiles: () => ({ mostFiles: MOST_FILES }),
  },
  planning: {
    priceModel: 'measured',
    resources: renderResources,
    resourceFields: {
      vcpus: 'parameters.threads',
      memoryMib: 'parameters.memoryGiB',
      gpuMemoryMib: 'parameters.memoryGiB',
    },
    decideGpu: withDevice,
    plan: planRender,
    price: (request, plan, book) => priceRender(request, plan, book),
    priced: pricedRender,
    figures: PRICE_FIGURES,
    itemIds: (request) => framesOf(request).map(String),
  },
  inputs: {
    stored: packageInputs,
    taskInputs: (request, kind, _ordinal, context) => renderReads(request, kind, context),
    reuse: renderReuse,
  },
  work: {
    limits: renderLimits,
    sessionSpec: renderSessionSpec,
    taskSpec: renderTaskSpec,
    checkpoint: { kind: 'chunk', provenBy: 'prepare' },
    session: (_workFolder, installation) => blenderSession(installation),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: RENDER_OUTPUT_BYTES,
    verify: verifyRender,
    finishValues: FRAME_VALUES,
    finishFiles: (_request, job) => renderFinishFiles(job),
  },
  shown: { statusPart: renderStatus, summary: frameSummary, live: framesView },
  codes: RENDER_CODES,
  pack: blenderPack,
  command: renderCommand,
});

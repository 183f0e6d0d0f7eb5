/**
 * A run of a wave model by the program that a site has built. The preparation reads and checks each case and proves whether its run may
 * be cut; a task runs one case, in pieces that end with kept checkpoints where it may. Python (`science/waves` and the package of the
 * model) does the work; this folder says what a request means and costs, and what its outputs must be.
 */
import { defineTool } from '../define-tool.ts';
import type { Tool } from '../tool.ts';
import { ownPackagesSha256 } from '../toolchain.ts';
import { checkWaves } from './checks.ts';
import { caseFiles, caseReads } from './inputs.ts';
import { wavesView } from './live-view.ts';
import type { WaveModel } from './model.ts';
import { GRID, PHYSICS, physicsOf, taskCountOf, WAVE_PARAMETERS } from './parameters.ts';
import { planWaves, waveLimits, waveResources } from './plan.ts';
import { pricedWaves, priceWaves } from './price.ts';
import { waveSession } from './session.ts';
import { waveSessionSpec, waveTaskSpec } from './specs.ts';
import { verifyWaves, WAVE_OUTPUT_BYTES } from './verify.ts';

/** Makes the tool of one model. */
export function createWaveTool(model: WaveModel): Tool {
  const { id, aliases, title, summary, docsPage, pack, command } = model;
  return defineTool({
    about: {
      id,
      aliases,
      jobType: 'simulation',
      title,
      summary,
      docsPage,
      licence: pack.licence,
      audience: 'customers',
      unit: 'task',
    },
    request: {
      needsSceneFile: true,
      reads: WAVE_PARAMETERS,
      check: (request) => checkWaves(request, model),
      variant: { field: `parameters.${PHYSICS}`, of: physicsOf },
    },
    planning: {
      priceModel: 'measured',
      resources: (request) => waveResources(request, model),
      resourceFields: { memoryMib: `parameters.${GRID}` },
      plan: (request, limits) => planWaves(request, limits, model),
      price: (request, plan, book) => priceWaves(request, { plan, book, model }),
      priced: (request) => pricedWaves(request, model),
      figures: model.price,
      itemIds: (request) => Array.from({ length: taskCountOf(request) }, (_, index) => String(index)),
    },
    inputs: {
      stored: caseFiles,
      taskInputs: (request, kind) => caseReads(request, kind, model.prepared),
    },
    work: {
      limits: (request) => waveLimits(request, model),
      sessionSpec: (request) => waveSessionSpec(request, model),
      taskSpec: waveTaskSpec,
      checkpoint: { kind: 'restart', provenBy: 'prepare' },
      startsAhead: true,
      session: (_workFolder, installation) => waveSession(installation, model),
      toolchainSha256: ownPackagesSha256(model.session.packages),
    },
    outputs: {
      largestBytes: WAVE_OUTPUT_BYTES,
      verify: (kind, _item, outputs, read) => verifyWaves(kind, { outputs, read, model }),
    },
    shown: { summary: model.taskSummary, live: wavesView },
    codes: model.codes,
    pack,
    ...(command === undefined ? {} : { command }),
  });
}

/** Scenes of docking records. */
import type Joi from 'joi';

import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { batchPath, posePath, resultPath, runPath } from './result-schemas.ts';
import { sceneAnswer } from './scene-schemas.ts';

const DESCRIPTIONS = {
  batch: 'The best poses of the best twenty ligands, each as a state of its own.',
  run: 'The best poses of the best twenty ligands, each as a state of its own.',
  result: 'The first twenty modes, each as a state of its own.',
  pose: 'The pose in the receptor.',
} as const;

type Kind = keyof typeof DESCRIPTIONS;

/** The scene of a record, in the form in which a project keeps scenes. */
function sceneOf<Params>(
  kind: Kind,
  path: string,
  operationId: string,
  params: Joi.ObjectSchema<Params>,
  idOf: (params: Params) => string,
): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `${path}/scene`,
    operationId,
    tag: TAGS.docking,
    summary: `Show a ${kind} as a scene`,
    description: `${DESCRIPTIONS[kind]} A MolViewSpec scene with the prepared receptor, the residues that a pose touches, its contacts as they are recorded, the box, and the deposited ligand of a control. Its data is read with the scope projects:read; a project takes the scene as it is.`,
    access: 'jobs:read',
    limit: 'read',
    idempotency: 'none',
    params,
    answers: { 200: { description: 'The scene.', schema: sceneAnswer } },
    errors: [],
    async handle({ dockingResults }, request) {
      return json(200, await dockingResults.scene(request.actor, { kind, id: idOf(request.params) }));
    },
  });
}

/** The endpoints of scenes, in the order of the document. */
export const dockingSceneEndpoints: readonly Endpoint[] = [
  sceneOf(
    'batch',
    '/molecular/docking/batches/:batchId',
    'getDockingBatchScene',
    batchPath,
    ({ batchId }) => batchId,
  ),
  sceneOf('run', '/molecular/docking/runs/:runId', 'getDockingRunScene', runPath, ({ runId }) => runId),
  sceneOf(
    'result',
    '/molecular/docking/results/:resultId',
    'getDockingResultScene',
    resultPath,
    ({ resultId }) => resultId,
  ),
  sceneOf(
    'pose',
    '/molecular/docking/poses/:poseId',
    'getDockingPoseScene',
    posePath,
    ({ poseId }) => poseId,
  ),
];

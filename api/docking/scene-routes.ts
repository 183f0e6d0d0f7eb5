/** Scenes of docking records. */
import type Joi from 'joi';

import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { EXPORT, answerExport, describeExport } from '../projects/export-endpoint.ts';
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

/** The scene of a record as a file. */
function exportOf<Params>(
  kind: Kind,
  path: string,
  operationId: string,
  params: Joi.ObjectSchema<Params>,
  idOf: (params: Params) => string,
): Endpoint {
  return defineEndpoint({
    ...EXPORT,
    tag: TAGS.docking,
    path: `${path}/scene/export`,
    operationId,
    summary: `Export the scene of a ${kind}`,
    description: describeExport(`The scene of the ${kind}`, 'jobs:read'),
    params,
    async handle({ sceneExports }, request) {
      const of = { kind, id: idOf(request.params) };
      return answerExport(await sceneExports.ofDocking(request.actor, of, request.query.format));
    },
  });
}

/** A record that has a scene, which is read and exported. */
function scenesOf<Params>(
  kind: Kind,
  name: string,
  path: string,
  params: Joi.ObjectSchema<Params>,
  idOf: (params: Params) => string,
): readonly Endpoint[] {
  return [
    sceneOf(kind, path, `getDocking${name}Scene`, params, idOf),
    exportOf(kind, path, `exportDocking${name}Scene`, params, idOf),
  ];
}

/** The endpoints of scenes, in the order of the document. */
export const dockingSceneEndpoints: readonly Endpoint[] = [
  ...scenesOf('batch', 'Batch', '/molecular/docking/batches/:batchId', batchPath, ({ batchId }) => batchId),
  ...scenesOf('run', 'Run', '/molecular/docking/runs/:runId', runPath, ({ runId }) => runId),
  ...scenesOf(
    'result',
    'Result',
    '/molecular/docking/results/:resultId',
    resultPath,
    (each) => each.resultId,
  ),
  ...scenesOf('pose', 'Pose', '/molecular/docking/poses/:poseId', posePath, ({ poseId }) => poseId),
];

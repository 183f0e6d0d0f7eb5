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

/** Records of one kind that have a scene, which is read and exported. */
interface ShownRecord<Params> {
  readonly kind: keyof typeof DESCRIPTIONS;
  /** The kind as the ids of operations name it. */
  readonly name: string;
  readonly path: string;
  readonly params: Joi.ObjectSchema<Params>;
  readonly idOf: (params: Params) => string;
}

/** The scene of a record, in the form in which a project keeps scenes. */
function sceneOf<Params>({ kind, name, path, params, idOf }: ShownRecord<Params>): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `${path}/scene`,
    operationId: `getDocking${name}Scene`,
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
function exportOf<Params>({ kind, name, path, params, idOf }: ShownRecord<Params>): Endpoint {
  return defineEndpoint({
    ...EXPORT,
    tag: TAGS.docking,
    path: `${path}/scene/export`,
    operationId: `exportDocking${name}Scene`,
    summary: `Export the scene of a ${kind}`,
    description: describeExport(`The scene of the ${kind}`, 'jobs:read'),
    params,
    async handle({ sceneExports }, request) {
      const of = { kind, id: idOf(request.params) };
      return answerExport(await sceneExports.ofDocking(request.actor, of, request.query.format));
    },
  });
}

function scenesOf<Params>(record: ShownRecord<Params>): readonly Endpoint[] {
  return [sceneOf(record), exportOf(record)];
}

const DOCKING = '/molecular/docking';

/** The endpoints of scenes, in the order of the document. */
export const dockingSceneEndpoints: readonly Endpoint[] = [
  ...scenesOf({
    kind: 'batch',
    name: 'Batch',
    path: `${DOCKING}/batches/:batchId`,
    params: batchPath,
    idOf: ({ batchId }) => batchId,
  }),
  ...scenesOf({
    kind: 'run',
    name: 'Run',
    path: `${DOCKING}/runs/:runId`,
    params: runPath,
    idOf: ({ runId }) => runId,
  }),
  ...scenesOf({
    kind: 'result',
    name: 'Result',
    path: `${DOCKING}/results/:resultId`,
    params: resultPath,
    idOf: ({ resultId }) => resultId,
  }),
  ...scenesOf({
    kind: 'pose',
    name: 'Pose',
    path: `${DOCKING}/poses/:poseId`,
    params: posePath,
    idOf: ({ poseId }) => poseId,
  }),
];

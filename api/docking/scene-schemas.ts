/** Scenes of docking records: the answer. */
import Joi from 'joi';

const metadata = Joi.object()
  .unknown()
  .example({ version: '1', title: 'Pose of imatinib' })
  .description('Version of MolViewSpec, and texts for people.');
const root = Joi.object()
  .unknown()
  .example({ kind: 'root', children: [{ kind: 'canvas', params: { background_color: 'white' } }] })
  .description('Tree of nodes of MolViewSpec.');

/** A scene. */
export const sceneAnswer = Joi.object({
  kind: Joi.string().valid('single', 'multiple').required().description('One state, or several.'),
  metadata: metadata.required(),
  root: root.description('Tree of the one state; absent of several.'),
  snapshots: Joi.array()
    .items(Joi.object({ metadata: metadata.required(), root: root.required() }).description('A state.'))
    .description('States, the best pose first; absent of one.'),
}).description('A MolViewSpec scene, as a content of a project holds it.');

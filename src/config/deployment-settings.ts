/** The settings of builds that run beside each other. */
import Joi from 'joi';

import { text } from './setting.ts';

/** Names of builds and of deployments; Temporal puts both into one text, with a colon or a full stop between. */
const BUILD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const DEPLOYMENT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Build of a control worker, and its deployment. */
export const DEPLOYMENT_SETTINGS = {
  buildId: text(
    Joi.string().pattern(BUILD, { name: 'build' }).allow('').default(''),
    'DOCKYARD_BUILD_ID',
    ['control'],
    'Build of this control worker, such as the tag of its image; jobs end on the build that they began on. Empty: builds are not told apart.',
  ),
  deploymentName: text(
    Joi.string().pattern(DEPLOYMENT, { name: 'deployment' }).default('dockyard'),
    'DOCKYARD_DEPLOYMENT_NAME',
    ['control', 'cli'],
    'The deployment in Temporal that the builds of this installation belong to.',
  ),
};

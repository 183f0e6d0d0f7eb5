/** The settings of instances of EC2. A missing one that every launch needs is told at the start of the process. */
import Joi from 'joi';

import { choice, text } from './setting.ts';

const CONTROLLED = ['control', 'cli'] as const;
const PLANNED = ['api', 'control', 'cli'] as const;
const IMAGE_OR_PARAMETER = /^(ami-[0-9a-f]{8,17}|\/[A-Za-z0-9_.\-/]{1,1000})$/;
const ECS = '/aws/service/ecs/optimized-ami/amazon-linux-2023';

/** A text that must be set where jobs of EC2 are served. */
function ofEc2(pattern: RegExp, what: string): Joi.StringSchema {
  const set = Joi.string().pattern(pattern, { name: what });
  return Joi.string()
    .allow('')
    .default('')
    .when('provider', {
      is: 'ec2',
      then: set.disallow('').required(),
      otherwise: Joi.when('furtherProviders', { is: /\bec2\b/, then: set.disallow('').required() }),
    })
    .messages({ 'any.required': '{{#label}} is required with the provider ec2' });
}

const listOf = (item: string): RegExp => new RegExp(`^${item}(,${item})*$`);

/** Settings of EC2, by their names in code. */
export const EC2_SETTINGS = {
  provider: choice(
    ['local', 'inprocess', 'ec2'],
    'local',
    'DOCKYARD_PROVIDER',
    PLANNED,
    'Provider of instances for new jobs.',
  ),
  furtherProviders: text(
    Joi.string()
      .pattern(listOf('(local|inprocess|ec2)'), { name: 'providers, separated by commas' })
      .allow('')
      .default(''),
    'DOCKYARD_FURTHER_PROVIDERS',
    CONTROLLED,
    'Providers of which jobs are still open, separated by commas: an open job keeps the provider that it began with.',
  ),
  ec2Region: text(
    ofEc2(/^[a-z]{2}(-[a-z]+)+-\d$/, 'region'),
    'DOCKYARD_EC2_REGION',
    CONTROLLED,
    'Region of the instances.',
  ),
  ec2Endpoint: text(
    Joi.string().uri().allow('').default(''),
    'DOCKYARD_EC2_ENDPOINT',
    CONTROLLED,
    'Address of a simulated EC2 and SSM; empty: those of AWS. Credentials are found as the AWS SDK finds them; one on loopback gets none of them.',
  ),
  ec2Deployment: text(
    ofEc2(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'name'),
    'DOCKYARD_EC2_DEPLOYMENT',
    CONTROLLED,
    'Name by which the instances of this installation are told from all others of the AWS account; never the same for two installations.',
  ),
  ec2Subnets: text(
    Joi.string()
      .allow('')
      .default('')
      .pattern(listOf('subnet-[0-9a-f]{8,17}'), { name: 'subnets, separated by commas' })
      .when('provider', { is: 'ec2', then: Joi.string().disallow('').required() })
      .messages({ 'any.required': '{{#label}} is required with the provider ec2' }),
    'DOCKYARD_EC2_SUBNETS',
    PLANNED,
    'Subnets of the instances, the best first, separated by commas; those of several zones find room where one has none.',
  ),
  ec2SecurityGroups: text(
    ofEc2(listOf('sg-[0-9a-f]{8,17}'), 'security groups, separated by commas'),
    'DOCKYARD_EC2_SECURITY_GROUPS',
    CONTROLLED,
    'Security groups of the instances, separated by commas; nothing needs to come in.',
  ),
  ec2InstanceProfile: text(
    Joi.string().max(128).allow('').default(''),
    'DOCKYARD_EC2_INSTANCE_PROFILE',
    CONTROLLED,
    'Instance profile with which a machine reads a private registry; empty: none.',
  ),
  ec2Image: text(
    Joi.string().pattern(IMAGE_OR_PARAMETER, { name: 'image' }).default(`${ECS}/recommended/image_id`),
    'DOCKYARD_EC2_IMAGE',
    CONTROLLED,
    'Machine image: an id, or an SSM parameter that is resolved once for each launch.',
  ),
  ec2GpuImage: text(
    Joi.string().pattern(IMAGE_OR_PARAMETER, { name: 'image' }).default(`${ECS}/gpu/recommended/image_id`),
    'DOCKYARD_EC2_GPU_IMAGE',
    CONTROLLED,
    'Machine image of instances with GPUs, with driver and container runtime.',
  ),
  ec2ComputeImage: text(
    ofEc2(/^[a-z0-9][a-z0-9._/:-]*@sha256:[0-9a-f]{64}$/, 'image by its digest'),
    'DOCKYARD_EC2_COMPUTE_IMAGE',
    CONTROLLED,
    'Container image of the compute worker by its digest, as registry/name@sha256:digest.',
  ),
  ec2Packs: text(
    Joi.string()
      .pattern(/^[a-z0-9-]+(\/[a-z0-9._-]+)?(,[a-z0-9-]+(\/[a-z0-9._-]+)?)*$/, {
        name: 'tools, separated by commas',
      })
      .allow('')
      .default(''),
    'DOCKYARD_EC2_PACKS',
    CONTROLLED,
    'Tools whose packs are in the container image, separated by commas, a variant as tool/variant; tools without a pack are in every image.',
  ),
  instanceClassesFile: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_INSTANCE_CLASSES',
    PLANNED,
    'JSON file of the classes of instances, as docs/operations.md says; empty: c7i and m7i, and g4dn, g5 and g6 for GPUs.',
  ),
};

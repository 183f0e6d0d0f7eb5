/**
 * The settings of capacity: how many vCPUs and GPUs may be granted at once, in all, to one account, to a plan and to a class of
 * instances, and how many seats licensed software has. What is limited by name is JSON, because there are as many names as an
 * operator wants.
 */
import Joi from 'joi';

import { PLANS } from '../domain/plans.ts';
import { jsonText, number } from './setting.ts';

/** Of one machine, and of a cloud, where instances are launched for each job and this host limits nothing. */
const countOf = (value: number, ofCloud: number): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(1)
    .default(value)
    .when('provider', { is: 'ec2', then: Joi.number().default(ofCloud) });
const gpus = (value: number): Joi.NumberSchema => Joi.number().integer().min(0).default(value);

/** Limits by name. */
type ByName<T> = Readonly<Record<string, T>>;

interface Amounts {
  readonly vcpus?: number;
  readonly gpus?: number;
}

const AMOUNTS = { vcpus: Joi.number().integer().min(1), gpus: Joi.number().integer().min(0) };
const OF_PLANS = Joi.object().pattern(Joi.string().valid(...PLANS), {
  ...AMOUNTS,
  accountVcpus: AMOUNTS.vcpus,
  accountGpus: AMOUNTS.gpus,
});
const OF_SOFTWARE = Joi.object().pattern(Joi.string().max(64), Joi.number().integer().min(0));
const OF_CLASSES = Joi.object().pattern(Joi.string().max(64), AMOUNTS);

/** Settings of capacity, by their names in code. */
export const CAPACITY_SETTINGS = {
  capacityVcpus: number(
    countOf(8, 256),
    'DOCKYARD_CAPACITY_VCPUS',
    ['api', 'control', 'cli'],
    'vCPUs that may be granted at once in all; 256 where it is not set and the provider is ec2.',
  ),
  accountCapacityVcpus: number(
    countOf(8, 128),
    'DOCKYARD_ACCOUNT_CAPACITY_VCPUS',
    ['api', 'control', 'cli'],
    'vCPUs that may be granted at once to one account; 128 where it is not set and the provider is ec2.',
  ),
  capacityGpus: number(
    gpus(8),
    'DOCKYARD_CAPACITY_GPUS',
    ['api', 'control', 'cli'],
    'GPUs that may be granted at once in all; they are counted apart from vCPUs.',
  ),
  accountCapacityGpus: number(
    gpus(8),
    'DOCKYARD_ACCOUNT_CAPACITY_GPUS',
    ['api', 'control', 'cli'],
    'GPUs that may be granted at once to one account.',
  ),
  capacityPlans: jsonText<
    ByName<Amounts & { readonly accountVcpus?: number; readonly accountGpus?: number }>
  >(
    OF_PLANS,
    'DOCKYARD_CAPACITY_PLANS',
    ['api', 'control', 'cli'],
    'Limits by plan, as JSON: {"free":{"vcpus":32,"gpus":4,"accountVcpus":8,"accountGpus":1}}; vcpus and gpus are those of all its accounts.',
  ),
  capacityClasses: jsonText<ByName<Amounts>>(
    OF_CLASSES,
    'DOCKYARD_CAPACITY_CLASSES',
    ['api', 'control', 'cli'],
    'Limits by class of instances, as JSON: {"gpu-l4":{"vcpus":64,"gpus":8}}.',
  ),
  capacitySeats: jsonText<ByName<number>>(
    OF_SOFTWARE,
    'DOCKYARD_CAPACITY_SEATS',
    ['api', 'control', 'cli'],
    'Seats of licensed software by its id in GET /simulators, as JSON: {"houdini":4}; each instance that runs it takes one, and software that is not named is not limited.',
  ),
};

/** The values that the limits of capacity are made of. */
export interface CapacityConfig {
  readonly capacityVcpus: number;
  readonly accountCapacityVcpus: number;
  readonly capacityGpus: number;
  readonly accountCapacityGpus: number;
  readonly capacityPlans: ByName<Amounts & { readonly accountVcpus?: number; readonly accountGpus?: number }>;
  readonly capacityClasses: ByName<Amounts>;
  readonly capacitySeats: ByName<number>;
}

/** The limits of capacity, as granting takes them. */
export function capacityLimitsOf(config: CapacityConfig): {
  readonly totalVcpus: number;
  readonly accountVcpus: number;
  readonly totalGpus: number;
  readonly accountGpus: number;
  readonly plans: CapacityConfig['capacityPlans'];
  readonly classes: CapacityConfig['capacityClasses'];
  readonly seats: CapacityConfig['capacitySeats'];
} {
  return {
    totalVcpus: config.capacityVcpus,
    accountVcpus: config.accountCapacityVcpus,
    totalGpus: config.capacityGpus,
    accountGpus: config.accountCapacityGpus,
    plans: config.capacityPlans,
    classes: config.capacityClasses,
    seats: config.capacitySeats,
  };
}

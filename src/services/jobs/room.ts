/**
 * Whether there are machines for a job at all. A task that fits on no instance, and an instance that is more than a limit of
 * capacity, would wait for ever, so the request of either is refused by estimate and submit before anything is stored.
 */
import { classFor, limitsOf, type InstanceClass } from '../../domain/instance-classes.ts';
import { AppError } from '../../domain/errors.ts';
import { missingRoom, neededOf } from '../../domain/machines.ts';
import type { Machines, PlanLimits, TaskResources } from '../../domain/machines.ts';
import type { AccountPlan } from '../../domain/access.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { Tool } from '../../tools/tool.ts';
import { neverGranted, PLAIN_CLASS } from '../../domain/capacity-pools.ts';
import type { Amount, CapacityLimits, NeverGranted, Pooled } from '../../domain/capacity-pools.ts';

/** Resources of the installation for a plan; the names are those of the configuration. */
export interface PlanSettings {
  readonly instanceSlots: number;
  readonly instanceVcpus: number;
  /** Memory and disk of an instance; 0: not counted. */
  readonly instanceMemoryMib: number;
  readonly instanceDiskMib: number;
  readonly maxInstancesPerJob: number;
  /** GPUs of an instance; absent: none. */
  readonly instanceGpus?: number;
  /** Memory of each GPU; absent or 0: not counted. */
  readonly instanceGpuMemoryMib?: number;
  /** The classes of instances of a cloud; absent where all instances are alike, as the settings above say. */
  readonly instanceClasses?: readonly InstanceClass[];
  readonly taskTimeoutSeconds: number;
  /** Limits of grants at one time; absent: there are none. */
  readonly capacityLimits?: CapacityLimits;
}

const RESOURCE_UNITS = {
  vcpus: 'vCPUs',
  memoryMib: 'MiB of memory',
  diskMib: 'MiB of disk',
  gpus: 'GPUs',
  gpuMemoryMib: 'MiB of memory on a GPU',
} as const;

const WHOSE: Readonly<Record<Exclude<NeverGranted['pool'], 'licence'>, string>> = {
  account: 'an account of this plan',
  all: 'this installation',
  plan: 'this plan, with all its accounts,',
  class: 'the instances of this class together',
};

/**
 * Finds the resources of an instance of the job: those of the first class in which a task fits and that no limit forbids, else of
 * the first in which a task fits, else of the last class of its kind, whose lack a refusal names. @throws UNSUPPORTED_SIMULATOR when a GPU is
 * needed and no class has one.
 */
export function planLimits(
  settings: PlanSettings,
  resources: TaskResources,
  accountPlan: AccountPlan | null,
): PlanLimits {
  const { maxInstancesPerJob: maxInstances, instanceClasses = [] } = settings;
  const usesGpus = neededOf(resources).gpus > 0;
  if (instanceClasses.length === 0) {
    if (usesGpus && plainInstance(settings).gpus === 0) throw withoutMachines(usesGpus);
    return plainLimits(settings);
  }
  const found =
    classFor(allowedClasses(settings, resources, accountPlan), resources) ??
    classFor(instanceClasses, resources);
  if (found !== null) return limitsOf(found, maxInstances);
  const last = instanceClasses.findLast(({ gpus, onlyWhenNamed }) =>
    usesGpus ? gpus > 0 && !onlyWhenNamed : gpus === 0,
  );
  const limits = last === undefined ? null : limitsOf(last, maxInstances);
  if (limits === null || missingRoom(resources, limits) === null) throw withoutMachines(usesGpus);
  return limits;
}

function withoutMachines(usesGpus: boolean): AppError {
  return new AppError(
    'UNSUPPORTED_SIMULATOR',
    usesGpus
      ? 'This job needs a GPU, and no machine here has one for it.'
      : 'This job needs no GPU, and every machine here has one.',
  );
}

/**
 * Decides for a request that may use a GPU whether it gets one: where instances with one have room for a task, and no limit of
 * capacity forbids them. Estimate and submit decide alike, so the price is of what runs; what `usesGpu` says was decided before.
 */
export function withDecidedGpu(
  settings: PlanSettings,
  { planning }: Tool,
  request: SubmitJobRequest,
  { accountPlan, usesGpu }: { readonly accountPlan: AccountPlan | null; readonly usesGpu: boolean | null },
): SubmitJobRequest {
  const { decideGpu } = planning;
  const resources = planning.resources(request);
  if (resources.gpu !== 'optional' || decideGpu === undefined) return request;
  if (usesGpu !== null) return decideGpu(request, usesGpu);
  const wanted: TaskResources = { ...resources, gpu: 'required' };
  if (settings.instanceClasses?.length)
    return decideGpu(request, classFor(allowedClasses(settings, wanted, accountPlan), wanted) !== null);
  const plain = plainInstance(settings);
  const hasRoom = plain.gpus > 0 && missingRoom(wanted, plainLimits(settings)) === null;
  return decideGpu(request, hasRoom && isAllowed(settings, accountPlan, plain));
}

/** The classes whose instances no limit forbids. */
function allowedClasses(
  settings: PlanSettings,
  resources: TaskResources,
  accountPlan: AccountPlan | null,
): readonly InstanceClass[] {
  const usesGpus = neededOf(resources).gpus > 0;
  return (settings.instanceClasses ?? []).filter(({ name, vcpus, gpus }) =>
    isAllowed(settings, accountPlan, { name, vcpus, gpus: usesGpus ? gpus : 0 }),
  );
}

function isAllowed(
  { capacityLimits }: PlanSettings,
  accountPlan: AccountPlan | null,
  { name, vcpus, gpus }: { readonly name: string; readonly vcpus: number; readonly gpus: number },
): boolean {
  const need = { vcpus, gpus, seats: 0 };
  return capacityLimits === undefined || refusing(capacityLimits, { accountPlan, name, need }) === null;
}

/** An instance where all are alike. */
function plainInstance({ instanceVcpus: vcpus, instanceGpus: gpus = 0 }: PlanSettings): {
  readonly name: string;
  readonly vcpus: number;
  readonly gpus: number;
} {
  return { name: PLAIN_CLASS, vcpus, gpus };
}

function plainLimits(settings: PlanSettings): PlanLimits {
  return {
    maxInstances: settings.maxInstancesPerJob,
    slotsPerInstance: settings.instanceSlots,
    vcpusPerInstance: settings.instanceVcpus,
    memoryMibPerInstance: settings.instanceMemoryMib,
    diskMibPerInstance: settings.instanceDiskMib,
    gpusPerInstance: settings.instanceGpus ?? 0,
    gpuMemoryMib: settings.instanceGpuMemoryMib ?? 0,
  };
}

/** Refuses a task that fits on no instance. @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR. */
export function requireRoom({ about, planning }: Tool, request: SubmitJobRequest, limits: PlanLimits): void {
  const missing = missingRoom(planning.resources(request), limits);
  if (missing === null) return;
  const { resource, needed, available } = missing;
  const why = `a task would need ${needed} ${RESOURCE_UNITS[resource]}, and an instance here has ${available}.`;
  const field = planning.resourceFields?.[resource];
  throw field === undefined
    ? new AppError('UNSUPPORTED_SIMULATOR', `${about.title} cannot be run here: ${why}`)
    : new AppError('VALIDATION_ERROR', `${field}: ${why} Ask for less.`);
}

/** Refuses machines of which one alone is more than may ever be granted at once. @throws CAPACITY_LIMIT_EXCEEDED. */
export function requireCapacity(
  { capacityLimits }: Pick<PlanSettings, 'capacityLimits'>,
  { vcpusPerInstance: vcpus, gpusPerInstance: gpus = 0, instanceClass: name = PLAIN_CLASS }: Machines,
  { accountPlan, licence }: { readonly accountPlan: AccountPlan | null; readonly licence: string },
): void {
  if (capacityLimits === undefined) return;
  const need = { vcpus, gpus, seats: 1 };
  const never = refusing(capacityLimits, { accountPlan, name, licence, need });
  if (never === null) return;
  const { pool, resource, limit } = never;
  if (pool === 'licence' || resource === 'seats')
    throw new AppError(
      'CAPACITY_LIMIT_EXCEEDED',
      `This installation has no seat of ${licence}, so the job would wait for ever.`,
    );
  const units = RESOURCE_UNITS[resource];
  throw new AppError(
    'CAPACITY_LIMIT_EXCEEDED',
    `One instance of this job has ${need[resource]} ${units}, and ${WHOSE[pool]} may have ${limit} ${units} at once, so the job would wait for ever.`,
  );
}

function refusing(
  limits: CapacityLimits,
  of: {
    readonly accountPlan: AccountPlan | null;
    readonly name: string;
    readonly licence?: string;
    readonly need: Amount;
  },
): NeverGranted | null {
  // A limit of an account is the same for every account of a plan.
  const anyone: Pooled = {
    account_id: '',
    plan: of.accountPlan,
    class: of.name,
    licence: of.licence ?? '',
  };
  return neverGranted(anyone, of.need, limits);
}

/**
 * Classes of instances: a job is planned for one class, and each of its instances is a candidate of that class. All
 * candidates of a class have at least what the class says, so a plan holds whichever of them is launched.
 */
import { missingRoom, neededOf, type PlanLimits, type TaskResources } from './machines.ts';
import { MARKETS, type Market } from './recoveries.ts';

/** Properties of a type of machine. */
export interface TypeFacts {
  readonly vcpus: number;
  readonly memoryGib: number;
  readonly gpu: string | null;
  /** GPUs of the kind; absent: one where there is a kind. */
  readonly gpus?: number;
}

/** A class as its file has it. */
export interface ClassDefinition {
  readonly name: string;
  /** Types of machines, the best first. */
  readonly types: readonly string[];
  /** Subnets of the launches, the best first; absent: those of the installation. */
  readonly subnets?: readonly string[];
  /** Absent: both. */
  readonly markets?: readonly Market[];
  /** The disk of each machine. */
  readonly diskGib: number;
  /** Whether only jobs that name the GPU of the class get it; absent: yes for a class with a p-type, of which an hour costs most. */
  readonly onlyWhenNamed?: boolean;
}

/** A choice of a class. */
export interface ClassCandidate {
  readonly type: string;
  readonly subnet: string;
  readonly market: Market;
  readonly cpuClass: string;
}

/** A class with what each of its machines has at least. */
export interface InstanceClass {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly diskGib: number;
  readonly gpus: number;
  /** Memory of each GPU; 0: none, or not known. */
  readonly gpuMemoryMib: number;
  /** The kinds of GPUs of its types. */
  readonly gpuKinds: readonly string[];
  readonly onlyWhenNamed: boolean;
  readonly candidates: readonly ClassCandidate[];
}

const MIB_PER_GIB = 1024;
/** The system, the container runtime and the worker take this much of a machine, and the driver of a GPU's memory. */
const RESERVED_MEMORY_SHARE = 0.1;
const RESERVED_DISK_GIB = 12;
/** Families of one kind of processor, on which a task gives the same bytes; another family is a kind of its own. */
const CPU_CLASSES: Readonly<Record<string, string>> = {
  c7i: 'intel-sapphire-rapids',
  m7i: 'intel-sapphire-rapids',
  r7i: 'intel-sapphire-rapids',
  g4dn: 'intel-cascade-lake',
  g5: 'amd-zen-2',
  g6: 'amd-zen-3',
};

/** Memory of GPUs by their kinds, as their makers tell it. */
const GPU_MEMORY_GIB: Readonly<Record<string, number>> = {
  T4: 16,
  V100: 16,
  A10G: 24,
  L4: 24,
  A100: 40,
  H100: 80,
};

/** The kind of processor of a type. */
export function cpuClassOf(type: string): string {
  const family = type.split('.')[0] ?? type;
  return CPU_CLASSES[family] ?? family;
}

/** Makes a class of its definition and what is known of its types. @throws RangeError for a type that is not known. */
export function classOf(
  { name, types, subnets, markets = MARKETS, diskGib, onlyWhenNamed = types.some(isPType) }: ClassDefinition,
  known: Readonly<Record<string, TypeFacts>>,
  everySubnet: readonly string[],
): InstanceClass {
  const facts = types.map((type) => {
    const found = known[type];
    if (found === undefined)
      throw new RangeError(`the price book has no ${type}, which the class ${name} names`);
    return found;
  });
  const least = (numberOf: (type: TypeFacts) => number): number => Math.min(...facts.map(numberOf));
  return {
    name,
    diskGib,
    onlyWhenNamed,
    vcpus: least(({ vcpus }) => vcpus),
    memoryMib: usableMib(least(({ memoryGib }) => memoryGib)),
    gpus: least(gpusOfType),
    gpuMemoryMib: usableMib(least(({ gpu }) => GPU_MEMORY_GIB[gpu ?? ''] ?? 0)),
    gpuKinds: [...new Set(facts.flatMap(({ gpu }) => (gpu === null ? [] : [gpu])))],
    candidates: types.flatMap((type) =>
      markets.flatMap((market) =>
        (subnets ?? everySubnet).map((subnet) => ({ type, subnet, market, cpuClass: cpuClassOf(type) })),
      ),
    ),
  };
}

function usableMib(gibibytes: number): number {
  return Math.floor(gibibytes * MIB_PER_GIB * (1 - RESERVED_MEMORY_SHARE));
}

function isPType(type: string): boolean {
  return /^p\d/.test(type);
}

/** The class for a task: the first one in which the task fits, and that has GPUs only where the task uses them. */
export function classFor(classes: readonly InstanceClass[], task: TaskResources): InstanceClass | null {
  const { gpuKind = null } = task;
  const usesGpus = neededOf(task).gpus > 0;
  const found = classes.find((one) => {
    const isKind = gpuKind === null ? !one.onlyWhenNamed : one.gpuKinds.every((kind) => kind === gpuKind);
    return (
      (usesGpus ? one.gpus > 0 && isKind : one.gpus === 0) && missingRoom(task, limitsOf(one, 1)) === null
    );
  });
  return found ?? null;
}

/** Computes the limits of a plan with instances of a class. */
export function limitsOf(
  { name, vcpus, memoryMib, diskGib, gpus, gpuMemoryMib, candidates: [best] }: InstanceClass,
  maxInstances: number,
): PlanLimits {
  return {
    ...(best === undefined ? {} : { instanceType: best.type }),
    maxInstances,
    instanceClass: name,
    slotsPerInstance: vcpus,
    vcpusPerInstance: vcpus,
    memoryMibPerInstance: memoryMib,
    diskMibPerInstance: Math.max(1, diskGib - RESERVED_DISK_GIB) * MIB_PER_GIB,
    gpusPerInstance: gpus,
    gpuMemoryMib,
  };
}

/** The GPUs of a type. */
export function gpusOfType({ gpu, gpus = 1 }: Pick<TypeFacts, 'gpu' | 'gpus'>): number {
  return gpu === null ? 0 : gpus;
}

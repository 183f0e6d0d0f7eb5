/**
 * Pools that requests take from: all capacity, the capacity of a plan, that of a class of instances, and that of one account.
 * vCPUs and GPUs are counted apart, so that many requests without GPUs never keep a GPU from one with GPUs.
 */

/** The class of instances that have no name of their own. */
export const PLAIN_CLASS = 'cpu';

/** vCPUs and GPUs. */
export interface Amount {
  readonly vcpus: number;
  readonly gpus: number;
}

/** Limits of the accounts of one plan: of all together, and of each; the plan does not limit those that are absent. */
export interface PlanCapacity extends Partial<Amount> {
  readonly accountVcpus?: number;
  readonly accountGpus?: number;
}

/** The limits of capacity; a number that is absent limits nothing. */
export interface CapacityLimits {
  readonly totalVcpus: number;
  readonly accountVcpus: number;
  readonly totalGpus?: number;
  readonly accountGpus?: number;
  /** The limits of a plan, which replace those of any account. */
  readonly plans?: Readonly<Record<string, PlanCapacity>>;
  /** The limits of a class of instances, over all accounts. */
  readonly classes?: Readonly<Record<string, Partial<Amount>>>;
}

/** Account and plan of a request, and the class of its instances. */
export interface Pooled {
  readonly account_id: string;
  readonly plan: string | null;
  readonly class: string;
}

/** Lack of a request: the pool and the resource; `own` where only the account itself is in the way, so that nobody else waits. */
export interface Lack extends NeverGranted {
  readonly what: string;
  readonly own: boolean;
  /** Used amount of the pool, and the amount of the grant. */
  readonly used: number;
  readonly need: number;
}

/** A limit that forbids a grant for ever: whose limit, of what, and how much it is. */
export interface NeverGranted {
  readonly pool: 'account' | 'all' | 'plan' | 'class';
  readonly resource: 'vcpus' | 'gpus';
  readonly limit: number;
}

interface Pool {
  readonly key: string;
  readonly name: NeverGranted['pool'];
  readonly own: boolean;
  readonly limit: Amount;
}

const RESOURCES = ['vcpus', 'gpus'] as const;
const ALL = 'all';
const accountKey = (accountId: string): string => `account/${accountId}`;
const planKey = (plan: string): string => `plan/${plan}`;

/** Granted amounts, by pool. */
export class Usage {
  private readonly used = new Map<string, { vcpus: number; gpus: number }>();

  /** Counts a grant. */
  take(request: Pooled, { vcpus, gpus }: Amount): void {
    for (const key of keysOf(request)) {
      const used = this.used.get(key) ?? { vcpus: 0, gpus: 0 };
      this.used.set(key, { vcpus: used.vcpus + vcpus, gpus: used.gpus + gpus });
    }
  }

  /** Finds the used amount of a pool. */
  of(key: string): Amount {
    return this.used.get(key) ?? { vcpus: 0, gpus: 0 };
  }

  get total(): Amount {
    return this.of(ALL);
  }

  ofAccount(accountId: string): Amount {
    return this.of(accountKey(accountId));
  }

  ofPlan(plan: string): Amount {
    return this.of(planKey(plan));
  }
}

/** Finds the limit of one account of the plan. */
export function accountLimitOf({ plan }: Pick<Pooled, 'plan'>, limits: CapacityLimits): Amount {
  const ofPlan = plan === null ? undefined : limits.plans?.[plan];
  return {
    vcpus: ofPlan?.accountVcpus ?? limits.accountVcpus,
    gpus: ofPlan?.accountGpus ?? limits.accountGpus ?? Infinity,
  };
}

/** The most vCPUs and GPUs that a request may ever be granted at once. */
export function mostOf(request: Pooled, limits: CapacityLimits): Amount {
  const pools = poolsOf(request, limits);
  return {
    vcpus: Math.min(...pools.map(({ limit }) => limit.vcpus)),
    gpus: Math.min(...pools.map(({ limit }) => limit.gpus)),
  };
}

/** The first pool that has too little left for a grant; null when the grant fits. The account's own limit comes first. */
export function lackOf(request: Pooled, need: Amount, limits: CapacityLimits, used: Usage): Lack | null {
  for (const lack of lacksOf(request, need, limits, used)) return lack;
  return null;
}

/** Every pool that has too little left for a grant. */
export function* lacksOf(
  request: Pooled,
  need: Amount,
  limits: CapacityLimits,
  used: Usage,
): Generator<Lack, void> {
  for (const { key, name, own, limit } of poolsOf(request, limits))
    for (const resource of RESOURCES) {
      const [taken, more, most] = [used.of(key)[resource], need[resource], limit[resource]];
      if (more > 0 && taken + more > most)
        yield {
          pool: name,
          resource,
          limit: most,
          used: taken,
          need: more,
          what: `${key}.${resource}`,
          // A need above the whole pool waits for nothing that others hold, so nothing is kept from them.
          own: own || more > most,
        };
    }
}

/** The first limit that is less than a grant would take, however much is free; null when the grant may fit one day. */
export function neverGranted(request: Pooled, need: Amount, limits: CapacityLimits): NeverGranted | null {
  for (const { name, limit } of poolsOf(request, limits))
    for (const resource of RESOURCES)
      if (need[resource] > limit[resource]) return { pool: name, resource, limit: limit[resource] };
  return null;
}

/** Everything that a grant would take from, in the words of `Lack.what`. */
export function takesFrom(request: Pooled, need: Amount): readonly string[] {
  return keysOf(request).flatMap((key) =>
    RESOURCES.filter((resource) => need[resource] > 0).map((resource) => `${key}.${resource}`),
  );
}

function poolsOf(request: Pooled, limits: CapacityLimits): readonly Pool[] {
  const { account_id: account, plan, class: ofClass } = request;
  const shared = (name: Pool['name'], key: string, limit: Partial<Amount> | undefined): Pool => ({
    key,
    name,
    own: false,
    limit: { vcpus: limit?.vcpus ?? Infinity, gpus: limit?.gpus ?? Infinity },
  });
  return [
    { key: accountKey(account), name: 'account', own: true, limit: accountLimitOf(request, limits) },
    shared('all', ALL, {
      vcpus: limits.totalVcpus,
      ...(limits.totalGpus !== undefined && { gpus: limits.totalGpus }),
    }),
    ...(plan === null ? [] : [shared('plan', planKey(plan), limits.plans?.[plan])]),
    shared('class', classKey(ofClass), limits.classes?.[ofClass]),
  ];
}

function keysOf({ account_id: account, plan, class: ofClass }: Pooled): readonly string[] {
  return [accountKey(account), ALL, ...(plan === null ? [] : [planKey(plan)]), classKey(ofClass)];
}

function classKey(ofClass: string): string {
  return `class/${ofClass}`;
}

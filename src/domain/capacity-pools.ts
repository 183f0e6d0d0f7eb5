/**
 * Pools that requests take from: all capacity, the capacity of a plan, that of a class of instances, that of one account, and the
 * seats of licensed software. vCPUs, GPUs and seats are counted apart, so that many requests without GPUs never keep a GPU from one
 * with GPUs. An instance takes one seat, however many tasks it runs at a time: renderers check a floating licence out for the
 * machine, as the price does (`src/tools/core-price.ts`).
 */

/** The class of instances that have no name of their own. */
export const PLAIN_CLASS = 'cpu';

/** vCPUs and GPUs. */
interface Hardware {
  readonly vcpus: number;
  readonly gpus: number;
}

/** vCPUs, GPUs, and seats of the licence that the request names. */
export interface Amount extends Hardware {
  readonly seats: number;
}

/** Limits of the accounts of one plan: of all together, and of each; the plan does not limit those that are absent. */
export interface PlanCapacity extends Partial<Hardware> {
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
  readonly classes?: Readonly<Record<string, Partial<Hardware>>>;
  /** The seats of each software, over all accounts; software that is absent has as many as are asked for. */
  readonly seats?: Readonly<Record<string, number>>;
}

/** Account and plan of a request, the class of its instances, and the software whose seats they take. */
export interface Pooled {
  readonly account_id: string;
  readonly plan: string | null;
  readonly class: string;
  /** Empty where the instances take no seat. */
  readonly licence: string;
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
  readonly pool: 'account' | 'licence' | 'all' | 'plan' | 'class';
  readonly resource: keyof Amount;
  readonly limit: number;
}

interface Pool {
  readonly key: string;
  readonly name: NeverGranted['pool'];
  readonly own: boolean;
  readonly limit: Amount;
}

const RESOURCES = ['vcpus', 'gpus', 'seats'] as const;
const NOTHING: Amount = { vcpus: 0, gpus: 0, seats: 0 };
const ALL = 'all';
const accountKey = (accountId: string): string => `account/${accountId}`;
const planKey = (plan: string): string => `plan/${plan}`;
const licenceKey = (licence: string): string => `licence/${licence}`;

/** Granted amounts, by pool. */
export class Usage {
  private readonly used = new Map<string, Amount>();

  /** Counts a grant. */
  take(request: Pooled, { vcpus, gpus, seats }: Amount): void {
    for (const key of keysOf(request)) {
      const used = this.of(key);
      this.used.set(key, { vcpus: used.vcpus + vcpus, gpus: used.gpus + gpus, seats: used.seats + seats });
    }
  }

  /** Finds the used amount of a pool. */
  of(key: string): Amount {
    return this.used.get(key) ?? NOTHING;
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
export function accountLimitOf({ plan }: Pick<Pooled, 'plan'>, limits: CapacityLimits): Hardware {
  const ofPlan = plan === null ? undefined : limits.plans?.[plan];
  return {
    vcpus: ofPlan?.accountVcpus ?? limits.accountVcpus,
    gpus: ofPlan?.accountGpus ?? limits.accountGpus ?? Infinity,
  };
}

/** The seats that there are for a request; infinity where it takes none. */
export function seatsFor({ licence }: Pick<Pooled, 'licence'>, { seats }: CapacityLimits): number {
  return seats?.[licence] ?? Infinity;
}

/** Whether a request that lacks this waits for a seat: whoever needs none is not held up by it, and it keeps nothing from anybody. */
export function isOfSeats(lack: NeverGranted | null): boolean {
  return lack?.resource === 'seats';
}

/** The most vCPUs and GPUs that a request may ever be granted at once. */
export function mostOf(request: Pooled, limits: CapacityLimits): Hardware {
  const pools = poolsOf(request, limits);
  return {
    vcpus: Math.min(...pools.map(({ limit }) => limit.vcpus)),
    gpus: Math.min(...pools.map(({ limit }) => limit.gpus)),
  };
}

/**
 * The first pool that has too little left for a grant; null when the grant fits. The account's own limit comes first, then the seats,
 * so that a request never reserves what it could not use without a seat.
 */
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
  const { account_id: account, plan, class: ofClass, licence } = request;
  const pool = (name: Pool['name'], key: string, limit: Partial<Amount> = {}): Pool => ({
    key,
    name,
    own: name === 'account',
    limit: { vcpus: Infinity, gpus: Infinity, seats: Infinity, ...limit },
  });
  return [
    pool('account', accountKey(account), accountLimitOf(request, limits)),
    ...(licence === '' ? [] : [pool('licence', licenceKey(licence), { seats: seatsFor(request, limits) })]),
    pool('all', ALL, {
      vcpus: limits.totalVcpus,
      ...(limits.totalGpus !== undefined && { gpus: limits.totalGpus }),
    }),
    ...(plan === null ? [] : [pool('plan', planKey(plan), limits.plans?.[plan])]),
    pool('class', classKey(ofClass), limits.classes?.[ofClass]),
  ];
}

function keysOf({ account_id: account, plan, class: ofClass, licence }: Pooled): readonly string[] {
  return [
    accountKey(account),
    ALL,
    classKey(ofClass),
    ...(plan === null ? [] : [planKey(plan)]),
    ...(licence === '' ? [] : [licenceKey(licence)]),
  ];
}

function classKey(ofClass: string): string {
  return `class/${ofClass}`;
}

/** Capacity that a waiting request lacks, limit by limit, for operators: whose limit it is, and which setting has it. */
import type { CapacityLack } from '../../../domain/job-view.ts';
import { lacksOf } from '../../../domain/capacity-pools.ts';
import type { CapacityLimits, Lack, Pooled, Usage } from '../../../domain/capacity-pools.ts';
import { firstStepOf } from './turns.ts';
import type { Turn } from './turns.ts';

/** Everything that the first grant of a request lacks now; nothing where the request only waits for its turn. */
export function tellLacks(
  request: Pooled & Pick<Turn, 'vcpus' | 'step_vcpus' | 'step_gpus'>,
  limits: CapacityLimits,
  used: Usage,
): readonly CapacityLack[] {
  const lacks = [...lacksOf(request, firstStepOf(request, limits), limits, used)];
  return lacks.map((lack) => {
    const { pool, resource, limit, need } = lack;
    return {
      pool,
      name: nameOf(pool, request),
      resource,
      limit,
      need,
      used: lack.used,
      setting: settingOf(lack, request, limits),
    };
  });
}

function nameOf(pool: Lack['pool'], request: Pooled): string | null {
  switch (pool) {
    case 'plan':
      return request.plan;
    case 'class':
      return request.class;
    case 'licence':
      return request.licence;
    case 'account':
    case 'all':
      return null;
  }
}

function settingOf({ pool, resource }: Lack, { plan }: Pooled, { plans }: CapacityLimits): string {
  const amount = resource === 'vcpus' ? 'VCPUS' : 'GPUS';
  switch (pool) {
    case 'all':
      return `DOCKYARD_CAPACITY_${amount}`;
    case 'licence':
      return 'DOCKYARD_CAPACITY_SEATS';
    case 'plan':
      return 'DOCKYARD_CAPACITY_PLANS';
    case 'class':
      return 'DOCKYARD_CAPACITY_CLASSES';
    case 'account': {
      const own = plan === null ? undefined : plans?.[plan];
      const ofPlan = resource === 'vcpus' ? own?.accountVcpus : own?.accountGpus;
      return ofPlan === undefined ? `DOCKYARD_ACCOUNT_CAPACITY_${amount}` : 'DOCKYARD_CAPACITY_PLANS';
    }
  }
}

// Content of endpoints.json: its readers, the command line among them, need nothing of the plan.
import type { Endpoints } from './endpoints.ts';
import { healthUrl, temporalAddressOf, urlOf, type StackPlan } from './plan.ts';

/** The addresses at which one of the proven processes listens. An address that is not proven may be another program's. */
export function provenAddresses(
  plan: StackPlan,
  roles: readonly string[],
  proven: ReadonlySet<string>,
): Partial<Endpoints> {
  const metrics = roles.filter((name) => proven.has(name));
  return {
    ...(proven.has('api') ? { apiUrl: urlOf(plan, 'api') } : {}),
    ...(proven.has('temporal')
      ? { temporalAddress: temporalAddressOf(plan), temporalUiUrl: urlOf(plan, 'temporal-ui') }
      : {}),
    ...(proven.has('storage') ? { storageUrl: urlOf(plan, 'storage') } : {}),
    ...(proven.has('gateway') ? { gatewayUrl: urlOf(plan, 'gateway') } : {}),
    metricsUrls: Object.fromEntries(metrics.map((name) => [name, `${healthUrl(plan, name)}/metrics`])),
  };
}

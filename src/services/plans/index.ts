/** Plans of accounts, and the monthly allowances that come with them. */
export { applyDueAllowance, databaseTime, grantDueAllowances, isBesideAnother } from './grant-allowances.ts';
export type { GrantedAllowances } from './grant-allowances.ts';
export { hasSubscription, refreshPlan } from './refresh-plan.ts';
export { setPlanAsOperator } from './operator-plans.ts';
export type { ChangedPlan, PlanChange } from './operator-plans.ts';

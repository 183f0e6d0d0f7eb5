/** Plans that operators give to accounts, and each change of one. */
import { EntitySchema } from 'typeorm';

import { nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** The plan pro of an account by the word of an operator; its months are counted from the anchor. */
export interface OperatorPlan {
  accountId: string;
  anchorAt: Date;
  /** Null while the plan goes on. */
  endedAt: Date | null;
}

/** Table `operator_plans`. */
export const OperatorPlanEntity = new EntitySchema<OperatorPlan>({
  name: 'OperatorPlan',
  tableName: 'operator_plans',
  columns: { accountId: primary(uuid), anchorAt: time, endedAt: nullable(time) },
});

/** A change of a plan by an operator; a key changes a plan once. */
export interface PlanChangeRow {
  key: string;
  accountId: string;
  plan: 'free' | 'pro';
  reason: string;
  createdAt: Date;
}

/** Table `plan_changes`. */
export const PlanChangeEntity = new EntitySchema<PlanChangeRow>({
  name: 'PlanChange',
  tableName: 'plan_changes',
  columns: { key: primary(text), accountId: uuid, plan: text, reason: text, createdAt: writeTime },
});

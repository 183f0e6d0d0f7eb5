/**
 * The money of the demo's job line by line, made from the quote alone: what each docked ligand costs, what costs
 * nothing, and what is charged. That it comes to the penny that the ledger charged is one of the demo's checks.
 */
import type { EstimateJobResponse } from '../../client/types.ts';
import { pounds } from '../table.ts';

/** A quote and what came of it. */
export interface Bill {
  readonly estimate: EstimateJobResponse;
  readonly ligands: number;
  readonly docked: number;
  /** Ids of the ligands that failed. */
  readonly failed: readonly string[];
  readonly chargedPence: number;
  readonly releasedPence: number;
}

/** The lines of a bill. */
export function billLines({
  estimate,
  ligands,
  docked,
  failed,
  chargedPence,
  releasedPence,
}: Bill): readonly string[] {
  const { currency, fxRate, heldCents, breakdown } = estimate;
  const each = (breakdown?.compute ?? 0) / ligands;
  const rest = (breakdown?.storage ?? 0) + (breakdown?.egress ?? 0) + (breakdown?.software ?? 0);
  const line = (what: string, amount: number): string =>
    `   ${what.padEnd(44)} ${currency} ${amount.toFixed(4)}`;
  return [
    line('start of the job', breakdown?.startFee ?? 0),
    line(`${docked} ligands docked, ${each.toFixed(4)} each`, each * docked),
    ...failed.map((id) => line(`${id} could not be docked`, 0)),
    line('preparation of the receptor', 0),
    line('control docking', 0),
    line('storage and traffic, for what was docked', (rest * docked) / ligands),
    `   ${'held, the most it could cost'.padEnd(44)} ${pounds(heldCents)} (1 ${currency} is £${fxRate})`,
    `   ${'charged, rounded down'.padEnd(44)} ${pounds(chargedPence)}`,
    `   ${'released'.padEnd(44)} ${pounds(releasedPence)}`,
  ];
}

/** Computes the price of so many docked ligands by the quote, in pence. */
export function expectedPence({
  estimate,
  ligands,
  docked,
}: Pick<Bill, 'estimate' | 'ligands' | 'docked'>): number {
  const { breakdown, fxRate } = estimate;
  if (breakdown === undefined || docked === 0) return 0;
  const { startFee, compute, storage, egress, software } = breakdown;
  const share = docked / ligands;
  const cost = startFee + (compute + storage + egress + software) * share;
  return Math.floor(cost * fxRate * 100 + 1e-6);
}

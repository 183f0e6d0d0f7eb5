/** A control docking that is required: its job docks nothing where the control misses, or the engine cannot dock it. */
import { validationOf } from '../../domain/docking-validation.ts';
import { CONTROL_MISSED, missOf } from '../../domain/required-control.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { EndedControl, ToolFailure } from '../tool.ts';

/** Finds why no ligand may be docked after the control; null where the control lets them, or is not required. */
export function controlMiss(
  { simulationParams }: SubmitJobRequest,
  { failure, summary }: EndedControl,
): ToolFailure | null {
  const required = simulationParams?.dockingValidation?.requiredRmsdAngstrom;
  if (required === undefined || failure !== null) return required === undefined ? null : failure;
  const message = missOf(required, validationOf(summary?.['validation']));
  return message === null ? null : { code: CONTROL_MISSED, message };
}

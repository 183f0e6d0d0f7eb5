/** Box, receptor and control as a docking job's steps have told them. A tool's words are data: those that do not fit are left out. */
import { validationOf } from '../../domain/docking-validation.ts';
import type { StepSummaries } from '../shown.ts';
import type { JobStatusResponse } from '../../domain/answers.ts';

type DockingBox = NonNullable<JobStatusResponse['docking']>['box'];
type DockingStatus = NonNullable<JobStatusResponse['docking']>;

type Fields = Readonly<Record<string, unknown>>;

/** The docking part of a status, from the summaries of the steps; null for jobs that prepare no receptor. */
export function dockingOf({ prepare, control }: StepSummaries): DockingStatus | null {
  if (!isFields(prepare)) return null;
  const box = boxOf(prepare['box']);
  const receptor = receptorOf(prepare['receptor']);
  if (box === null || receptor === null) return null;
  return { box, receptor, validation: isFields(control) ? validationOf(control['validation']) : null };
}

function boxOf(value: unknown): DockingBox | null {
  if (!isFields(value)) return null;
  const { centerAngstrom, sizeAngstrom, receptorHeavyAtoms } = value;
  const derivation = isFields(value['derivation']) ? value['derivation']['kind'] : null;
  if (!isVector(centerAngstrom) || !isVector(sizeAngstrom) || !isNumber(receptorHeavyAtoms)) return null;
  if (derivation !== 'explicit' && derivation !== 'ligand' && derivation !== 'residues') return null;
  return { centerAngstrom, sizeAngstrom, derivation, receptorHeavyAtoms };
}

function receptorOf(value: unknown): DockingStatus['receptor'] | null {
  if (!isFields(value)) return null;
  const { cacheKey, cacheHit, heavyAtoms } = value;
  if (typeof cacheKey !== 'string' || typeof cacheHit !== 'boolean' || !isNumber(heavyAtoms)) return null;
  return { cacheKey, cacheHit, heavyAtoms };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 3 && value.every(isNumber);
}

/** The key of the preparation that a preparation's summary names; null when it names none. */
export function preparedAs(summary: unknown): string | null {
  const receptor = isFields(summary) ? summary['receptor'] : null;
  const cacheKey = isFields(receptor) ? receptor['cacheKey'] : null;
  return typeof cacheKey === 'string' ? cacheKey : null;
}

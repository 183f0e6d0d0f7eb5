/** The docking part of a job's status as text: box, receptor and control. Every member is checked, because a service may be of another version. */
import { isRecord } from '../../domain/is-record.ts';
import type { TextLine } from '../shown.ts';

/** The control docking of the deposited ligand. */
export interface ControlResult {
  readonly componentId: string;
  /** Null when the deposited ligand could not be docked. */
  readonly rmsdTopAngstrom: number | null;
  readonly rmsdBestAngstrom: number | null;
  readonly bestMode: number | null;
  readonly passed: boolean;
}

/** The docking part of a status. */
export interface DockingFacts {
  readonly box: { readonly center: readonly number[]; readonly size: readonly number[] } | null;
  readonly receptorHeavyAtoms: number | null;
  /** Whether the job used a preparation that was made before. */
  readonly receptorReused: boolean;
  readonly control: ControlResult | null;
}

/** A text that is shown with every control. */
export const CONTROL_NOTE =
  'This is an easy positive control: a ligand put back into the pocket that was closed around it.';

/** The docking part of a status, of which `docking` is the member; null when there is none. */
export function dockingFactsOf(docking: unknown): DockingFacts | null {
  if (!isRecord(docking)) return null;
  const { box, receptor, validation } = docking;
  return {
    box: isRecord(box) ? boxOf(box) : null,
    receptorHeavyAtoms: isRecord(receptor) ? numberOf(receptor['heavyAtoms']) : null,
    receptorReused: isRecord(receptor) && receptor['cacheHit'] === true,
    control: isRecord(validation) ? controlOf(validation) : null,
  };
}

function boxOf(box: Readonly<Record<string, unknown>>): DockingFacts['box'] {
  const center = numbersOf(box['centerAngstrom']);
  const size = numbersOf(box['sizeAngstrom']);
  return center.length === 3 && size.length === 3 ? { center, size } : null;
}

function controlOf(validation: Readonly<Record<string, unknown>>): ControlResult | null {
  const componentId = validation['component_id'];
  if (typeof componentId !== 'string') return null;
  return {
    componentId,
    rmsdTopAngstrom: numberOf(validation['rmsd_top_angstrom']),
    rmsdBestAngstrom: numberOf(validation['rmsd_best_angstrom']),
    bestMode: numberOf(validation['best_mode']),
    passed: validation['passed'] === true,
  };
}

/** The docking part of a status as lines with names. */
export function dockingLines(docking: unknown): readonly TextLine[] {
  const facts = dockingFactsOf(docking);
  if (facts === null) return [];
  const { box, receptorHeavyAtoms, receptorReused, control } = facts;
  const place = box === null ? null : `centre ${triple(box.center)} Å, size ${triple(box.size)} Å`;
  const receptor =
    receptorHeavyAtoms === null
      ? null
      : `${receptorHeavyAtoms} heavy atoms${receptorReused ? ', prepared before and used again' : ''}`;
  return [
    ...(receptor === null ? [] : [['Receptor', receptor] as const]),
    ...(place === null ? [] : [['Box', place] as const]),
    ...(control === null ? [] : [['Control', controlLine(control)] as const, ['', CONTROL_NOTE] as const]),
  ];
}

function triple(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(', ');
}

/** A control in one line. */
export function controlLine({
  componentId,
  rmsdTopAngstrom,
  rmsdBestAngstrom,
  bestMode,
  passed,
}: ControlResult): string {
  if (rmsdTopAngstrom === null) return `${componentId} could not be docked again; a warning says why`;
  const best =
    rmsdBestAngstrom === null || bestMode === null || bestMode === 1
      ? ''
      : `; closest is mode ${bestMode} with ${rmsdBestAngstrom.toFixed(2)} Å`;
  return `${componentId} docked again: mode 1 lies ${rmsdTopAngstrom.toFixed(2)} Å from the crystal pose (${passed ? 'within' : 'NOT within'} 2.0 Å)${best}`;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function numbersOf(value: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((item) => typeof item === 'number');
}

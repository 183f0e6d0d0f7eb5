/** Codes of inspections: a receptor is refused with the code and the words with which a docking of the receptor fails. */
import { refusal } from '../../domain/codes/code.ts';
import type { ToolRefusal } from '../../domain/codes/code.ts';
import { DOCKING_FAILURES } from '../autodock-vina/codes.ts';
import type { ToolCodes } from '../tool.ts';

/** Why a receptor is not inspected. */
export const RECEPTOR_REFUSALS = {
  RECEPTOR_NOT_FOUND: refusal('RECEPTOR_NOT_FOUND', DOCKING_FAILURES.RECEPTOR_NOT_FOUND),
  RECEPTOR_FETCH_FAILED: refusal('RECEPTOR_FETCH_FAILED', DOCKING_FAILURES.RECEPTOR_FETCH_FAILED),
  RECEPTOR_UNREADABLE: refusal('RECEPTOR_UNREADABLE', DOCKING_FAILURES.RECEPTOR_UNREADABLE),
  RECEPTOR_EMPTY: refusal('RECEPTOR_EMPTY', DOCKING_FAILURES.RECEPTOR_EMPTY),
} as const satisfies Readonly<Record<string, ToolRefusal>>;

/** All of it, as documents show it; the other codes of an inspection are those of docking. */
export const INSPECTION_CODES: ToolCodes = {
  refusals: RECEPTOR_REFUSALS,
  failures: [],
  warnings: [],
  reports: [],
};

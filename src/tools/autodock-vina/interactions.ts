/**
 * The interactions of a pose as `result.json` has them. An instance wrote the interactions, and customers see them and
 * filter by them, so names, numbers and lengths are bounded, and an unknown member is refused. The checks are plain
 * functions: a result may have thousands of interactions, which Joi would look at for longer than the event loop may
 * wait.
 */
import { INTERACTION_TYPES } from '../../domain/docking-interactions.ts';
import type { PoseInteraction } from '../../domain/docking-interactions.ts';

/** A session tells so many interactions of a mode; NAD in its pocket has thirteen. */
const MOST_INTERACTIONS = 40;
/** A ring has six atoms. */
const MOST_LIGAND_ATOMS = 6;
const LARGEST_RESIDUE = 99_999;
/** No limit of ProLIF is beyond 6.5 Å. */
const FARTHEST_ANGSTROM = 10;
const TYPES: ReadonlySet<unknown> = new Set(INTERACTION_TYPES);
const NAME = /^[\x21-\x7e]{1,5}$/;
const INSERTION_CODE = /^[A-Za-z0-9]?$/;

type Check = (value: unknown) => boolean;

const isName: Check = (value) => typeof value === 'string' && NAME.test(value);
const isWithin =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;
const isDistance = isWithin(0, FARTHEST_ANGSTROM);
const isAngle = isWithin(0, 180);
const RESIDUE: Readonly<Record<string, Check>> = {
  chain: isName,
  residue: (value) => Number.isInteger(value) && isWithin(-LARGEST_RESIDUE, LARGEST_RESIDUE)(value),
  insertionCode: (value) => typeof value === 'string' && INSERTION_CODE.test(value),
  residueName: isName,
};
const isReceptor = hasExactly({ ...RESIDUE, atom: isName });
const isWater = hasExactly({ ...RESIDUE, distanceAngstrom: isDistance });
const COMMON: Readonly<Record<string, Check>> = {
  type: (value) => TYPES.has(value),
  receptor: isReceptor,
  ligandAtoms: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_LIGAND_ATOMS &&
    new Set(value).size === value.length &&
    value.every((index) => Number.isInteger(index) && index >= 0),
  distanceAngstrom: isDistance,
  angleDegrees: (value) => value === null || isAngle(value),
};
const isContact = hasExactly(COMMON);
const isHydrogenBond = hasExactly({
  ...COMMON,
  ligandRole: (value) => value === 'donor' || value === 'acceptor',
});
const isWaterBridge = hasExactly({ ...COMMON, water: isWater });

/** Whether a value is the list of the interactions of one pose, or null, where the interactions could not be computed. */
export function areInteractions(value: unknown): value is readonly PoseInteraction[] | null {
  if (value === null) return true;
  return Array.isArray(value) && value.length <= MOST_INTERACTIONS && value.every(isInteraction);
}

function isInteraction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  switch (value.type) {
    case 'hydrogen_bond':
      return isHydrogenBond(value);
    case 'water_bridge':
      return isWaterBridge(value);
    default:
      return isContact(value);
  }
}

/** A check that a value is an object with exactly these members, each of which passes its own check. */
function hasExactly(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members);
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const found = new Map<string, unknown>(Object.entries(value));
    return (
      found.size === checks.length &&
      checks.every(([name, check]) => found.has(name) && check(found.get(name)))
    );
  };
}

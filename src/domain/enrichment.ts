/**
 * How well a ranking finds the ligands that a library marks as active: the area under the ROC curve with its interval of 95 %
 * (Newcombe 2006, method 5), enrichment factors, and BEDROC (Truchon and Bayly 2007). Functions of the order alone.
 */

/** A ligand of a ranking: its score, the lowest first, and whether it is active. Without a score it comes last. */
export interface MarkedLigand {
  readonly score: number | null;
  readonly isActive: boolean;
}

/** How well a ranking finds active ligands. */
export interface Enrichment {
  readonly ligands: number;
  readonly actives: number;
  readonly rocAuc: number;
  /** The lower and the upper end of the interval of 95 % of the area. */
  readonly rocAucInterval: readonly [number, number];
  /** How many times as many actives are in the first hundredth, and in the first twentieth, as in all. */
  readonly ef1: number;
  readonly ef5: number;
  /** At alpha 20, by which the first 8 % decide four fifths. */
  readonly bedroc: number;
}

/** An enrichment with the column that marks the actives, and how many ligands have no mark there. */
export interface MarkedEnrichment extends Enrichment {
  readonly column: string;
  readonly unmarked: number;
}

/** Texts that mark a ligand as active or as inactive, in any case. */
const MARKS: Readonly<Record<string, boolean>> = {
  '1': true,
  '1.0': true,
  true: true,
  yes: true,
  active: true,
  actives: true,
  '0': false,
  '0.0': false,
  false: false,
  no: false,
  inactive: false,
  inactives: false,
  decoy: false,
  decoys: false,
};
/** Names of columns that mark actives without being asked for. */
const USUAL = /^(is[ _-]?)?(activ(e|es|ity)|class|label|type)([ _-]?(flag|class|label))?$/i;

/** Whether a column of this name may mark actives without being asked for. */
export function isUsualMark(column: string): boolean {
  return USUAL.test(column);
}

/** Reads whether a cell marks its ligand as active; null where the cell marks nothing. */
export function markOf(cell: string | null | undefined): boolean | null {
  return MARKS[cell?.trim().toLowerCase() ?? ''] ?? null;
}

/** Whether all cells that have a text are marks, and there is one. */
export function isMarking(cells: readonly (string | null | undefined)[]): boolean {
  const told = cells.filter((cell) => cell !== undefined && cell !== null);
  return told.length > 0 && told.every((cell) => markOf(cell) !== null);
}

/** The enrichment of a ranking by the cells of a column; null where the column does not mark both kinds. */
export function enrichmentBy(
  column: string,
  ligands: readonly { readonly score: number | null; readonly cell: string | null | undefined }[],
): MarkedEnrichment | null {
  const known = ligands.flatMap(({ score, cell }) => {
    const isActive = markOf(cell);
    return isActive === null ? [] : [{ score, isActive }];
  });
  const found = enrichmentOf(known);
  return found === null ? null : { column, unmarked: ligands.length - known.length, ...found };
}

const ALPHA = 20;
/** Standard errors on either side of an interval of 95 %. */
const Z = 1.959_963_984_540_054;
/** Halvings after which an end of the interval is exact to a double's last digits. */
const HALVINGS = 52;

/** The enrichment of a ranking that has both kinds; null where it lacks one. Equal scores share their place in the area. */
export function enrichmentOf(marked: readonly MarkedLigand[]): Enrichment | null {
  const ranked = marked.toSorted((a, b) => scoreOf(a) - scoreOf(b));
  const actives = ranked.filter(({ isActive }) => isActive);
  const others = ranked.filter(({ isActive }) => !isActive);
  if (actives.length === 0 || others.length === 0) return null;
  const area = meanOf(sharesBelow(actives, others));
  const low = (of: number): number => lowerEnd(of, actives.length, others.length);
  return {
    ligands: ranked.length,
    actives: actives.length,
    rocAuc: area,
    rocAucInterval: [low(area), 1 - low(1 - area)],
    ef1: factorAt(ranked, 0.01),
    ef5: factorAt(ranked, 0.05),
    bedroc: bedrocOf(ranked),
  };
}

function scoreOf({ score }: MarkedLigand): number {
  return score ?? Number.MAX_VALUE;
}

/** Of each ligand the share of the others that score worse, equal ones by half. Both lists are in order. */
function sharesBelow(ligands: readonly MarkedLigand[], others: readonly MarkedLigand[]): number[] {
  let [better, upTo] = [0, 0];
  return ligands.map((ligand) => {
    const score = scoreOf(ligand);
    while (better < others.length && scoreAt(others, better) < score) better += 1;
    while (upTo < others.length && scoreAt(others, upTo) <= score) upTo += 1;
    return 1 - (better + upTo) / 2 / others.length;
  });
}

function scoreAt(ligands: readonly MarkedLigand[], place: number): number {
  return ligands[place]?.score ?? Number.MAX_VALUE;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The lower end of the interval of 95 % of an area between `m` and `n` ligands: the area from which the one that was found lies so many
 * standard errors away, by the variance of Hanley and McNeil at that area with the mean of both numbers. It stays within 0 and 1, and has
 * a width where the actives come first altogether, which the interval of DeLong has not. (Newcombe, Stat Med 2006, 25, 559: method 5.)
 */
function lowerEnd(found: number, m: number, n: number): number {
  const more = (m + n) / 2 - 1;
  const varianceAt = (area: number): number =>
    (area * (1 - area) * (1 + more * ((1 - area) / (2 - area) + area / (1 + area)))) / (m * n);
  let [low, high] = [0, found];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (found - middle > Z * Math.sqrt(varianceAt(middle))) low = middle;
    else high = middle;
  }
  return low;
}

function factorAt(ranked: readonly MarkedLigand[], share: number): number {
  const first = ranked.slice(0, Math.ceil(ranked.length * share));
  return shareOfActives(first) / shareOfActives(ranked);
}

function shareOfActives(ligands: readonly MarkedLigand[]): number {
  return ligands.filter(({ isActive }) => isActive).length / ligands.length;
}

function bedrocOf(ranked: readonly MarkedLigand[]): number {
  const count = ranked.length;
  const share = shareOfActives(ranked);
  const weights = ranked.map(({ isActive }, place) =>
    isActive ? Math.exp((-ALPHA * (place + 1)) / count) : 0,
  );
  const chance = (share * (1 - Math.exp(-ALPHA))) / (Math.exp(ALPHA / count) - 1);
  const found = weights.reduce((sum, weight) => sum + weight, 0) / chance;
  const most = (1 - Math.exp(-ALPHA * share)) / (share * (1 - Math.exp(-ALPHA)));
  const least = (1 - Math.exp(ALPHA * share)) / (share * (1 - Math.exp(ALPHA)));
  return (found - least) / (most - least);
}

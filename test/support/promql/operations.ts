/** The operations of PromQL that alerts use, as Prometheus computes them. */
import type { Labels } from './scrapes.ts';

/** An element of a vector. */
export interface Element {
  readonly labels: Labels;
  readonly value: number;
}

/** Value of an expression. */
export type Value =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'vector'; readonly elements: readonly Element[] };

/** A value of a series at a time, in seconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

type Calculate = (one: number, other: number) => number;
type Compare = (one: number, other: number) => boolean;

const ARITHMETIC: Readonly<Record<string, Calculate>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};
const COMPARISONS: Readonly<Record<string, Compare>> = {
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
  '>=': (one, other) => one >= other,
  '<=': (one, other) => one <= other,
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
};
const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((total, value) => total + value, 0),
  max: (values) => values.reduce((most, value) => Math.max(most, value)),
  min: (values) => values.reduce((least, value) => Math.min(least, value)),
  count: (values) => values.length,
};

/** One element for each group of equal labels. */
export function aggregate(
  operator: string,
  by: readonly string[],
  elements: readonly Element[],
): readonly Element[] {
  const combine = AGGREGATES[operator];
  if (combine === undefined) throw new Error(`${operator} is not evaluated here`);
  const groups = Map.groupBy(elements, ({ labels }) => keyOf(picked(labels, by)));
  return [...groups.values()].map((group) => ({
    labels: picked(group[0]?.labels ?? {}, by),
    value: combine(group.map(({ value }) => value)),
  }));
}

/** Two values by an operator; a comparison keeps the elements on its left for which it is true. */
export function binary(operator: string, left: Value, right: Value): Value {
  const sets = left.kind === 'vector' && right.kind === 'vector';
  if (sets && ['or', 'and', 'unless'].includes(operator))
    return { kind: 'vector', elements: setOf(operator, left.elements, right.elements) };
  const calculate = ARITHMETIC[operator];
  const compare = COMPARISONS[operator];
  if (left.kind === 'number' && right.kind === 'number' && calculate !== undefined)
    return { kind: 'number', value: calculate(left.value, right.value) };
  const pairs = pairsOf(left, right);
  if (calculate !== undefined)
    return {
      kind: 'vector',
      elements: pairs.map(([labels, one, other]) => ({ labels, value: calculate(one, other) })),
    };
  if (compare === undefined) throw new Error(`${operator} is not evaluated here`);
  const kept = pairs.filter(([, one, other]) => compare(one, other));
  return {
    kind: 'vector',
    elements: kept.map(([labels, one, other]) => ({ labels, value: left.kind === 'vector' ? one : other })),
  };
}

/** Pairs of values with the labels that they have in common; a series without its match is left out. */
function pairsOf(left: Value, right: Value): readonly (readonly [Labels, number, number])[] {
  if (left.kind === 'number' && right.kind === 'number') throw new Error('two numbers are not compared here');
  if (left.kind === 'number')
    return right.kind === 'number'
      ? []
      : right.elements.map(({ labels, value }) => [labels, left.value, value]);
  if (right.kind === 'number') return left.elements.map(({ labels, value }) => [labels, value, right.value]);
  const others = new Map(right.elements.map((element) => [keyOf(element.labels), element.value]));
  if (others.size !== right.elements.length) throw new Error('many-to-one is not evaluated here');
  return left.elements.flatMap(({ labels, value }) => {
    const other = others.get(keyOf(labels));
    return other === undefined ? [] : [[labels, value, other] as const];
  });
}

function setOf(operator: string, left: readonly Element[], right: readonly Element[]): readonly Element[] {
  const within = (elements: readonly Element[]): ((element: Element) => boolean) => {
    const keys = new Set(elements.map(({ labels }) => keyOf(labels)));
    return ({ labels }) => keys.has(keyOf(labels));
  };
  if (operator === 'and') return left.filter(within(right));
  if (operator === 'unless') return left.filter((element) => !within(right)(element));
  return [...left, ...right.filter((element) => !within(left)(element))];
}

/**
 * The increase of a counter over a window, or its rate: resets count from zero, and what lies between the points and the ends of
 * the window is extrapolated, but by no more than half of the usual distance of points where they end early. Null with fewer than two points.
 */
export function extrapolated(
  points: readonly Point[],
  { from, to }: { readonly from: number; readonly to: number },
  isRate: boolean,
): number | null {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  let increase = last.value - first.value;
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before !== undefined && point.value < before.value) increase += before.value;
  });
  const sampled = last.at - first.at;
  const between = sampled / (points.length - 1);
  const threshold = between * 1.1;
  let toStart = first.at - from;
  let toEnd = to - last.at;
  if (toStart >= threshold) toStart = between / 2;
  // A counter that began within the window was zero before.
  if (increase > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / increase));
  if (toEnd >= threshold) toEnd = between / 2;
  const whole = increase * ((sampled + toStart + toEnd) / sampled);
  return isRate ? whole / (to - from) : whole;
}

/** The quantile of histograms, by linear interpolation within the bucket. */
export function quantile(q: number, elements: readonly Element[]): readonly Element[] {
  const groups = Map.groupBy(elements, ({ labels }) => keyOf(without(labels, 'le')));
  return [...groups.values()].map((group) => {
    const buckets = group
      .map(({ labels, value }) => ({ le: Number((labels['le'] ?? '').replace('+Inf', 'Infinity')), value }))
      .sort((one, other) => one.le - other.le);
    return { labels: without(group[0]?.labels ?? {}, 'le'), value: quantileOf(q, buckets) };
  });
}

function quantileOf(q: number, buckets: readonly { readonly le: number; readonly value: number }[]): number {
  const last = buckets.at(-1);
  if (last === undefined || last.le !== Infinity || buckets.length < 2 || last.value === 0) return NaN;
  const rank = q * last.value;
  const index = buckets.findIndex(({ value }) => value >= rank);
  const bucket = buckets[index];
  if (bucket === undefined || bucket.le === Infinity) return buckets.at(-2)?.le ?? NaN;
  const before = buckets[index - 1] ?? { le: 0, value: 0 };
  if (bucket.value === before.value) return bucket.le;
  return before.le + (bucket.le - before.le) * ((rank - before.value) / (bucket.value - before.value));
}

function picked(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(
    names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
}

function without(labels: Labels, name: string): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([each]) => each !== name));
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}

/**
 * Evaluates the expressions of `deploy/prometheus/alerts.yml` over scraped samples, as Prometheus does: selectors, `rate` and
 * `increase` with their extrapolation, `histogram_quantile`, `absent`, `sum`, `max`, `min` and `count`, arithmetic, comparisons, and `or`,
 * `and` and `unless`. Whatever else PromQL has is refused, so no alert is taken for true by a guess.
 */
import { parser } from '@prometheus-io/lezer-promql';

import { aggregate, binary, extrapolated, quantile } from './operations.ts';
import type { Element, Point, Value } from './operations.ts';
import type { Sample, Scrapes } from './scrapes.ts';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A sample that is older is gone. */
const LOOKBACK_SECONDS = 300;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The elements of an expression's vector at a time; an alert is on for each of them. @throws for PromQL that is not known here. */
export function evaluate(expression: string, scrapes: Scrapes, at: number): readonly Element[] {
  const value = new Evaluation(expression, scrapes, at).of(parser.parse(expression).topNode);
  if (value.kind !== 'vector') throw new Error(`${expression} is a number, not a vector`);
  return value.elements;
}

class Evaluation {
  private readonly expression: string;
  private readonly scrapes: Scrapes;
  private readonly at: number;

  constructor(expression: string, scrapes: Scrapes, at: number) {
    this.expression = expression;
    this.scrapes = scrapes;
    this.at = at;
  }

  of(node: Node): Value {
    switch (node.name) {
      case 'PromQL':
      case 'ParenExpr':
        return this.of(this.only(node));
      case 'NumberDurationLiteral':
        return { kind: 'number', value: this.number(node) };
      case 'VectorSelector':
        return { kind: 'vector', elements: this.instant(node) };
      case 'AggregateExpr':
        return { kind: 'vector', elements: this.aggregated(node) };
      case 'FunctionCall':
        return { kind: 'vector', elements: this.called(node) };
      case 'BinaryExpr':
        return this.combined(node);
      default:
        throw this.unknown(node);
    }
  }

  private instant(node: Node): readonly Element[] {
    const newest = new Map<string, (typeof this.scrapes.all)[number]>();
    for (const scrape of this.scrapes.all)
      if (scrape.at <= this.at && scrape.at > this.at - LOOKBACK_SECONDS)
        newest.set(JSON.stringify(scrape.target), scrape);
    const matches = this.matcher(node);
    return [...newest.values()].flatMap(({ samples }) =>
      samples.filter(matches).map(({ labels, value }) => ({ labels, value })),
    );
  }

  /** The points of each series that matches within the range. */
  private range(node: Node): readonly { readonly element: Element; readonly points: readonly Point[] }[] {
    const [selector, duration] = this.children(node);
    if (node.name !== 'MatrixSelector' || selector === undefined || duration === undefined)
      throw this.unknown(node);
    const seconds = this.duration(duration);
    const matches = this.matcher(selector);
    const series = new Map<string, { element: Element; points: Point[] }>();
    for (const { at, samples } of this.scrapes.all) {
      if (at > this.at || at <= this.at - seconds) continue;
      for (const { labels, value } of samples.filter(matches)) {
        const key = JSON.stringify(Object.entries(labels).sort());
        const known = series.get(key) ?? { element: { labels, value }, points: [] };
        known.points.push({ at, value });
        series.set(key, known);
      }
    }
    return [...series.values()];
  }

  private matcher(node: Node): (sample: Sample) => boolean {
    if (node.name !== 'VectorSelector') throw this.unknown(node);
    const [identifier, list] = this.children(node);
    if (identifier?.name !== 'Identifier') throw this.unknown(node);
    const name = this.text(identifier);
    const tests = list === undefined ? [] : this.children(list).map((each) => this.labelTest(each));
    return (sample) => sample.name === name && tests.every((test) => test(sample));
  }

  private labelTest(node: Node): (sample: Sample) => boolean {
    const [label, operator, text] = this.children(node);
    if (node.name !== 'UnquotedLabelMatcher' || !label || !operator || text?.name !== 'StringLiteral')
      throw this.unknown(node);
    const name = this.text(label);
    const wanted = this.text(text).slice(1, -1);
    if (wanted.includes('\\')) throw this.unknown(text);
    const pattern = new RegExp(`^(?:${wanted})$`);
    const valueOf = ({ labels }: Sample): string => labels[name] ?? '';
    switch (this.text(operator)) {
      case '=':
        return (sample) => valueOf(sample) === wanted;
      case '!=':
        return (sample) => valueOf(sample) !== wanted;
      case '=~':
        return (sample) => pattern.test(valueOf(sample));
      case '!~':
        return (sample) => !pattern.test(valueOf(sample));
      default:
        throw this.unknown(operator);
    }
  }

  private aggregated(node: Node): readonly Element[] {
    const parts = this.children(node);
    const [operator, ...rest] = parts;
    const body = rest.find(({ name }) => name === 'FunctionCallBody');
    const modifier = rest.find(({ name }) => name === 'AggregateModifier');
    if (operator === undefined || body === undefined) throw this.unknown(node);
    const labels = modifier === undefined ? [] : this.grouping(modifier);
    return aggregate(this.text(operator), labels, this.vector(this.only(body)));
  }

  private grouping(node: Node): readonly string[] {
    const [word, labels] = this.children(node);
    if (word === undefined || labels === undefined || this.text(word) !== 'by') throw this.unknown(node);
    return this.children(labels).map((label) => this.text(label));
  }

  private called(node: Node): readonly Element[] {
    const [identifier, body] = this.children(node);
    if (identifier === undefined || body === undefined) throw this.unknown(node);
    const [first, second] = this.children(body);
    if (first === undefined) throw this.unknown(node);
    switch (this.text(identifier)) {
      case 'rate':
      case 'increase': {
        const window = this.windowOf(first);
        const isRate = this.text(identifier) === 'rate';
        return this.range(first).flatMap(({ element, points }) => {
          const value = extrapolated(points, { from: this.at - window, to: this.at }, isRate);
          return value === null ? [] : [{ labels: element.labels, value }];
        });
      }
      case 'absent':
        return this.vector(first).length === 0 ? [{ labels: {}, value: 1 }] : [];
      case 'histogram_quantile':
        if (second === undefined) throw this.unknown(node);
        return quantile(this.number(first), this.vector(second));
      default:
        throw this.unknown(identifier);
    }
  }

  private windowOf(node: Node): number {
    const [, duration] = this.children(node);
    if (duration === undefined) throw this.unknown(node);
    return this.duration(duration);
  }

  private combined(node: Node): Value {
    const parts = this.children(node);
    const [left, operator, right] = parts;
    // Modifiers such as `on`, `group_left` and `bool` would be parts of their own.
    if (parts.length !== 3 || left === undefined || operator === undefined || right === undefined)
      throw this.unknown(node);
    return binary(this.text(operator), this.of(left), this.of(right));
  }

  private vector(node: Node): readonly Element[] {
    const value = this.of(node);
    if (value.kind !== 'vector') throw this.unknown(node);
    return value.elements;
  }

  private number(node: Node): number {
    const value = Number(this.text(node));
    if (node.name !== 'NumberDurationLiteral' || Number.isNaN(value)) throw this.unknown(node);
    return value;
  }

  private duration(node: Node): number {
    const [, count, unit] = /^(\d+)([smhd])$/.exec(this.text(node)) ?? [];
    const seconds = UNIT_SECONDS[unit ?? ''];
    if (count === undefined || seconds === undefined) throw this.unknown(node);
    return Number(count) * seconds;
  }

  private only(node: Node): Node {
    const [child, ...rest] = this.children(node);
    if (child === undefined || rest.length > 0) throw this.unknown(node);
    return child;
  }

  private children(node: Node): readonly Node[] {
    const children: Node[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.type.isError) throw this.unknown(child);
      children.push(child);
    }
    if (children.length === 0) throw this.unknown(node);
    return children;
  }

  private text({ from, to }: Node): string {
    return this.expression.slice(from, to);
  }

  private unknown(node: Node): Error {
    return new Error(`${node.name} is not evaluated here: ${this.text(node)} in ${this.expression}`);
  }
}

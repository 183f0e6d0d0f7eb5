/**
 * Requests whose every declared field carries a mark of its own, made from the declaration of an endpoint. Texts of a customer
 * can then be looked for wherever they must not be. For each endpoint there is one request that its schemas accept, with a mark
 * in every field that takes free text, and one that carries marks in all other fields and is refused.
 */
import { randomUUID } from 'node:crypto';

import type Joi from 'joi';

import { wholePath } from '../../api/http/endpoint.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { documentedRequest } from './documented.ts';

/** A value of unknown shape. */
type Loose = ReturnType<typeof JSON.parse>;

/** Values of an endpoint's accepted request besides marks, and the fields without marks. */
export interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Fields, as `query.cursor` or `body.sceneFile`, whose marks the service refuses before it comes to the database. */
  readonly refused?: readonly string[];
}

/** Forms that a text may have to be accepted, each with a mark in it. */
const FORMS: readonly ((mark: string) => string)[] = [
  (mark) => mark,
  (mark) => `${mark}@example.org`,
  (mark) => `https://app.example.org/${mark}`,
];

/**
 * The sample of an endpoint that is accepted as the document shows it: with a mark in every text of its body in which the schema
 * takes one, and with ids of `made` or of nothing in its path. Nobody has seen a cursor with a mark.
 */
export function documentedSample(endpoint: Endpoint, made: Readonly<Record<string, string>>): Sample {
  const { body, params } = documentedRequest(endpoint);
  const known = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    made[name] ?? (/^[0-9a-f-]{36}$/.test(value) ? randomUUID() : value),
  ]);
  const marked = textsOf(body).reduce<Loose>((value, path) => {
    const tried = FORMS.map((form) => withValue(value, path, form(newMark())));
    return (
      tried.find((each) => endpoint.body?.validate(each, { convert: false }).error === undefined) ?? value
    );
  }, body);
  return { params: Object.fromEntries(known), body: marked ?? {}, refused: ['query.cursor'] };
}

/** The paths of all texts in a value. */
function textsOf(value: Loose, at: Path = []): Path[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    textsOf(part, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A request to be sent. */
export interface MarkedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The fields that are marked, by their marks. */
  readonly marks: ReadonlyMap<string, string>;
}

type Path = readonly (string | number)[];

let serial = 0;

/** A text that no log has by chance. */
export function newMark(): string {
  serial += 1;
  return `Qzmark${String(serial).padStart(5, '0')}x`;
}

/** The two requests of an endpoint. */
export function markedRequests(endpoint: Endpoint, sample: Sample): readonly MarkedRequest[] {
  return [compose(endpoint, sample, true), compose(endpoint, sample, false)];
}

/** The same request with other marks, which takes no schema. */
export function markedAnew({ marks, ...request }: MarkedRequest): MarkedRequest {
  const others = new Map<string, string>();
  const text = JSON.stringify(request).replaceAll(/Qzmark\d+x/g, (mark) => {
    const other = others.get(mark) ?? newMark();
    others.set(mark, other);
    return other;
  });
  const fields = [...others].map(([mark, other]) => [other, marks.get(mark) ?? 'sample'] as const);
  return { ...JSON.parse(text), marks: new Map(fields) };
}

function compose(endpoint: Endpoint, sample: Sample, isAccepted: boolean): MarkedRequest {
  const marks = new Map<string, string>();
  const mark = (field: string): string => {
    const made = newMark();
    marks.set(made, `${endpoint.operationId} ${field}`);
    return made;
  };
  const part = (name: 'query' | 'body', given: unknown): Loose =>
    fill(endpoint[name], given, { isAccepted, mark, name, refused: sample.refused ?? [] });
  const query = new URLSearchParams(
    Object.entries<Loose>(part('query', sample.query ?? {}) ?? {}).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const path = wholePath('/api/v1', endpoint).replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    isAccepted ? (sample.params?.[name] ?? mark(`params.${name}`)) : mark(`params.${name}`),
  );
  return {
    method: endpoint.method,
    path: `${path}?${query.toString()}`,
    headers: Object.fromEntries((endpoint.headers ?? []).map(({ name }) => [name, mark(`header ${name}`)])),
    body: endpoint.body === undefined ? undefined : part('body', sample.body ?? {}),
    marks,
  };
}

interface Filling {
  readonly isAccepted: boolean;
  readonly name: string;
  readonly refused: readonly string[];
  readonly mark: (field: string) => string;
}

/** The sample with marks: in every field with which the schema still accepts it, or in every other field. */
function fill(
  schema: Joi.ObjectSchema<unknown> | undefined,
  sample: unknown,
  { isAccepted, name, refused, mark }: Filling,
): unknown {
  if (schema === undefined) return undefined;
  const bare = structuredClone(sample);
  if (schema.validate(bare, { convert: name === 'query' }).error !== undefined)
    throw new Error(`The sample of ${name} is not accepted: ${JSON.stringify(bare)}`);
  let accepted = bare;
  const others: [Path, string][] = [];
  for (const path of leavesOf(schema.describe(), () => mark(`${name} key`))) {
    const field = [name, ...path].join('.');
    const isKept = refused.includes(field) || valueAt(bare, path) !== undefined;
    const tried = withValue(accepted, path, mark(field));
    if (!isKept && schema.validate(tried, { convert: name === 'query' }).error === undefined)
      accepted = tried;
    else others.push([path, mark(field)]);
  }
  if (isAccepted) return accepted;
  return others.reduce((value, [path, each]) => withValue(value, path, each), bare);
}

/** Every leaf of a schema; a leaf of a list is that of its first item, and a free name is a mark, too. */
function leavesOf(described: Loose, newName: () => string, at: Path = []): Path[] {
  const below: Path[] = [
    ...Object.entries<Loose>(described.keys ?? {}).flatMap(([key, child]) =>
      leavesOf(child, newName, [...at, key]),
    ),
    ...(described.items ?? []).flatMap((child: Loose) => leavesOf(child, newName, [...at, 0])),
    ...(described.patterns ?? []).flatMap(({ rule }: Loose) => leavesOf(rule, newName, [...at, newName()])),
    ...(described.matches ?? []).flatMap(({ schema, then, switch: cases }: Loose) =>
      [schema, then, ...(cases ?? []).map((one: Loose) => one.then)]
        .filter((child) => child !== undefined)
        .flatMap((child) => leavesOf(child, newName, at)),
    ),
  ];
  return below.length === 0 ? [at] : below;
}

function valueAt(value: Loose, path: Path): unknown {
  return path.reduce((found, key) => found?.[key], value);
}

/** A copy with a value at a path; what stands in the way becomes an object or a list. */
function withValue(value: Loose, path: Path, leaf: unknown): Loose {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const isFit = typeof key === 'number' ? Array.isArray(value) : typeof value === 'object' && value !== null;
  const copy: Loose = isFit
    ? Array.isArray(value)
      ? [...value]
      : { ...value }
    : typeof key === 'number'
      ? []
      : {};
  copy[key] = withValue(copy[key], rest, leaf);
  return copy;
}

/**
 * The Chemical Component Dictionary as the set-up has indexed it (`dockyard_science/ccd_index.py` in `science/`): read
 * only, by id, name or InChIKey. Names are compared in folded form. The best kind of match hides the other kinds, so that
 * `aspirin` finds aspirin and not everything whose name begins with it.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inflateSync } from 'node:zlib';

import type { ComponentKey, ComponentSearch, FoundComponent } from './chemistry.ts';
import { valueAt } from './value-at.ts';

/** The atoms and bonds of a component as the dictionary has them. */
export interface ComponentRecord {
  readonly name: string;
  readonly elements: readonly string[];
  readonly charges: readonly number[];
  /** First and second atom, and the order as the dictionary writes it. */
  readonly bonds: readonly (readonly [number, number, string])[];
  /** x, y and z of each atom in thousandths of an angstrom; null where there are none. */
  readonly coordinates: readonly number[] | null;
}

/** An open dictionary. */
export interface Dictionary {
  find(text: string, by: ComponentKey): ComponentSearch;
  /** Answers null when there is no such component. */
  record(componentId: string): ComponentRecord | null;
}

/** A preview shows at most this number of candidates. */
const MOST_FOUND = 10;
/**
 * A shorter text must be the whole name: otherwise `co` would find cobalt, coenzyme A and every name that begins with
 * `co`.
 */
const PREFIX_CHARACTERS = 4;

const NOTHING: ComponentSearch = { components: [], isExact: false, isCut: false };

/** The ways in which a name can match, the best first; `:low` and `:high` bound the names that begin with the text. */
const EXACT = 'folded = :text';
const BEGINNING = 'folded >= :low and folded < :high';
const INSIDE = "instr(' ' || folded, ' ' || :text) > 0";

const GREEK = { α: 'alpha', β: 'beta', γ: 'gamma', δ: 'delta', ε: 'epsilon', ω: 'omega' } as const;

/** A name as the index has it: words of small letters and digits, without accents and punctuation. */
export function foldName(name: string): string {
  const spelled = Object.entries(GREEK).reduce((text, [letter, word]) => text.replaceAll(letter, word), name);
  return spelled
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Opens the dictionary; answers null where there is none. */
export function openDictionary(path: string): Dictionary | null {
  if (path === '' || !existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true });
  const record = (componentId: string): ComponentRecord | null => {
    const row = database.prepare('select data from component where id = ?').get(componentId.toUpperCase());
    return row?.data instanceof Uint8Array ? readRecord(row.data) : null;
  };
  return {
    record,
    find(text, by) {
      if (by === 'name') return searchNames(database, foldName(text), record);
      if (by === 'inchiKey') return searchKeys(database, text, record);
      const found = record(text);
      const component = { componentId: text.toUpperCase(), name: found?.name ?? '', synonym: null };
      return { components: found === null ? [] : [component], isExact: true, isCut: false };
    },
  };
}

function searchNames(database: DatabaseSync, text: string, record: Dictionary['record']): ComponentSearch {
  if (text === '') return NOTHING;
  const isLong = text.length >= PREFIX_CHARACTERS;
  // In the order of the index, digits and letters come after a blank, and no character of a folded name comes after z.
  const [low, high] = isLong ? [text, `${text}{`] : [`${text} `, `${text}!`];
  for (const condition of [EXACT, BEGINNING, ...(isLong ? [INSIDE] : [])]) {
    const rows = database
      .prepare(
        `select id, synonym from name where ${condition} order by synonym is not null, length(folded), id limit :most`,
      )
      .all({ ...parametersOf(condition, { text, low, high }), most: MOST_FOUND * 2 });
    const found = new Map<string, FoundComponent>();
    for (const { id, synonym } of rows) {
      if (typeof id !== 'string' || found.has(id)) continue;
      const name = record(id)?.name ?? id;
      found.set(id, { componentId: id, name, synonym: typeof synonym === 'string' ? synonym : null });
    }
    // Of several components with the same name, the one with the shortest proper name is the plainest.
    const components = [...found.values()];
    if (condition === EXACT) components.sort(byPlainness);
    if (components.length === 0) continue;
    return {
      components: components.slice(0, MOST_FOUND),
      isExact: condition === EXACT,
      isCut: components.length > MOST_FOUND,
    };
  }
  return NOTHING;
}

function searchKeys(database: DatabaseSync, key: string, record: Dictionary['record']): ComponentSearch {
  const rows = database
    .prepare('select id from inchikey where key = :key order by length(id), id limit :most')
    .all({ key, most: MOST_FOUND });
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const components = ids.map((id) => ({ componentId: id, name: record(id)?.name ?? id, synonym: null }));
  return { components, isExact: true, isCut: false };
}

function byPlainness(a: FoundComponent, b: FoundComponent): number {
  return Number(a.synonym !== null) - Number(b.synonym !== null) || a.name.length - b.name.length;
}

/** A statement gets only the parameters that it contains, because SQLite refuses others. */
function parametersOf(
  condition: string,
  all: Readonly<Record<'text' | 'low' | 'high', string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => condition.includes(`:${name}`)));
}

/** @throws Error when the record is not what the maker of the index writes. */
function readRecord(data: Uint8Array): ComponentRecord {
  const raw: unknown = JSON.parse(inflateSync(data).toString('utf8'));
  const name = valueAt(raw, 'name');
  if (typeof name !== 'string') throw new Error('a component without a name');
  const coordinates = valueAt(raw, 'ideal') ?? valueAt(raw, 'model');
  return {
    name: name.replaceAll(/\s+/g, ' ').trim(),
    elements: listOf(valueAt(raw, 'elements'), isText),
    charges: listOf(valueAt(raw, 'charges'), isNumber),
    bonds: listOf(valueAt(raw, 'bonds'), isBond),
    coordinates: coordinates === null ? null : listOf(coordinates, isNumber),
  };
}

function listOf<T>(value: unknown, is: (item: unknown) => item is T): readonly T[] {
  if (Array.isArray(value) && value.every(is)) return value;
  throw new Error('a component with an unreadable column');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isBond(value: unknown): value is readonly [number, number, string] {
  return Array.isArray(value) && isNumber(value[0]) && isNumber(value[1]) && isText(value[2]);
}

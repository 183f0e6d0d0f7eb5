/**
 * The Chemical Component Dictionary as the set-up has indexed it (science/src/dockyard_science/ccd_index.py): read only,
 * by id or by name. Names are compared in folded form; the best kind of match that there is hides the others, so that
 * `aspirin` answers aspirin and not everything whose name begins with it.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inflateSync } from 'node:zlib';

import type { ComponentKey, ComponentSearch, FoundComponent } from './chemistry.ts';
import { valueAt } from './value-at.ts';

/** A component's atoms and bonds as the dictionary has them. */
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
  /** Null when there is no such component. */
  record(componentId: string): ComponentRecord | null;
}

/** A preview shows so many candidates. */
const MOST_FOUND = 10;
/** Shorter texts are whole words: else `co` would be cobalt, coenzyme A and all that begins like them. */
const PREFIX_CHARACTERS = 4;

const NOTHING: ComponentSearch = { components: [], isExact: false, isCut: false };

/** Ways in which a name matches, the best first; `:low` and `:high` bound what begins with the text. */
const EXACT = 'folded = :text';
const BEGINNING = 'folded >= :low and folded < :high';
const INSIDE = "instr(' ' || folded, ' ' || :text) > 0";

const GREEK = { α: 'alpha', β: 'beta', γ: 'gamma', δ: 'delta', ε: 'epsilon', ω: 'omega' } as const;

/** A name as the index has it: small letters and digits in words, without accents and punctuation. */
export function foldName(name: string): string {
  const spelled = Object.entries(GREEK).reduce((text, [letter, word]) => text.replaceAll(letter, word), name);
  return spelled
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Opens the dictionary; null where there is none, or one of before names were in it. */
export function openDictionary(path: string): Dictionary | null {
  if (path === '' || !existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  if (!['component', 'name'].every((wanted) => tables.some(({ name }) => name === wanted))) {
    database.close();
    return null;
  }
  const record = (componentId: string): ComponentRecord | null => {
    const row = database.prepare('select data from component where id = ?').get(componentId.toUpperCase());
    return row?.data instanceof Uint8Array ? readRecord(row.data) : null;
  };
  return {
    record,
    find(text, by) {
      if (by === 'name') return searchNames(database, foldName(text), record);
      const found = record(text);
      const component = { componentId: text.toUpperCase(), name: found?.name ?? '', synonym: null };
      return { components: found === null ? [] : [component], isExact: true, isCut: false };
    },
  };
}

function searchNames(database: DatabaseSync, text: string, record: Dictionary['record']): ComponentSearch {
  if (text === '') return NOTHING;
  const isLong = text.length >= PREFIX_CHARACTERS;
  // After a blank come digits and letters, after z nothing that a folded name has.
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
    // Of those that are all called the same, the one with the shortest proper name is the plainest.
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

function byPlainness(a: FoundComponent, b: FoundComponent): number {
  return Number(a.synonym !== null) - Number(b.synonym !== null) || a.name.length - b.name.length;
}

/** A statement is given those of its parameters that it has, because SQLite refuses others. */
function parametersOf(
  condition: string,
  all: Readonly<Record<'text' | 'low' | 'high', string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => condition.includes(`:${name}`)));
}

/** @throws Error when the index holds something else than its maker writes. */
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

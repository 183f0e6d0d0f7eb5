/**
 * Compares a JSON text with a shape while the text is read, and keeps nothing of the text. So a report of any size is
 * judged as a whole in the memory that one of its values takes.
 */
import { JSON_DEPTH, ValueBuilder } from './json-value.ts';
import { JsonScanner } from './json-scanner.ts';
import type { JsonListener } from './json-scanner.ts';
import { faultOf, TextFault, textOf } from './pieces.ts';
import type { Pieces } from './pieces.ts';

interface Member {
  readonly shape: JsonShape;
  readonly isRequired: boolean;
}

/** Shape that a value must have. */
export type JsonShape =
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, Member>;
      readonly required: number;
      readonly isClosed: boolean;
      readonly takes: () => boolean;
    }
  | { readonly kind: 'list'; readonly each: JsonShape; readonly least: number; readonly take: () => void }
  | { readonly kind: 'text'; readonly takes: (text: string, isWhole: boolean) => boolean }
  | { readonly kind: 'number'; readonly takes: (value: number) => boolean }
  | { readonly kind: 'kept'; readonly values: number; readonly takes: (value: unknown) => boolean }
  | { readonly kind: 'anything' };

type Members = Readonly<Record<string, JsonShape>>;

/** The longest text that a shape compares or keeps; longer texts are only known to be there. */
const KEPT_CHARACTERS = 16 * 1024;
/** The most characters of a part that is put together: fifty times those of a list of digests. */
const PART_CHARACTERS = 64 * 1024;
/** The objects of reports have some twenty members. */
const OPEN_MEMBERS = 10_000;

/** Any value. */
export const ANYTHING: JsonShape = { kind: 'anything' };
/** A text that is not empty. */
export const SOME_TEXT: JsonShape = { kind: 'text', takes: (text) => text !== '' };

/** Freedoms of an object beside its required members; `takes` is asked at the end of each such object. */
export interface ObjectOptions {
  readonly optional?: Members;
  readonly isClosed?: boolean;
  readonly takes?: () => boolean;
}

/** An object with these members, and with others too unless it is closed. */
export function objectOf(
  required: Members,
  { optional = {}, isClosed = false, takes = () => true }: ObjectOptions = {},
): JsonShape {
  const members = new Map([...membersOf(required, true), ...membersOf(optional, false)]);
  return { kind: 'object', members, required: Object.keys(required).length, isClosed, takes };
}

/** An array of such values, of at least so many; `take` is called at the end of each such array. */
export function listOf(
  each: JsonShape,
  { least = 0, take = () => undefined }: { readonly least?: number; readonly take?: () => void } = {},
): JsonShape {
  return { kind: 'list', each, least, take };
}

/** A value of at most so many values, all levels together, which is put together and judged as a whole. */
export function keptOf(values: number, takes: (value: unknown) => boolean): JsonShape {
  return { kind: 'kept', values, takes };
}

/** A text that a pattern matches. */
export function matching(pattern: RegExp): JsonShape {
  return { kind: 'text', takes: (text, isWhole) => isWhole && pattern.test(text) };
}

/** An integer from 0 to `most`; `take` gets each as it is read. */
export function countOf(
  take: (count: number) => void = () => undefined,
  most: number = Number.MAX_SAFE_INTEGER,
): JsonShape {
  return {
    kind: 'number',
    takes(value) {
      if (!Number.isSafeInteger(value) || value < 0 || value > most) return false;
      take(value);
      return true;
    },
  };
}

/** Whether a text is JSON of the shape, with at most so many values. */
export async function hasShape(pieces: Pieces, shape: JsonShape, mostValues: number): Promise<boolean> {
  return (await shapeFault(pieces, shape, mostValues)) === null;
}

/** Why a text is no JSON of the shape, with at most so many values; null where it is. */
export function shapeFault(pieces: Pieces, shape: JsonShape, mostValues: number): Promise<string | null> {
  const scanner = createShapeScanner(shape, mostValues);
  return faultOf(async () => {
    for await (const text of textOf(pieces)) scanner.write(text);
    scanner.end();
  });
}

/** A scanner that throws a TextFault where a text is not of the shape. */
export function createShapeScanner(shape: JsonShape, mostValues: number): JsonScanner {
  const bounds = {
    depth: JSON_DEPTH,
    values: mostValues,
    openMembers: OPEN_MEMBERS,
    keptCharacters: KEPT_CHARACTERS,
  };
  return new JsonScanner(new ShapeListener(shape), bounds);
}

function membersOf(members: Members, isRequired: boolean): (readonly [string, Member])[] {
  return Object.entries(members).map(([name, shape]) => [name, { shape, isRequired }] as const);
}

/** An open array or object: how many of its values, or of its required members, have come. */
interface Open {
  readonly shape: JsonShape;
  found: number;
}

/** A value that is put together. */
interface Kept {
  readonly shape: Extract<JsonShape, { kind: 'kept' }>;
  readonly builder: ValueBuilder;
  values: number;
  characters: number;
  depth: number;
}

class ShapeListener implements JsonListener {
  readonly #open: Open[] = [];
  /** The shape of the next value, where the next value is the whole text or the member of an object. */
  #next: JsonShape;
  #kept: Kept | null = null;

  constructor(shape: JsonShape) {
    this.#next = shape;
  }

  open(isArray: boolean): void {
    const kept = this.#kept ?? this.#begin();
    if (kept !== null) {
      this.#count(kept);
      kept.depth += 1;
      kept.builder.open(isArray);
      return;
    }
    const shape = this.#takeNext();
    if (shape.kind !== 'anything' && shape.kind !== (isArray ? 'list' : 'object')) throw unfit();
    this.#open.push({ shape, found: 0 });
  }

  close(): void {
    if (this.#kept !== null) {
      this.#kept.depth -= 1;
      this.#kept.builder.close();
      this.#endValue(this.#kept);
      return;
    }
    const closed = this.#open.pop();
    if (closed === undefined) throw unfit();
    const { shape, found } = closed;
    if (shape.kind === 'list') {
      if (found < shape.least) throw unfit();
      shape.take();
    }
    if (shape.kind === 'object' && (found < shape.required || !shape.takes())) throw unfit();
  }

  name(name: string): void {
    if (this.#kept !== null) {
      this.#countCharacters(this.#kept, name);
      this.#kept.builder.name(name);
      return;
    }
    const open = this.#open.at(-1);
    this.#next = ANYTHING;
    if (open?.shape.kind !== 'object') return;
    const member = open.shape.members.get(name);
    if (member === undefined) {
      if (open.shape.isClosed)
        throw new TextFault(`The JSON has ${JSON.stringify(name)}, which it may not have.`);
      return;
    }
    this.#next = member.shape;
    // The scanner takes no name twice.
    if (member.isRequired) open.found += 1;
  }

  text(text: string, length: number): void {
    const kept = this.#kept ?? this.#begin();
    if (kept !== null) {
      if (text.length !== length) throw unfit();
      this.#countCharacters(kept, text);
      kept.builder.text(ownCopyOf(text));
      this.#endScalar(kept);
      return;
    }
    const shape = this.#takeNext();
    if (shape.kind === 'anything') return;
    if (shape.kind !== 'text' || !shape.takes(text, text.length === length)) throw unfit();
  }

  value(value: number | boolean | null): void {
    const kept = this.#kept ?? this.#begin();
    if (kept !== null) {
      kept.builder.value(value);
      this.#endScalar(kept);
      return;
    }
    const shape = this.#takeNext();
    if (shape.kind === 'anything') return;
    if (shape.kind !== 'number' || typeof value !== 'number' || !shape.takes(value)) throw unfit();
  }

  /** Begins to put the next value together, where its shape says so. */
  #begin(): Kept | null {
    const shape = this.#shapeOfNext();
    if (shape.kind !== 'kept') return null;
    this.#takeNext();
    this.#kept = { shape, builder: new ValueBuilder(), values: 0, characters: 0, depth: 0 };
    return this.#kept;
  }

  #endScalar(kept: Kept): void {
    this.#count(kept);
    this.#endValue(kept);
  }

  #count(kept: Kept): void {
    kept.values += 1;
    if (kept.values > kept.shape.values) throw unfit();
  }

  #countCharacters(kept: Kept, text: string): void {
    kept.characters += text.length;
    if (kept.characters > PART_CHARACTERS) throw unfit();
  }

  #endValue(kept: Kept): void {
    if (kept.depth > 0) return;
    this.#kept = null;
    if (!kept.shape.takes(kept.builder.root)) throw unfit();
  }

  #takeNext(): JsonShape {
    const open = this.#open.at(-1);
    if (open?.shape.kind === 'list') open.found += 1;
    return this.#shapeOfNext();
  }

  #shapeOfNext(): JsonShape {
    const open = this.#open.at(-1);
    if (open?.shape.kind === 'list') return open.shape.each;
    return open?.shape.kind === 'anything' ? ANYTHING : this.#next;
  }
}

/** A copy, because a text that was cut from a piece keeps the whole piece in memory. */
function ownCopyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function unfit(): TextFault {
  return new TextFault('The JSON has another shape.');
}

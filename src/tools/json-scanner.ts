/**
 * Reads JSON that an instance wrote, in parts of any length, and tells its listener one value after the other. The scanner
 * keeps the names of the objects that are open, and nothing else, so a text of any size costs the same small memory. A
 * text that two readers could understand in two ways counts as no JSON: equal names in one object, numbers that no number
 * type holds, unpaired surrogates, and the name `__proto__`, which would become the prototype of a copy.
 */
import { TextFault } from './pieces.ts';

/** The values of a text in their order. A name comes before the value of its member. */
export interface JsonListener {
  open(isArray: boolean): void;
  close(): void;
  name(name: string): void;
  /** A string; of a string that is longer than the bounds keep, `text` is the beginning. */
  text(text: string, length: number): void;
  value(value: number | boolean | null): void;
}

/** The most that a text may hold. */
export interface ScanBounds {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Values of every kind, in all levels together. */
  readonly values: number;
  /** Members of all objects that are open at once: their names are kept until their object ends. */
  readonly openMembers: number;
  /** Characters of a string that are kept; a longer string is no fault. */
  readonly keptCharacters: number;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** An array or object that is open. */
interface Open {
  readonly isArray: boolean;
  /** Beginning of its names among those of all open objects. */
  readonly firstName: number;
  names: Set<string> | null;
}

/** Up to so many names are compared one by one. */
const FEW_NAMES = 32;
/** No report names a member with more characters. */
const NAME_CHARACTERS = 256;
/** The longest number that a program prints has some three hundred digits. */
const WORD_CHARACTERS = 1024;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const UNIT = /^\\u[0-9a-fA-F]{4}$/;
const UNIT_CHARACTERS = 6;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...(['"', '\\', '/'] as const).map((same) => [`\\${same}`, same] as const),
  ...(
    [
      ['b', '\b'],
      ['f', '\f'],
      ['n', '\n'],
      ['r', '\r'],
      ['t', '\t'],
    ] as const
  ).map(([letter, meant]) => [`\\${letter}`, meant] as const),
]);

/** A piece of a string of at least so many characters is appended by itself. */
const SHORT_CHARACTERS = 256;
const GATHERED_CHARACTERS = 1024;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Scans one text. */
export class JsonScanner {
  readonly #listener: JsonListener;
  readonly #bounds: ScanBounds;
  #expected: Expected = 'value';
  #inside: 'string' | 'word' | null = null;
  #values = 1;
  readonly #open: Open[] = [];
  /** The names of all open objects, those of the innermost last. */
  readonly #names: string[] = [];
  #isName = false;
  /** The kept part of the string that is open, or the word as far as it came. */
  #text = '';
  /** The end of the kept part that is not yet in the text, in UTF-16 units. */
  readonly #units = new Uint16Array(GATHERED_CHARACTERS);
  #gathered = 0;
  #length = 0;
  #escape = '';
  /** Whether the last unit of the string is the first half of a surrogate pair. */
  #isHalf = false;

  constructor(listener: JsonListener, bounds: ScanBounds) {
    this.#listener = listener;
    this.#bounds = bounds;
  }

  /**
   * Takes the next part of the text.
   * @throws TextFault where the text is no JSON, or is beyond the bounds.
   */
  write(part: string): void {
    let at = 0;
    while (at < part.length) {
      if (this.#inside === 'string') at = this.#takeString(part, at);
      else if (this.#inside === 'word') at = this.#takeWord(part, at);
      else at = this.#takeToken(part, at);
    }
  }

  /**
   * Ends the text.
   * @throws TextFault where something is missing.
   */
  end(): void {
    if (this.#inside === 'word') this.#endWord();
    if (this.#inside !== null || this.#expected !== 'nothing') throw fault('ends too early');
  }

  #takeToken(part: string, at: number): number {
    const code = part.charCodeAt(at);
    switch (code) {
      case SPACE:
      case TAB:
      case NEWLINE:
      case RETURN:
        break;
      case QUOTE:
        this.#beginString();
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.#beginContainer(code === OPEN_ARRAY);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.#endContainer(code === CLOSE_ARRAY);
        break;
      case COMMA:
        this.#expect('comma or end');
        this.#count();
        this.#expected = this.#open.at(-1)?.isArray === true ? 'value' : 'name';
        break;
      case COLON:
        this.#expect('colon');
        this.#expected = 'value';
        break;
      default:
        this.#expect('value', 'value or end');
        this.#inside = 'word';
        this.#text = '';
        return this.#takeWord(part, at);
    }
    return at + 1;
  }

  #beginContainer(isArray: boolean): void {
    this.#expect('value', 'value or end');
    this.#count();
    const depth = this.#open.push({ isArray, firstName: this.#names.length, names: null });
    if (depth > this.#bounds.depth) throw fault('is too deep');
    this.#expected = isArray ? 'value or end' : 'name or end';
    this.#listener.open(isArray);
  }

  #endContainer(isArray: boolean): void {
    this.#expect('comma or end', isArray ? 'value or end' : 'name or end');
    const closed = this.#open.pop();
    if (closed?.isArray !== isArray) throw fault('closes what is not open');
    this.#names.length = closed.firstName;
    this.#endValue();
    this.#listener.close();
  }

  #beginString(): void {
    this.#isName = this.#expected === 'name' || this.#expected === 'name or end';
    if (!this.#isName) this.#expect('value', 'value or end');
    this.#inside = 'string';
    this.#text = '';
    this.#length = 0;
  }

  #takeString(part: string, from: number): number {
    if (this.#escape !== '') return this.#takeEscape(part, from);
    let [at, code] = [from, 0];
    for (; at < part.length; at += 1) {
      code = part.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH || code < SPACE) break;
    }
    if (at > from) {
      if (this.#isHalf) throw fault('has half a character');
      this.#keep(part, from, at);
    }
    if (at === part.length) return at;
    if (code === QUOTE) this.#endString();
    else if (code === BACKSLASH) this.#escape = '\\';
    else throw fault('has a control character');
    return at + 1;
  }

  /** Takes one more character of an escape, which may be cut anywhere. */
  #takeEscape(part: string, at: number): number {
    this.#escape += part.charAt(at);
    const escape = this.#escape;
    if (escape === '\\u' || (escape.startsWith('\\u') && escape.length < UNIT_CHARACTERS)) return at + 1;
    const meant = UNIT.test(escape)
      ? String.fromCharCode(parseInt(escape.slice(2), 16))
      : ESCAPES.get(escape);
    if (meant === undefined) throw fault('has an escape that is none');
    const [isFirst, isSecond] = [/^[\uD800-\uDBFF]/.test(meant), /^[\uDC00-\uDFFF]/.test(meant)];
    if (isSecond !== this.#isHalf) throw fault('has half a character');
    this.#isHalf = isFirst;
    this.#keep(meant, 0, 1);
    this.#escape = '';
    return at + 1;
  }

  #keep(part: string, from: number, to: number): void {
    this.#length += to - from;
    const most = this.#isName ? NAME_CHARACTERS : this.#bounds.keptCharacters;
    const room = most - this.#text.length - this.#gathered;
    if (room > 0) this.#append(part, from, Math.min(to, from + room));
  }

  /**
   * Appends to the text of the open string. Short pieces behind the first one are gathered before they are appended,
   * because each of them would be an object of its own in the text, of several times its size.
   */
  #append(part: string, from: number, to: number): void {
    if ((this.#text === '' && this.#gathered === 0) || to - from >= SHORT_CHARACTERS) {
      this.#flush();
      this.#text += part.slice(from, to);
      return;
    }
    if (this.#gathered + to - from > this.#units.length) this.#flush();
    for (let at = from; at < to; at += 1) {
      this.#units[this.#gathered] = part.charCodeAt(at);
      this.#gathered += 1;
    }
  }

  #flush(): void {
    if (this.#gathered === 0) return;
    this.#text += String.fromCharCode(...this.#units.subarray(0, this.#gathered));
    this.#gathered = 0;
  }

  #endString(): void {
    if (this.#isHalf) throw fault('has half a character');
    this.#flush();
    this.#inside = null;
    if (this.#isName) {
      this.#endName();
      return;
    }
    this.#endValue();
    this.#listener.text(this.#text, this.#length);
  }

  #endName(): void {
    const name = this.#text;
    const object = this.#open.at(-1);
    if (object === undefined || this.#length > NAME_CHARACTERS || name === '__proto__') {
      throw fault('has a name that is none');
    }
    if (this.#hasName(object, name)) throw fault('has one name twice');
    if (this.#names.push(name) > this.#bounds.openMembers) throw fault('has too many members');
    object.names?.add(name);
    this.#expected = 'colon';
    this.#listener.name(name);
  }

  /** A set is made for the names of a large object only: for most objects making one takes longer than looking. */
  #hasName(object: Open, name: string): boolean {
    if (object.names !== null) return object.names.has(name);
    if (this.#names.length - object.firstName >= FEW_NAMES)
      object.names = new Set(this.#names.slice(object.firstName));
    return this.#names.indexOf(name, object.firstName) !== -1;
  }

  #takeWord(part: string, from: number): number {
    let at = from;
    while (at < part.length && !isEndOfWord(part.charCodeAt(at))) at += 1;
    this.#text += part.slice(from, at);
    if (this.#text.length > WORD_CHARACTERS) throw fault('has a number that is too long');
    if (at < part.length) this.#endWord();
    return at;
  }

  #endWord(): void {
    this.#inside = null;
    this.#endValue();
    this.#listener.value(meaningOf(this.#text));
  }

  #endValue(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or end';
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.values) throw fault('has too many values');
  }

  #expect(expected: Expected, or: Expected = expected): void {
    if (this.#expected !== expected && this.#expected !== or) throw fault(`has no ${this.#expected}`);
  }
}

function meaningOf(word: string): number | boolean | null {
  if (word === 'null') return null;
  if (word === 'true' || word === 'false') return word === 'true';
  const number = NUMBER.test(word) ? Number(word) : Number.NaN;
  if (!Number.isFinite(number)) throw fault('has a number that is none');
  return number;
}

function isEndOfWord(code: number): boolean {
  switch (code) {
    case SPACE:
    case TAB:
    case NEWLINE:
    case RETURN:
    case QUOTE:
    case COMMA:
    case COLON:
    case OPEN_ARRAY:
    case CLOSE_ARRAY:
    case OPEN_OBJECT:
    case CLOSE_OBJECT:
      return true;
    default:
      return false;
  }
}

function fault(what: string): TextFault {
  return new TextFault(`The JSON ${what}.`);
}

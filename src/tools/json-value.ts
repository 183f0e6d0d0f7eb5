/** Reads a JSON text that is small once it is parsed, and answers its value. Larger texts are read by a shape. */
import { JsonScanner } from './json-scanner.ts';
import type { JsonListener } from './json-scanner.ts';
import { faultOf, TextFault, textOf } from './pieces.ts';
import type { Pieces } from './pieces.ts';

/** The most that a text may hold; the defaults are for all texts but those of a tool that says why its own are larger. */
export interface JsonBounds {
  readonly bytes: number;
  readonly values: number;
}

/** The report of a large receptor has a few ten thousand values in six levels; the bounds allow several times as much. */
export const JSON_BOUNDS: JsonBounds = { bytes: 16 * 1024 * 1024, values: 250_000 };
/** No file that an instance writes has more than eight levels. */
export const JSON_DEPTH = 64;

/** The value of a JSON text; undefined when the text is no JSON, or is deeper or larger than the bounds. */
export async function readJson(
  pieces: Pieces,
  { bytes, values }: JsonBounds = JSON_BOUNDS,
): Promise<unknown> {
  const builder = new ValueBuilder();
  const bounds = { depth: JSON_DEPTH, values, openMembers: values, keptCharacters: Infinity };
  const scanner = new JsonScanner(builder, bounds);
  const fault = await faultOf(async () => {
    for await (const text of textOf(atMost(bytes, pieces))) scanner.write(text);
    scanner.end();
  });
  return fault === null ? builder.root : undefined;
}

async function* atMost(mostBytes: number, pieces: Pieces): Pieces {
  let left = mostBytes;
  for await (const piece of pieces) {
    left -= piece.byteLength;
    if (left < 0) throw new TextFault(`The output has more than ${mostBytes} bytes.`);
    yield piece;
  }
}

type Container = unknown[] | Record<string, unknown>;

/** Puts the values that a scanner tells together. */
export class ValueBuilder implements JsonListener {
  root: unknown;
  readonly #open: Container[] = [];
  #name = '';

  open(isArray: boolean): void {
    const container: Container = isArray ? [] : {};
    this.#add(container);
    this.#open.push(container);
  }

  close(): void {
    this.#open.pop();
  }

  name(name: string): void {
    this.#name = name;
  }

  text(text: string): void {
    this.#add(text);
  }

  value(value: number | boolean | null): void {
    this.#add(value);
  }

  #add(value: unknown): void {
    const into = this.#open.at(-1);
    if (into === undefined) this.root = value;
    else if (Array.isArray(into)) into.push(value);
    else into[this.#name] = value;
  }
}

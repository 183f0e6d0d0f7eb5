/**
 * Counts the facts of queries that a preparation wrote, one line of JSON for each query. Every task of the job builds its
 * reports on them, so a preparation that wrote something else fails before any task reads it.
 */
import type { JsonScanner } from '../json-scanner.ts';
import { TextFault } from '../pieces.ts';
import type { Pieces } from '../pieces.ts';
import { createSchemaScanner } from '../stream-schema.ts';
import FACTS_SCHEMA from './facts.schema.json' with { type: 'json' };
import { readInLines } from './line-reader.ts';
import type { LineReader } from './line-reader.ts';

/** The longest query has 10 million bases; each masked stretch of some bases is three values. */
const MOST_VALUES = 4_000_000;
/** The line of a query that the program could not judge. */
const UNJUDGED = 'null';

/** The number of queries whose facts a file holds; null when a line is something else. */
export async function countFacts(pieces: Pieces): Promise<number | null> {
  const reader = new FactLines();
  return (await readInLines(pieces, reader)) ? reader.facts : null;
}

/** Reads a file of facts, line by line, where a line comes in parts of any length. */
class FactLines implements LineReader {
  facts = 0;
  /** Reads the facts of this line; null at the beginning of a line. */
  #scanner: JsonScanner | null = null;
  /** The beginning of a line, while the line may be that of an unjudged query. */
  #beginning = '';

  take(part: string): void {
    if (part === '') return;
    if (this.#scanner !== null) {
      this.#scanner.write(part);
      return;
    }
    this.#beginning += part;
    if (UNJUDGED.startsWith(this.#beginning)) return;
    this.#scanner = createSchemaScanner(FACTS_SCHEMA, MOST_VALUES);
    this.#scanner.write(this.#beginning);
    this.#beginning = '';
  }

  endLine(): void {
    if (this.#scanner !== null) this.#scanner.end();
    else if (this.#beginning !== UNJUDGED) throw new TextFault('A line holds no facts.');
    this.#scanner = null;
    this.#beginning = '';
    this.facts += 1;
  }

  end(): void {
    if (this.#scanner !== null || this.#beginning !== '') throw new TextFault('The last line has no end.');
  }
}

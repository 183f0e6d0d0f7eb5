/** The two programs: what they search, and the names that each has for its ways of searching. */

/** A program of BLAST. */
export interface SearchProgram {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly docsPage: string;
  /** The type of queries and database, as BLAST names it. */
  readonly molecule: 'prot' | 'nucl';
  /** The names that the program itself has for its ways of searching, the default first. */
  readonly searches: readonly string[];
}

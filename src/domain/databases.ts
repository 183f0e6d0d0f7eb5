/** The catalogue of databases as tools and services see it. */

/** The type of the sequences of a database. */
export type SequenceType = 'prot' | 'nucl';

/** A file of a database of the catalogue. */
export interface CatalogueFile {
  /** The name that the file has among the files of its database; the storage key ends with it. */
  readonly fileName: string;
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A database that the operator keeps for all customers. */
export interface CatalogueDatabase {
  readonly name: string;
  readonly type: SequenceType;
  readonly version: string;
  /** A day of the calendar, YYYY-MM-DD. */
  readonly date: string;
  /** SHA-256 of the one file, or of the lines `{sha256}  {name}` of all files, sorted by name. */
  readonly checksum: string;
  readonly letters: number;
  readonly sequences: number;
  readonly files: readonly CatalogueFile[];
}

/** Looks databases up by name. */
export interface DatabaseCatalogue {
  /** The database of this name; null when there is none. */
  find(name: string): Promise<CatalogueDatabase | null>;
  /** The names of all databases, sorted. */
  names(): Promise<readonly string[]>;
}

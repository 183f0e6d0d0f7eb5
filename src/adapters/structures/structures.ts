/** An archive of deposited structures, as Dockyard uses it. */

/**
 * A fetched entry, or the definite reason why there is none. A failure is final, because the source itself has retried.
 */
export type StructureFetch =
  | {
      readonly ok: true;
      readonly body: Uint8Array;
      readonly format: 'mmcif';
      readonly mediaType: string;
      readonly sourceUrl: string;
    }
  | {
      readonly ok: false;
      readonly code: 'RECEPTOR_NOT_FOUND' | 'RECEPTOR_FETCH_FAILED';
      readonly message: string;
    };

/** Fetches entries. */
export interface StructureSource {
  /** The newest revision of an entry of the Protein Data Bank, by its four-character id. */
  fetch(pdbId: string): Promise<StructureFetch>;
}

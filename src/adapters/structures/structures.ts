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
      /** `absent`: the archive has no such entry; `unreachable`: it did not answer with the entry. */
      readonly reason: 'absent' | 'unreachable';
      readonly message: string;
    };

/** Fetches entries. */
export interface StructureSource {
  /** The newest revision of an entry of the Protein Data Bank, by its four-character id. */
  fetch(pdbId: string): Promise<StructureFetch>;
}

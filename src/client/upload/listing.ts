/**
 * The stored files of packages, as the service lists them: of every place the newest. A package is listed once, as far
 * as it is asked for, however many files ask.
 */
import type { UploadItem } from '../types.ts';
import type { UploadApi } from './api.ts';

/** Knows what is stored at the places of packages. */
export interface Listing {
  /** The newest file at a place; null when there is none, or too many newer files are in the package. */
  newestAt(projectId: string | null, logicalPath: string, signal: AbortSignal): Promise<UploadItem | null>;
}

/** A hundred pages. */
const MOST_LISTED = 10_000;

/** Makes a listing. */
export function createListing(api: Pick<UploadApi, 'list'>): Listing {
  const packages = new Map<string, PackageListing>();
  return {
    async newestAt(projectId, logicalPath, signal) {
      // A place without a package is none; the service refuses it.
      if (projectId === null) return null;
      const found = packages.get(projectId) ?? new PackageListing(api, projectId, signal);
      packages.set(projectId, found);
      return found.newestAt(logicalPath.normalize('NFC'));
    },
  };
}

class PackageListing {
  readonly #items: AsyncGenerator<UploadItem, void, void>;
  readonly #places = new Map<string, UploadItem>();
  #listed = 0;
  #isOver = false;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(api: Pick<UploadApi, 'list'>, projectId: string, signal: AbortSignal) {
    this.#items = api.list({ state: 'completed', projectId }, { signal });
  }

  newestAt(place: string): Promise<UploadItem | null> {
    // One after the other: the first may list what the next asks for.
    const found = this.#tail.then(() => this.#find(place));
    this.#tail = found.catch(() => undefined);
    return found;
  }

  async #find(place: string): Promise<UploadItem | null> {
    while (!this.#isOver && !this.#places.has(place)) {
      const { value } = await this.#items.next();
      this.#listed += 1;
      this.#isOver = value === undefined || this.#listed === MOST_LISTED;
      if (value?.logicalPath == null || this.#places.has(value.logicalPath)) continue;
      this.#places.set(value.logicalPath, value);
    }
    return this.#places.get(place) ?? null;
  }
}

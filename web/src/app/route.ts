/** A page and its address. */
import type { ReactNode } from 'react';

import type { Search } from './search.ts';

export interface PageRoute {
  /** The address, with `$name` for parts that differ. */
  readonly path: string;
  /** Loads the page when it is first needed. */
  readonly load: () => Promise<{
    readonly Page: () => ReactNode;
    /** Asks for what the page shows first, while it is not known yet who has signed in. */
    readonly ask?: (search: Search) => void;
  }>;
  /** Whom the page is for: people who have signed in (the default), or anybody; it then has no navigation. */
  readonly open?: true;
}

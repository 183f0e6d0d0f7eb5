/** What follows the `?` of the address: texts, and lists of them where a name is repeated. */
import { useSearch } from '@tanstack/react-router';

export type Search = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads it; a page drops what it does not know. */
export function useAddress(): Search {
  const search: Search = useSearch({ strict: false });
  return search;
}

/** The one text of a name; null without one. */
export function oneOf(value: Search[string]): string | null {
  return typeof value === 'string' ? value : null;
}

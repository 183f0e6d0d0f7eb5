/** Lists that are answered page by page. */

/** The items of all pages, each page read when its items are asked for. */
export async function* pages<P extends { readonly nextCursor: string | null }, I>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly I[],
): AsyncGenerator<I, void, void> {
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor);
    yield* itemsOf(page);
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

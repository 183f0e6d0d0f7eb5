/** Uploads that have begun and not ended, but for those that this tab sends now. */
import type { UseQueryResult } from '@tanstack/react-query';

import { useGet } from '../../api/queries.ts';
import { useSending } from './sending.ts';
import type { Upload } from './sending.ts';

/** Reads them; those of programs that send a file whole are no business of a page. */
export function useUnfinished(): Pick<UseQueryResult, 'error'> & { readonly open: readonly Upload[] | null } {
  const { data, error } = useGet('/uploads', { query: { state: 'open', limit: 100 } });
  const here = new Set(useSending().map(({ uploadId }) => uploadId));
  const open = data?.uploads.filter(
    ({ uploadId, state, partCount }) => state === 'OPEN' && partCount !== null && !here.has(uploadId),
  );
  return { open: open ?? null, error };
}

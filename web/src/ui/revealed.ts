/** Rows that came while somebody looked at a list wait behind a button, so that no row moves away under the cursor. */
import { useState } from 'react';

/** The rows to show, how many wait, and what shows them. `list` names what is listed: of another list nothing waits. */
export function useRevealed<T>(
  rows: readonly T[],
  timeOf: (row: T) => string,
  list: string,
): readonly [shown: readonly T[], waiting: number, reveal: () => void] {
  const newest = rows[0] === undefined ? '' : timeOf(rows[0]);
  const [revealed, setRevealed] = useState({ list, newest });
  const isOther = revealed.list !== list || (revealed.newest === '' && newest !== '');
  if (isOther) setRevealed({ list, newest });
  const last = isOther ? newest : revealed.newest;
  const shown = rows.filter((row) => timeOf(row) <= last);
  return [shown, rows.length - shown.length, () => setRevealed({ list, newest })];
}

/** Meaning and advice of codes, from the document; they are loaded when the first code is shown. */
import { useEffect, useState } from 'react';

let table: Readonly<Record<string, string>> | null = null;

/** The words of a code; null where there are none, or not yet. */
export function useWords(code: string): string | null {
  const [words, setWords] = useState(table);
  useEffect(() => {
    if (table !== null || code === '') return;
    let isHere = true;
    void import('document:codes').then(({ codes }) => {
      table = codes;
      if (isHere) setWords(codes);
    });
    return () => {
      isHere = false;
    };
  }, [code]);
  return (words ?? table ?? {})[code] ?? null;
}

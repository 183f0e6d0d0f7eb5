/** Choice of a media type by the Accept header. */

/**
 * The offered type with the highest weight in an Accept header, of equal ones the first offered; the first one where the
 * header is missing or names none of them.
 */
export function preferredType<const T extends string>(
  accept: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf);
  let [best] = offered;
  let highest = 0;
  for (const type of offered) {
    const weight = weightOf(type, ranges);
    if (weight > highest) [best, highest] = [type, weight];
  }
  return best;
}

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

function rangeOf(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1');
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The most exact range decides. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [family = ''] = type.split('/');
  for (const wanted of [type, `${family}/*`, '*/*']) {
    const found = ranges.find((range) => range.type === wanted);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
